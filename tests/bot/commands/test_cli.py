"""The command line: exit codes and messages."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from typer.main import get_command

from bot.cli import app, main
from bot.errors import BotError, ConfigurationError, EngineDied, StartUpError, StoreError
from bot.service.signals import ExitCode
from bot.settings import TOKEN_VARIABLE, Settings, parse_settings


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the program in this process; gives its exit code."""
    monkeypatch.setattr(sys, "argv", ["bot88", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the checkout's configuration nor the user's token takes part."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    monkeypatch.delenv("BOT88_CONFIG", raising=False)


def test_check_shows_the_whole_configuration_and_hides_the_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "lip_secret")
    monkeypatch.setenv("BOT88__CHALLENGES__QUEUE", "3")
    Path("my.yml").write_text("concurrency: 7\n", encoding="utf-8")
    assert call(monkeypatch, "check", "--all", "--config", "my.yml") == 0
    shown = capsys.readouterr().out
    assert "lip_secret" not in shown
    assert shown.startswith("# challenges.queue is set by BOT88__CHALLENGES__QUEUE\n")
    settings = parse_settings(shown, "shown")
    assert (settings.concurrency, settings.challenges.queue, settings.token) == (7, 3, "***")
    monkeypatch.delenv(TOKEN_VARIABLE)
    monkeypatch.delenv("BOT88__CHALLENGES__QUEUE")
    assert call(monkeypatch, "check", "--all") == 0
    assert parse_settings(capsys.readouterr().out, "shown") == Settings()


def test_check_names_the_variable_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOT88__CHALLENGES__QUEU", "3")
    assert call(monkeypatch, "check") == 2
    assert capsys.readouterr().err.startswith("bot88: BOT88__CHALLENGES__QUEU: challenges.queu: unknown key")


def test_the_configuration_in_the_folder_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "check") == 0
    assert capsys.readouterr().out.startswith("built-in defaults: no problems found\n")
    Path("config").mkdir()
    Path("config/bot88.yml").write_text("concurrency: 9\n", encoding="utf-8")
    assert call(monkeypatch, "check") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("config/bot88.yml: no problems found\n")
    assert "concurrency: 9" in shown


@pytest.mark.parametrize("command", ["run", "check", "upgrade", "offline"])
def test_a_bad_configuration_is_one_message_and_code_2(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.yml").write_text("lichess:\n  tokn: lip_x\n", encoding="utf-8")
    assert call(monkeypatch, command, "-c", "bad.yml") == 2
    out, err = capsys.readouterr()
    assert err == 'bot88: bad.yml:2: lichess.tokn: unknown key; did you mean "token"?\n'
    assert out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("offline", "--games", "0"),
        ("offline", "--clock", "fast"),
        ("offline", "--opponent", "nobody"),
        ("offline", "--faults", "no-such-file.yml"),
        ("offline", "--bogus"),
        ("run", "-c", "missing.yml"),
        ("nonsense",),
    ],
)
def test_a_bad_command_line_is_code_2(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *arguments) == 2
    err = capsys.readouterr().err
    assert err
    assert "Traceback" not in err


