"""Notes of searches: cheap to take, bounded, and true after takebacks."""

from __future__ import annotations

import chess
import pytest
from chess.engine import Cp, Mate, Score

from bot.dashboard import search_notes as module
from bot.dashboard.search_notes import SearchNotes, SearchResult, note_of
from bot.engine_pool import Answer
from bot.errors import EngineError

E4 = chess.Move.from_uci("e2e4")


def answer(info: str = "depth 9 nodes 1000 score cp 3", **fields: object) -> Answer:
    return Answer(E4, info_line=f"info {info}", elapsed_ms=250.0, **fields)  # type: ignore[arg-type]  # fields by name


def plies(notes: SearchNotes, game_id: str) -> list[int]:
    return [note.ply for note in notes.of(game_id)]


def test_a_note_tells_what_the_engine_told() -> None:
    line = "depth 14 seldepth 20 score cp -34 nodes 1000 nps 5000 pv e2e4 e7e5"
    assert note_of(4, answer(line)) == SearchResult(4, Cp(-34), 14, 1000, 5000, 250.0, ("e2e4", "e7e5"))


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
    for number in range(module.MOST_UNREAD + 5):
        notes.answered("unread", number, answer())
    assert plies(notes, "unread")[0] == 5
    for game_id in ("two", "three"):
        notes.answered(game_id, 0, answer())
    assert [len(notes.of(game_id)) for game_id in ("unread", "two", "three")] == [0, 1, 1]


@pytest.mark.parametrize(("info", "elapsed_ms"), [("depth 3 score cp 1", 250.0), ("depth 3 nodes 9", 0.9)])
def test_a_speed_that_cannot_be_reckoned_is_none(info: str, elapsed_ms: float) -> None:
    assert note_of(0, Answer(E4, info_line=f"info {info}", elapsed_ms=elapsed_ms)).nps is None
