"""Games of the store as the dashboard shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.account.archive import GameArchive
from bot.account.kept_games import KeptGame
from bot.account.storage.pgn import MoveNote
from bot.account.store import Store
from bot.app.finished_games import FinishedGames, replay_of
from bot.settings import Settings
from tests.bot.dashboard.pictures import kept
from tests.helpers.finished_games import FOOLS_MATE, board_after, finished

URL = "https://lichess.org"
NOTES = {1: MoveNote(179_000, -60, None, 11, "engine88"), 2: MoveNote(178_000), 3: MoveNote(170_000, None, -1, 9, "x")}


@pytest.fixture(params=["file", "memory"])
def games(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FinishedGames]:
    """A store in a file and one in memory, each with a game that we lost with White."""
    path = tmp_path / "store.sqlite3" if request.param == "file" else None
    store = Store(path)
    archive = GameArchive(store, "me", URL, None)
    full = finished()
    archive.enter(full, full.state, board_after(FOOLS_MATE), NOTES, "engine88")
    assert store.flush(20)
    yield FinishedGames(Settings(store=path), store, URL)
    archive.close()
    store.close()


def test_the_games_are_listed(games: FinishedGames) -> None:
    (found,) = games.since(0.0)
    assert (found.record.game_id, found.outcome) == ("abcdefgh", "loss")
    assert games.since(found.record.ended_s + 1) == []


def test_a_game_is_read_with_all_that_is_known_of_its_moves(games: FinishedGames) -> None:
    game = games.replay("abcdefgh")
    assert game is not None
    assert (game.white, game.black) == ("BOT Me 2000", "AI level 3")
    assert (game.url, game.outcome, game.status) == (f"{URL}/abcdefgh", "loss", "mate")
    assert [move.san for move in game.moves] == ["f3", "e5", "g4", "Qh4#"]
    first, second, third, last = game.moves
    assert (first.clock_ms, first.depth, first.source) == (179_000, 11, "engine88")
    assert (first.score and first.score.score_cp, second.score, second.clock_ms) == (-60, None, 178_000)
    assert third.score is not None
    assert (third.score.mate, third.score.score_cp) == (-1, -31_999)
    assert last.placement == "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR"
    assert game.clock_ms(0, white=True) == 180_000


def test_a_game_that_is_not_kept_is_none(games: FinishedGames) -> None:
    assert games.replay("missing") is None


def test_scores_are_turned_to_our_side() -> None:
    pgn = '[White "Alice"]\n[Black "me"]\n\n1. e4 e5 { [%eval -0.50,12] } 2. Nf3 Nc6 { [%eval #-3,20] } 0-1'
    game = replay_of(kept(pgn=pgn, color="black", result="0-1"), URL)
    assert [(point.ply, point.score_cp, point.mate) for point in game.scores] == [(2, 50, None), (4, 31_997, 3)]
    assert game.initial_ms is None


@pytest.mark.parametrize("pgn", ["", "1. e4 e5 2. Ke3 0-1"])
def test_a_game_that_cannot_be_read_says_why(pgn: str) -> None:
    found: KeptGame = kept(pgn=pgn)
    game = replay_of(found, URL)
    assert game.moves == ()
    assert "abcdefgh cannot be read" in game.unreadable
    assert (game.white, game.black) == ("bot88", "alice")
