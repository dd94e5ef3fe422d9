"""Running games as frozen values, and the notes of their searches."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import chess
import pytest
from chess.engine import Cp, Mate, PovScore, Score

from bot.dashboard import games as module
from bot.dashboard.games import GameViews, SearchedMove, SearchNotes, note_of, variation_text
from bot.engine_pool.values import Answer
from bot.errors import EngineError
from bot.events.game import parse_game_event
from bot.play.game import Game
from bot.play.game_loop import GameLoop
from tests.helpers.finished_games import finished


def loop_of(full: Any) -> GameLoop:
    """A loop as far as it is looked at."""
    game = Game(full, "me", now_s=100.0)
    return cast("GameLoop", SimpleNamespace(game_id=full.game_id, game=game, last_score=Cp(12)))


def running(moves: str, **extra: Any) -> GameLoop:
    return loop_of(finished(moves, status="started", winner="", **extra))


def test_moves_clock_and_side_to_move() -> None:
    loop = running("e2e4 e7e5 g1f3", state={"moves": "e2e4 e7e5 g1f3", "wtime": 60_000, "btime": 50_000})
    (view,) = GameViews("http://server").look([loop], now_s=103.0)
    assert (view.last_move, view.ply, view.url) == ("2. Nf3", 3, "http://server/abcdefgh")
    assert (view.white.clock_ms, view.white.running) == (60_000, False)
    assert (view.black.clock_ms, view.black.running) == (47_000, True)
    assert chess.Board(view.position["fen"]).piece_at(chess.F3) == chess.Piece.from_symbol("N")
    assert (view.position["last"], view.position["side"], view.position["check"]) == ("g1 f3", "white", "")
    assert json.loads(view.position["material"]) == {"white": "", "black": "", "lead": 0}
    assert (view.last_uci, view.our_color, view.rated) == ("g1f3", "white", False)


def test_before_the_first_move_no_clock_runs() -> None:
    (view,) = GameViews("http://server").look([running("", state={"wtime": 60_000, "btime": 50_000})], now_s=103.0)
    assert (view.ply, view.last_move, view.last_uci, view.san) == (0, "", "", ())
    assert [(side.clock_ms, side.running) for side in (view.white, view.black)] == [(60_000, False), (50_000, False)]
    one_move = running("e2e4", state={"moves": "e2e4", "wtime": 60_000, "btime": 50_000})
    (view,) = GameViews("http://server").look([one_move], now_s=103.0)
    assert [(side.clock_ms, side.running) for side in (view.white, view.black)] == [(60_000, False), (50_000, False)]


def test_a_clock_never_shows_less_than_nothing() -> None:
    loop = running("e2e4 e7e5", state={"moves": "e2e4 e7e5", "wtime": 2_000, "btime": 50_000})
    (view,) = GameViews("http://server").look([loop], now_s=200.0)
    assert (view.white.clock_ms, view.white.running) == (0, True)
    (early,) = GameViews("http://server").look([loop], now_s=90.0)
    assert early.white.clock_ms == 2_000, "nothing is added before the clocks arrived"


def test_a_game_without_clock_shows_none() -> None:
    (view,) = GameViews("http://server").look([running("e2e4 e7e5", clock=None, speed="correspondence")], 103.0)
    assert [(side.clock_ms, side.running) for side in (view.white, view.black)] == [(None, False)] * 2


def test_games_that_are_gone_are_forgotten() -> None:
    views = GameViews("http://server")
    views.look([running("e2e4")], 0.0)
    assert len(views._positions) == 1
    views.look([], 0.0)
    assert views._positions == {}


def test_a_takeback_is_followed() -> None:
    views, loop = GameViews("http://server"), running("e2e4 e7e5 g1f3 b8c6")
    assert views.look([loop], 0.0)[0].last_move == "2... Nc6"
    assert loop.game is not None
    back = parse_game_event({"type": "gameState", "moves": "e2e4 e7e5", "wtime": 1, "btime": 1, "wtakeback": True})
    loop.game.apply(back, 0.0)
    assert views.look([loop], 0.0)[0].last_move == "1... e5"


def test_a_game_before_its_first_line_is_left_out() -> None:
    loop = cast("GameLoop", SimpleNamespace(game_id="abcdefgh", game=None, last_score=None))
    assert GameViews("http://server").look([loop], 0.0) == ()


def test_every_variant_has_a_position() -> None:
    moves = {"crazyhouse": "e2e4 d7d5 e4d5 d8d5 P@e4", "racingKings": "h2h3", "chess960": "e2e4"}
    for variant, played in moves.items():
        (view,) = GameViews("http://server").look([running(played, variant={"key": variant})], 0.0)
        assert view.ply == len(played.split())
        assert view.position["fen"]


def test_the_scores_and_the_last_search_are_shown() -> None:
    notes = SearchNotes()
    notes.answered(
        "abcdefgh", 0, Answer(chess.Move.from_uci("e2e4"), info_line="info depth 8 score cp 30 pv e2e4 e7e5")
    )
    line = "info depth 9 score mate 5 nodes 77 pv g1f3 b8c6 f1b5 a1a1"
    notes.answered("abcdefgh", 2, Answer(chess.Move.from_uci("g1f3"), info_line=line, elapsed_ms=11.0))
    (view,) = GameViews("http://server", notes).look([running("e2e4 e7e5 g1f3 b8c6")], 0.0)
    assert view.scores == ((1, PovScore(Cp(30), chess.WHITE)), (3, PovScore(Mate(5), chess.WHITE)))
    assert view.san == ("e4", "e5", "Nf3", "Nc6")
    search = view.search
    assert search is not None
    assert (search.depth, search.nodes, search.nps, search.time_ms) == (9, 77, 7000, 11.0)
    assert search.variation == "2. Nf3 Nc6 3. Bb5"


def test_the_last_search_is_told_of_the_position_it_was_made_in_however_long_the_game_is() -> None:
    moves = " ".join(("g1f3 g8f6 f3g1 f6g8 " * 70).split()[:278])
    notes = SearchNotes()
    notes.answered(
        "abcdefgh", 276, Answer(chess.Move.from_uci("e2e4"), info_line="info depth 9 score cp 30 pv e2e4 e7e5")
    )
    (view,) = GameViews("http://server", notes).look([running(moves)], 0.0)
    assert view.ply == 278
    assert view.search is not None
    assert view.search.variation == "139. e4 e5"


def test_a_search_whose_move_the_game_does_not_show_yet_is_left_out() -> None:
    notes = SearchNotes()
    notes.answered("abcdefgh", 2, Answer(chess.Move.from_uci("g1f3"), info_line="info depth 8 score cp 30"))
    (view,) = GameViews("http://server", notes).look([running("e2e4 e7e5")], 0.0)
    assert (view.scores, view.search) == ((), None)


def test_a_variation_is_short_and_legal() -> None:
    board = chess.Board()
    assert variation_text(board, ()) == ""
    assert variation_text(board, ("e2e5",)) == ""
    assert variation_text(board, ("e2e4", "e2e4", "e7e5")) == "1. e4", "it ends where a move does not fit"
    assert variation_text(board, ("e2e4", "0000", "e7e5")) == "1. e4", "a null move is none"
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 5
    assert variation_text(board, shuffle) == "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
    assert board == chess.Board()
    board.push_uci("e2e4")
    assert variation_text(board, ("e7e5", "g1f3")) == "1... e5 2. Nf3"


E4 = chess.Move.from_uci("e2e4")


def answer(info: str = "depth 9 nodes 1000 score cp 3", **fields: object) -> Answer:
    return Answer(E4, info_line=f"info {info}", elapsed_ms=250.0, **fields)  # type: ignore[arg-type]  # fields by name


def plies(notes: SearchNotes, game_id: str) -> list[int]:
    return [note.ply for note in notes.of(game_id)]


def test_a_note_tells_what_the_engine_told() -> None:
    line = "depth 14 seldepth 20 score cp -34 nodes 1000 nps 5000 pv e2e4 e7e5"
    assert note_of(4, answer(line)) == SearchedMove(4, Cp(-34), 14, 1000, 5000, 250.0, ("e2e4", "e7e5"))


def test_speed_is_reckoned_where_the_engine_does_not_tell_it() -> None:
    assert note_of(0, answer("depth 3 nodes 1000 score cp 1")).nps == 4000


@pytest.mark.parametrize(("info", "score"), [("score mate 3", Mate(3)), ("score mate -2", Mate(-2))])
def test_mates_are_kept_as_such(info: str, score: Score) -> None:
    assert note_of(0, answer(info)).score == score


def test_a_move_from_a_book_has_its_source_and_no_score() -> None:
    note = note_of(0, Answer(E4, source="book"))
    assert (note.source, note.score, note.depth) == ("book", None, None)


def test_games_are_kept_apart_and_in_order() -> None:
    notes = SearchNotes()
    for game_id, ply in (("one", 0), ("two", 1), ("one", 2), ("two", 3)):
        notes.answered(game_id, ply, answer())
    assert (plies(notes, "one"), plies(notes, "two"), plies(notes, "three")) == ([0, 2], [1, 3], [])


def test_after_a_takeback_the_later_notes_go() -> None:
    notes = SearchNotes()
    for ply in (0, 2, 4, 2):
        notes.answered("one", ply, answer())
    assert plies(notes, "one") == [0, 2]


def test_an_answer_without_a_move_is_no_note() -> None:
    notes = SearchNotes()
    notes.answered("one", 0, Answer(None, error=EngineError("dead")))
    assert plies(notes, "one") == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 2)
    notes = SearchNotes()
    for game_id in ("one", "two", "three"):
        notes.answered(game_id, 0, answer())
    assert [len(notes.of(game_id)) for game_id in ("one", "two", "three")] == [0, 1, 1]


@pytest.mark.parametrize(("info", "elapsed_ms"), [("depth 3 score cp 1", 250.0), ("depth 3 nodes 9", 0.9)])
def test_a_speed_that_cannot_be_reckoned_is_none(info: str, elapsed_ms: float) -> None:
    assert note_of(0, Answer(E4, info_line=f"info {info}", elapsed_ms=elapsed_ms)).nps is None
