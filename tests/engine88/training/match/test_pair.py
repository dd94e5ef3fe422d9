"""A pair: one opening, colours changed, an engine that died is there again in the next game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pytest

from engine88.training.match.game import GameLimits
from engine88.training.match.pair import MatchSettings, PairOpening, close_engines, play_pair
from engine88.training.match.standing import read_pairs
from engine88.training.match.uci_engine import EngineError
from tests.engine88.training.match.engines import spec

LIMITS = GameLimits(nodes=1, most_moves=6)
FEN = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_engines()


def played(settings: MatchSettings, opening: PairOpening) -> list[chess.pgn.Game]:
    stream = io.StringIO(play_pair(settings, None, opening))
    games = []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        games.append(game)
    return games


def test_both_games_begin_in_the_opening_with_colours_changed() -> None:
    settings = MatchSettings(spec("A", "best"), spec("B"), LIMITS, "1")
    games = played(settings, PairOpening(6, FEN))
    assert [game.board().fen() for game in games] == [FEN, FEN]
    assert [(game.headers["White"], game.headers["Black"]) for game in games] == [("A", "B"), ("B", "A")]
    assert [game.headers["Round"] for game in games] == ["7.1", "7.2"]


def test_openings_without_a_book_depend_on_seed_and_number() -> None:
    settings = MatchSettings(spec("A"), spec("B"), GameLimits(nodes=1, most_moves=1), "1")
    starts = [played(settings, PairOpening(pair, None))[0].board().fen() for pair in (0, 1, 0)]
    assert starts[0] == starts[2] != starts[1]


def test_an_engine_that_crashed_is_there_again(tmp_path: Path) -> None:
    settings = MatchSettings(spec("A", "crash", str(tmp_path / "once")), spec("B"), LIMITS, "1")
    text = play_pair(settings, None, PairOpening(0, FEN))
    (pair,) = read_pairs(text).pairs
    assert pair.reasons[0].startswith("engine failed: A: has ended, exit status 3")
    assert pair.reasons[1] == "too long"
    assert pair.half_points == (0, 1)


def test_an_engine_that_never_starts_is_an_error() -> None:
    settings = MatchSettings(spec("A"), spec("B"), LIMITS, "1")
    broken = MatchSettings(settings.first, type(settings.second)("B", "/no/such/engine"), LIMITS, "1")
    with pytest.raises(EngineError, match="B: '/no/such/engine' cannot be started"):
        play_pair(broken, None, PairOpening(0, FEN))