def test_no_token_is_code_3_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "run") == 3
    assert TOKEN_VARIABLE in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StartUpError("no engine runs", "install one", ExitCode.ENGINE), ExitCode.ENGINE),
        (ConfigurationError("my.yml: broken"), ExitCode.CONFIGURATION),
        (StoreError("my.sqlite3: no database"), ExitCode.CONFIGURATION),
        (EngineDied("the engine ended"), ExitCode.FAILED),
    ],
)
def test_what_goes_wrong_is_one_message_with_its_code(
    error: BotError, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> int:
        raise error

    monkeypatch.setattr("bot.service.run.run_bot", fail)
    assert call(monkeypatch, "run") == code
    assert capsys.readouterr().err == f"bot88: {error}\n"


def test_a_fault_of_ours_is_a_plain_traceback_without_the_values_of_variables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of them may be the token."""

    def fail(settings: Settings, *_arguments: object, **_options: object) -> int:
        token = settings.token
        raise RuntimeError("a fault") from (KeyError() if token else None)

    monkeypatch.setattr("bot.service.run.run_bot", fail)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # it is put back
    monkeypatch.setenv(TOKEN_VARIABLE, "lip_secret")
    monkeypatch.setattr(sys, "argv", ["bot88", "run"])
    with pytest.raises(RuntimeError, match="a fault") as failed:
        main()
    sys.excepthook(failed.type, failed.value, failed.tb)
    shown = capsys.readouterr().err
    assert "\nTraceback (most recent call last):\n" in f"\n{shown}"
    assert shown.endswith("RuntimeError: a fault\n")
    assert "lip_secret" not in shown


def test_a_store_that_is_none_is_code_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.txt").write_text("no database at all " * 100, encoding="utf-8")
    Path("my.yml").write_text("store: notes.txt\n", encoding="utf-8")
    assert call(monkeypatch, "run", "-c", "my.yml") == 2
    assert "notes.txt" in capsys.readouterr().err


def test_a_book_that_is_missing_is_code_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("my.yml").write_text("move_sources: {books: [{path: none.bin}]}\n", encoding="utf-8")
    assert call(monkeypatch, "check", "-c", "my.yml") == 2
    assert "none.bin" in capsys.readouterr().err


def test_the_version_is_that_of_the_installed_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.cli.version", {"bot88": "9.8.7"}.__getitem__)
    assert call(monkeypatch, "--version") == 0
    assert capsys.readouterr().out == "bot88 9.8.7\n"


def test_the_version_of_a_tree_that_is_not_installed_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("bot.cli.version", missing)
    assert call(monkeypatch, "--version") == 0
    assert capsys.readouterr().out == "bot88 of a source tree that is not installed\n"


def test_init_writes_a_configuration_that_check_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "init") == 0
    assert "config/bot88.yml" in capsys.readouterr().out
    assert call(monkeypatch, "check", "config/bot88.yml") == 0
    assert f"store: {Path.cwd()}/data/bot88.sqlite3\n" in capsys.readouterr().out


def test_init_never_overwrites_unless_forced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = Path("my.yml")
    mine.write_text("concurrency: 9\n", encoding="utf-8")
    assert call(monkeypatch, "init", "my.yml") == 2
    assert capsys.readouterr().err == ("bot88: my.yml: exists already; give another path, or --force to overwrite it\n")
    assert mine.read_text(encoding="utf-8") == "concurrency: 9\n"
    assert call(monkeypatch, "init", "my.yml", "--force") == 0
    assert "challenges:" in mine.read_text(encoding="utf-8")


def test_check_takes_its_file_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yml").write_text("concurrency: 7\n", encoding="utf-8")
    assert call(monkeypatch, "check", "a.yml", "--config", "b.yml") == 2
    assert "--config" in capsys.readouterr().err
    monkeypatch.setenv("BOT88_CONFIG", "b.yml")
    assert call(monkeypatch, "check", "a.yml") == 0
    assert "concurrency: 7" in capsys.readouterr().out


@pytest.mark.parametrize(("typed", "offered"), [("re", ["replay", "review"]), ("ctl pa", ["pause"])])
def test_the_shell_completes_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, offered: list[str]
) -> None:
    monkeypatch.setenv("_BOT88_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"bot88 {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    assert call(monkeypatch) == 0
    assert capsys.readouterr().out.split() == offered


def test_without_a_command_the_commands_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(monkeypatch)
    shown = "".join(capsys.readouterr())
    assert "Missing command" not in shown
    assert all(command in shown for command in ("run", "offline", "check", "upgrade"))


def test_help_groups_the_commands_by_task(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "-h") == 0
    short = capsys.readouterr().out
    assert call(monkeypatch, "--help") == 0
    assert capsys.readouterr().out == short
    words = ("Play:", "  run ", "Configure:", "  init ", "  check ", "Look back:")
    places = [short.index(f"\n{word}") for word in words]
    assert places == sorted(places)
    assert "Commands:" not in short, "every command has its group"


def test_options_show_values_and_no_types(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for command in get_command(app).commands:  # type: ignore[attr-defined]  # it is a group
        assert call(monkeypatch, command, "-h") == 0
        assert re.search(r"<[a-z\[\] ]+>", capsys.readouterr().out) is None, command
