"""The live view as it looks on a terminal of a given size."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from bot.app.console.editor import LineEditor
from bot.app.console.view import live_view
from bot.control.report import Status
from bot.dashboard.health import Health
from bot.dashboard.picture import Waiting
from tests.bot.control.test_report import status
from tests.bot.dashboard.pictures import game


def drawn(made: Status, typed: str = "", *, height: int = 24, width: int = 100) -> list[str]:
    """The lines on a terminal without colours."""
    editor = LineEditor()
    editor.feed(typed)
    console = Console(file=StringIO(), width=width, height=height, color_system=None, force_terminal=True)
    with console.capture() as captured:
        console.print(live_view(made, editor, height))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_quiet_bot() -> None:
    title, *rest = drawn(status())
    assert " me on http://server · playing " in title
    assert rest == ["no games are running", "2 of 2 slots free · today 1 won, 0 drawn, 0 lost", "bot88>  help"]


def test_a_busy_and_troubled_bot() -> None:
    title, *rest = drawn(
        status(
            paused=True,
            blocked=("ann",),
            games=(game(last_move="12.Nf3"), game(game_id="zz", variant="atomic", rated=False, score_cp=-31_990)),
            waiting=(Waiting("Carl", "3+2 standard rated"),),
            free_slots=0,
            limits={"challenge": 61.4},
            health=Health(("no engine answers",), ready=False),
        ),
        "block Bob",
    )
    assert " me on http://server · paused · no engine answers " in title
    assert rest == [
        "abcdefgh  rated blitz    BOT me (2000) 1:05  Alice (1700) 1:00  12.Nf3  +0.25",
        "zz        casual atomic  BOT me (2000) 1:05  Alice (1700) 1:00          mate against us",
        "queue 1: Carl 3+2 standard rated",
        "0 of 2 slots free · today 1 won, 0 drawn, 0 lost · limits challenge for 61 s · blocked ann",
        "bot88> block Bob",
    ]


def test_many_games_leave_room_for_the_prompt() -> None:
    games = tuple(game(game_id=f"game{number}") for number in range(50))
    lines = drawn(status(games=games), height=12)
    assert len(lines) <= 12
    assert "and 45 more: `games` lists all" in lines
    assert lines[-1] == "bot88>  help"


def test_a_narrow_terminal_cuts_lines_and_wraps_none() -> None:
    lines = drawn(status(games=(game(),)), "challenge somebody --clock 3+2 --rated --color white", width=40)
    assert len(lines) == 4
    assert max(map(len, lines)) <= 40
