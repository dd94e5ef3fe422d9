"""Lines for a terminal: short, values in the order they were given."""

from __future__ import annotations

import re

import pytest

from bot.log.console_format import console_renderer, shorten

STAMP = "2026-11-22T17:54:36.123456Z"


def rendered(**event: object) -> str:
    stamped = shorten(None, "", {"timestamp": STAMP, "logger": "bot.play.game_log"} | event)
    line = console_renderer(colors=False)(None, "", stamped)
    assert isinstance(line, str)
    return line


def test_a_move() -> None:
    assert (
        rendered(level="info", event="move", game_id="abcdefgh", san="12...Nf6", score="+0.34", depth=14, time_s=1.2)
        == "11-22 17:54:36 abcdefgh move 12...Nf6 score=+0.34 depth=14 time_s=1.2"
    )


@pytest.mark.parametrize(
    "event",
    [
        {"event": "move", "san": "100...Nbxd2+", "score": "-12.34", "depth": 64, "time_s": 99.9, "clock": "1:02:31",
         "lag_ms": 999},
        {"event": "game_opened", "url": "https://lichess.org/abcdefgh", "color": "white", "plies": 123},
        {"event": "game_begins", "opponent": "BOT A-Name-Of-20-Letters (2345)", "speed": "ultraBullet"},
        {"event": "game_over", "status": "insufficientMaterialClaim", "result": "aborted", "plies": 345},
        {"event": "challenge_refused", "by": "BOT A-Name-Of-20-Letters (2345)", "reason": "timeControl"},
    ],
)  # fmt: skip
def test_what_a_game_writes_fits_a_hundred_columns(event: dict[str, object]) -> None:
    assert len(rendered(level="info", game_id="abcdefgh", **event)) <= 100


def test_a_warning_names_its_module() -> None:
    assert rendered(level="warning", event="broken", again_in_s=2).endswith(
        "[warning] broken logger=bot.play.game_log again_in_s=2"
    )


def test_colours_change_nothing_but_colours() -> None:
    event = {"level": "warning", "timestamp": "11-22 17:54:36", "event": "move", "san": "1.e4", "depth": 3}
    plain = console_renderer(colors=False)(None, "", dict(event))
    colored = console_renderer(colors=True)(None, "", dict(event))
    assert isinstance(colored, str)
    assert colored != plain
    assert re.sub(r"\x1b\[\d+m", "", colored) == plain
