"""D10: a mistyped option keeps what follows it out of the log."""

from __future__ import annotations

from pathlib import Path

from bot.control.client import send
from tests.helpers.examples import first_quick
from tests.helpers.running_bot import Run


@first_quick(
    "words",
    [
        ("tournament", "abcdefgh", "--pasword", "hunter2"),
        ("tournament", "abcdefgh", "--pasword=hunter2"),
        ("tournament", "abcdefgh", "-p", "hunter2"),
        ("tournamnet", "abcdefgh", "--password", "hunter2"),
        ("tournament", "abcdefgh", "hunter2"),
    ],
)
def test_a_password_after_a_typing_error_is_not_logged(words: tuple[str, ...], tmp_path: Path, run: Run) -> None:
    bot = run(control={"socket": str(tmp_path / "bot.sock")})
    bot.wait_for("ready")
    answer = send(words, tmp_path / "bot.sock")
    assert not answer.ok
    bot.wait_for("command")
    assert "hunter2" not in bot.log_text()
