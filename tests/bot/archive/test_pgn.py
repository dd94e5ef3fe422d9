"""A finished game as PGN, written and read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import chess
import chess.pgn
import pytest
from chess.engine import Cp, Mate, PovScore
from hypothesis import given

from bot.archive import pgn
from bot.archive.pgn import MoveNote, PlayedGame, UnreadableGameError, pgn_of, played_game
from tests.bot.events.test_reading import HOSTILE_TEXT
from tests.helpers.finished_games import FOOLS_MATE, blitz, board_after, finished, games_in

URL = "https://lichess.test"


def written(
    status: str = "mate", winner: str = "black", moves: str = FOOLS_MATE, /, **fields: object
) -> chess.pgn.Game:
    """The PGN of a game, read by python-chess."""
    game = finished(moves, status, winner, **fields)
    (parsed,) = games_in(pgn_of(game, game.state, board_after(moves), URL))
    assert parsed.errors == []
    return parsed


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("mate", "black", "0-1"),
        ("resign", "white", "1-0"),
        ("draw", "", "1/2-1/2"),
        ("aborted", "", "*"),
        ("noStart", "", "*"),
        ("unknownFinish", "", "*"),
        ("started", "", "*"),
    ],
)
def test_results(status: str, winner: str, result: str) -> None:
    assert written(status, winner, "").headers["Result"] == result


def test_the_headers_say_what_the_server_told() -> None:
    parsed = written(
        createdAt=1_700_000_000_000,
        rated=True,
        white={"id": "me", "name": "Me", "title": "BOT", "rating": 2000},
        black={"id": "ann", "name": "Ann", "title": "GM", "rating": 2500},
    )
    assert [move.uci() for move in parsed.mainline_moves()] == FOOLS_MATE.split()
    assert dict(parsed.headers) == {
        "Event": "Rated blitz game",
        "Site": "https://lichess.test/abcdefgh",
        "Date": "2023.11.14",
        "Round": "-",
        "White": "Me",
        "Black": "Ann",
        "Result": "0-1",
        "UTCDate": "2023.11.14",
        "UTCTime": "22:13:20",
        "WhiteElo": "2000",
        "BlackElo": "2500",
        "WhiteTitle": "BOT",
        "BlackTitle": "GM",
        "TimeControl": "180+2",
        "Termination": "Normal",
        "ECO": "A00",
        "Opening": "Barnes Opening: Fool's Mate",
    }
    assert written(rated=False).headers["Event"] == "Casual blitz game"
    assert written(createdAt=0).headers["Date"] > "2025"  # unknown: now


def test_what_is_not_known_has_no_header() -> None:
    told = written(white={"id": "me", "name": "Me"}, black={"aiLevel": 3}).headers
    assert not {"WhiteElo", "BlackElo", "WhiteTitle", "BlackTitle", "Annotator"} & set(told)
    assert told["Black"] == "AI level 3"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("mate", "Normal"),
        ("outoftime", "Time forfeit"),
        ("timeout", "Abandoned"),
        ("cheat", "Rules infraction"),
        ("aborted", "Unterminated"),
    ],
)
def test_how_a_game_ended(status: str, told: str) -> None:
    assert written(status).headers["Termination"] == told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"clock": {"initial": 180_000, "increment": 2000}}, "180+2"),
        ({"clock": {"initial": 30_500, "increment": 0}}, "30+0"),
        ({"clock": None, "daysPerTurn": 3}, "1/259200"),
        ({"clock": None}, "-"),
    ],
)
def test_the_time_control(fields: dict[str, object], told: str) -> None:
    assert written(**fields).headers["TimeControl"] == told


@given(name=HOSTILE_TEXT, title=HOSTILE_TEXT, speed=HOSTILE_TEXT)
def test_no_name_makes_up_a_game_or_a_result(name: str, title: str, speed: str) -> None:
    hostile = f'Eve"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[Event "{name}'
    game = finished(speed=speed, black={"id": "eve", "name": hostile, "title": title})
    text = pgn_of(game, game.state, board_after(FOOLS_MATE), URL)
    text.encode("utf-8")
    (parsed,) = games_in(text)
    assert parsed.headers["Result"] == "0-1"
    assert [move.uci() for move in parsed.mainline_moves()] == FOOLS_MATE.split()


@pytest.mark.parametrize("created", [0, -1, 2**53, -(2**53), 10**400, "x", None])
def test_a_time_that_no_calendar_has_does_no_harm(created: object) -> None:
    assert written(createdAt=created).headers["Date"][:4].isdecimal()


@pytest.mark.parametrize("error", [ValueError, OverflowError, OSError])
def test_a_time_that_a_platform_cannot_tell_is_now(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """Windows raises OSError for moments before 1970."""
    now = datetime(2026, 11, 23, tzinfo=UTC)

    def fail(_epoch_s: float, _zone: object) -> datetime:
        raise error

    monkeypatch.setattr(pgn, "datetime", SimpleNamespace(fromtimestamp=fail, now=lambda _zone: now))
    assert written(createdAt=-1).headers["UTCDate"] == "2026.11.23"


def test_notes_become_commands_that_readers_know() -> None:
    game = finished()
    notes = {
        1: MoveNote(clock_ms=178_500, score=PovScore(Cp(-35), chess.WHITE), depth=18, source="engine"),
        2: MoveNote(clock_ms=-5, source="book {weird}\n"),
        4: MoveNote(score=PovScore(Mate(-1), chess.WHITE), depth=2),
        9: MoveNote(clock_ms=1),
    }
    (parsed,) = games_in(pgn_of(game, game.state, board_after(FOOLS_MATE), URL, notes))
    first, second, third, last = parsed.mainline()
    assert (first.clock(), first.eval_depth()) == (178.5, 18)
    assert first.eval() == PovScore(Cp(-35), chess.WHITE)
    assert (second.clock(), second.eval()) == (0.0, None)
    assert "engine" in first.comment
    assert "book (weird)" in second.comment
    assert third.comment == ""
    assert last.eval() == PovScore(Mate(-1), chess.WHITE)
    assert parsed.headers["Annotator"] == "engine"
    assert parsed.errors == []


NOTES = {
    1: MoveNote(clock_ms=180_000, source="book"),
    2: MoveNote(clock_ms=180_000),
    3: MoveNote(clock_ms=171_500, score=PovScore(Cp(-250), chess.WHITE), depth=9, source="engine88"),
    4: MoveNote(clock_ms=182_500, score=PovScore(Mate(-1), chess.WHITE), depth=3, source="engine88"),
}


def fools_mate() -> PlayedGame:
    """The game that White, the bot, lost by fool's mate, with a note of each move."""
    game = finished()
    pgn = pgn_of(game, game.state, board_after(FOOLS_MATE), "https://lichess.test", NOTES)
    return played_game(replace(blitz("abcdefgh", "0-1"), pgn=pgn))


