"""The words of the answers."""

from __future__ import annotations

import chess
import pytest

from bot.engine_pool import Answer
from bot.play.chat import commands as answers
from bot.play.chat.commands import AccountFacts, MoveNote, MoveNotes, Results

E4 = chess.Move.from_uci("e2e4")


def notes_of(*given: Answer) -> MoveNotes:
    """Notes of moves that were all 1.e4."""
    notes = MoveNotes()
    for answer in given:
        notes.add(MoveNote(chess.Board(), "e2e4", answer))
    return notes


SEARCHED = Answer(E4, info_line="info depth 18 score cp 31 pv e2e4 e7e5", engine="engine88")
MATE = Answer(E4, info_line="info depth 30 score mate 3", engine="engine88")
BOOK = Answer(E4, source="book main.bin")
TABLE = Answer(E4, source="syzygy", wdl=2)
SILENT = Answer(E4, engine="silent")  # an engine that tells no score


@pytest.mark.parametrize(
    ("given", "evaluation", "line", "book"),
    [
        ((), "No evaluation yet.", "No variation yet.", "No move of mine came from a book or a table."),
        (
            (SEARCHED,),
            "+0.31 for me with 1.e4, depth 18.",
            "I expect 1. e4 e5",
            "No move of mine came from a book or a table.",
        ),
        (
            (BOOK, SEARCHED),
            "+0.31 for me with 1.e4, depth 18.",
            "I expect 1. e4 e5",
            "1 move without a search (1 book); the latest was 1.e4 (book).",
        ),
        (
            (BOOK, BOOK, MATE, TABLE),
            "#3 for me with 1.e4, depth 30.",
            "No variation yet.",
            "3 moves without a search (2 book, 1 syzygy); the latest was 1.e4 (syzygy).",
        ),
        (
            (SILENT,),
            "No evaluation yet.",
            "No variation yet.",
            "No move of mine came from a book or a table.",
        ),
    ],
)
def test_what_is_told_of_the_moves(given: tuple[Answer, ...], evaluation: str, line: str, book: str) -> None:
    notes = notes_of(*given)
    assert answers.eval_text(notes) == evaluation
    assert answers.pv_text(notes) == line
    assert answers.book_text(notes) == book


def test_the_queue_is_told_in_short() -> None:
    assert answers.queue_text(AccountFacts()) == "Nobody is waiting for a game."
    assert answers.queue_text(AccountFacts(waiting=lambda: ("Bob", "Cy"))) == "Waiting for a game: Bob, Cy."
    five = AccountFacts(waiting=lambda: tuple("abcde"))
    assert answers.queue_text(five) == "Waiting for a game: a, b, c, d, e."
    many = AccountFacts(waiting=lambda: tuple("abcdefgh"))
    assert answers.queue_text(many) == "Waiting for a game: a, b, c, d, e and 3 more."


def test_the_results_with_this_opponent_are_told() -> None:
    facts = AccountFacts(results=lambda user: Results(5, 3, 2) if user == "bob" else Results())
    assert answers.stats_text(facts, "bob", "Bob") == "10 games with Bob: 5 won by me, 3 drawn, 2 lost."
    assert answers.stats_text(facts, "cy", "Cy") == "This is my first game with Cy."
    assert answers.stats_text(facts, "", "Anonymous") == "I keep no statistics of these games."
    assert answers.stats_text(AccountFacts(), "bob", "Bob") == "I keep no statistics of these games."
    one = AccountFacts(results=lambda _user: Results(lost=1))
    assert answers.stats_text(one, "bob", "Bob") == "1 game with Bob: 0 won by me, 0 drawn, 1 lost."
