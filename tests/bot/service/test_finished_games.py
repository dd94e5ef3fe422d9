"""Games of the store as the dashboard shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from bot.archive.game_archive import GameArchive
from bot.archive.kept_games import KeptGame
from bot.archive.pgn import MoveNote
from bot.archive.store import Store
from bot.service.finished_games import FinishedGames, replay_of
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


def test_the_heading_of_a_game_of_which_the_pgn_says_much() -> None:
    tags = {"White": "me", "Black": "Alice", "BlackTitle": "GM", "BlackElo": "2700", "TimeControl": "180+2"}
    pgn = "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + '[Termination "Time forfeit"]\n\n1. e4 1-0'
    casual: dict[str, Any] = {"variant": "atomic", "rated": False, "status": "outoftime"}
    game = replay_of(kept(pgn=pgn, **casual, eco="C50", opening="Italian"), URL)
    assert (game.white, game.black) == ("me", "GM Alice 2700")
    assert (game.terms, game.opening) == ("atomic · blitz · casual · 180+2", "C50 Italian")
    assert (game.status, game.our_color, game.outcome) == ("Time forfeit", "white", "win")
    assert game.start == chess.STARTING_BOARD_FEN
    assert (game.pgn, game.unreadable) == (pgn, "")
    mated = replay_of(kept(pgn=pgn, status="mate"), URL)
    assert (mated.status, mated.terms, mated.opening) == ("mate", "blitz · rated · 180+2", "")


def test_a_game_of_which_nothing_is_told_has_names_all_the_same() -> None:
    game = replay_of(kept(pgn="", color="black", opponent_id="", status="timeout"), URL)
    assert (game.white, game.black, game.terms) == ("Anonymous", "bot88", "blitz · rated · -")
    assert game.status == "timeout"


def test_a_game_that_runs_is_not_among_the_finished() -> None:
    store = Store(None)
    for status, game_id in (("started", "runs0000"), ("mate", "over0000")):
        store.record_game(kept(game_id, 1000.0, status=status).record)
    assert store.flush(20)
    games = FinishedGames(Settings(), store, URL)
    assert [found.record.game_id for found in games.since(0.0)] == ["over0000"]
    assert games.replay("runs0000") is None
    store.close()