def test_every_move_is_there_with_what_is_known() -> None:
    game = fools_mate()
    assert [move.san for move in game.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert [move.clock_ms for move in game.moves] == [180_000, 180_000, 171_500, 182_500]
    assert [(move.score, move.depth) for move in game.moves] == [
        (None, None),
        (None, None),
        (PovScore(Cp(-250), chess.WHITE), 9),
        (PovScore(Mate(-1), chess.WHITE), 3),
    ]
    assert [move.source for move in game.moves] == ["book", "", "engine88", "engine88"]
    assert [move.spent_ms for move in game.moves] == [None, None, 10_500, 0], "the first moves are free"
    assert [move.label(" ") for move in game.moves] == ["1. f3", "1... e5", "2. g4", "2... Qh4#"]
    assert [game.is_ours(move) for move in game.moves] == [True, False, True, False]
    assert game.moves[2].fen.split()[0] == "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR"
    assert game.last.is_checkmate()


@pytest.mark.parametrize("tag", ["-", "1/86400", "x+y", ""])
def test_without_a_clock_no_time_is_known(tag: str) -> None:
    game = fools_mate()
    kept = replace(game.record, pgn=game.record.pgn.replace('"180+2"', f'"{tag}"'))
    assert played_game(kept).moves[2].spent_ms is None


@pytest.mark.parametrize(("pgn", "reason"), [("", "it has no PGN"), ("1. e4 e4 *", "illegal san")])
def test_a_game_that_cannot_be_read_is_named(pgn: str, reason: str) -> None:
    with pytest.raises(UnreadableGameError, match=rf"game abcdefgh cannot be read: {reason}"):
        played_game(replace(blitz("abcdefgh"), pgn=pgn))


@pytest.mark.parametrize(
    ("ply", "white_ms", "black_ms"),
    [(0, 180_000, 180_000), (1, 180_000, 180_000), (3, 171_500, 180_000), (4, 171_500, 182_500)],
)
def test_the_clocks_after_a_move(ply: int, white_ms: int, black_ms: int) -> None:
    game = fools_mate()
    assert (game.clock_ms(ply, white=True), game.clock_ms(ply, white=False)) == (white_ms, black_ms)
