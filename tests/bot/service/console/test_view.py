"""The live view as it looks on a terminal of a given size."""

from __future__ import annotations

from io import StringIO

import chess
import pytest
from chess.engine import Cp, Mate, PovScore, Score
from rich.console import Console

from bot.control.report import Status
from bot.dashboard.games import Side
from bot.dashboard.picture import Health, Waiting
from bot.service.console.view import _score, _side, live_view
from tests.bot.control.test_report import status
from tests.bot.dashboard.pictures import game


def drawn(made: Status, *, height: int = 24, width: int = 100) -> list[str]:
    """The lines on a terminal without colours."""
    console = Console(file=StringIO(), width=width, height=height, color_system=None, force_terminal=True)
    with console.capture() as captured:
        console.print(live_view(made, height))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_quiet_bot() -> None:
    title, *rest = drawn(status())
    assert " me on http://server · playing " in title
    assert rest == ["no games are running", "2 of 2 slots free · today 1 won, 0 drawn, 0 lost"]


def test_a_busy_and_troubled_bot() -> None:
    title, *rest = drawn(
        status(
            paused=True,
            blocked=("ann",),
            games=(
                game(last_move="12.Nf3"),
                game(game_id="zz", variant="atomic", rated=False, score=PovScore(Mate(-10), chess.WHITE)),
            ),
            waiting=(Waiting("Carl", "3+2 standard rated"),),
            free_slots=0,
            limits={"challenge": 61.4},
            health=Health(("no engine answers",), ready=False),
        ),
    )
    assert " me on http://server · paused · no engine answers " in title
    assert rest == [
        "abcdefgh  rated blitz    BOT me (2000) 1:05  Alice (1700) 1:00  12.Nf3  +0.25",
        "zz        casual atomic  BOT me (2000) 1:05  Alice (1700) 1:00          #-10",
        "queue 1: Carl 3+2 standard rated",
        "0 of 2 slots free · today 1 won, 0 drawn, 0 lost · limits challenge for 61 s · blocked ann",
    ]


def test_many_games_leave_room_for_the_prompt() -> None:
    games = tuple(game(game_id=f"game{number}") for number in range(50))
    lines = drawn(status(games=games), height=12)
    assert len(lines) <= 12
    assert "and 45 more: `games` lists all" in lines


def test_a_narrow_terminal_cuts_lines_and_wraps_none() -> None:
    lines = drawn(status(games=(game(),)), width=40)
    assert len(lines) == 3
    assert max(map(len, lines)) <= 40


def test_as_many_games_as_there_is_room_for_are_all_shown() -> None:
    games = tuple(game(game_id=f"game{number}") for number in range(6))
    assert not any("more" in line for line in drawn(status(games=games), height=12))
    assert "and 2 more: `games` lists all" in drawn(status(games=games), height=11)
    assert "and 5 more: `games` lists all" in drawn(status(games=games), height=3), "one game is always shown"


def test_a_bot_that_starts_is_not_called_ill() -> None:
    starting = status(account="", health=Health(("it is starting",), ready=False))
    assert " bot88 on http://server · starting " in drawn(starting)[0]
    assert "it is" not in drawn(starting)[0]


@pytest.mark.parametrize(
    ("score", "style"),
    [(None, ""), (Cp(49), ""), (Cp(-49), ""), (Cp(50), "green"), (Cp(-50), "red"), (Mate(3), "green")],
)
def test_a_score_has_a_colour_from_half_a_pawn_on(score: Score | None, style: str) -> None:
    assert _score(game(score=None if score is None else PovScore(score, chess.WHITE))).style == style


@pytest.mark.parametrize(("running", "style"), [(True, "bold"), (False, "dim")])
def test_the_clock_that_runs_is_bold(running: bool, style: str) -> None:
    text = _side(Side("Alice", None, 65_000, running))
    assert text.plain == "Alice 1:05"
    assert [(text.plain[span.start : span.end], span.style) for span in text.spans] == [("1:05", style)]
