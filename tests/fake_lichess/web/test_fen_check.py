"""Reasons for a wrong FEN."""

from __future__ import annotations

import chess
import chess.variant
import pytest
import requests

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.web.fen_check import fen_fault
from tests.helpers.fake import fake

__all__ = ["fake"]  # a fixture


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("", "Enter a position as FEN."),
        ("nonsense", "This is not a position: "),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "No game can begin here: the board is empty."),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "No game can begin here: Black has no king."),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "No game can begin here: a pawn is on the first or last rank."),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "No game can begin here: the side that is not to move is in check."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "No game can begin here: the side to move has no move."),
    ],
)
def test_what_is_wrong(fen: str, words: str) -> None:
    assert (fen_fault("fromPosition", fen) or "").startswith(words)


def test_what_is_right() -> None:
    assert fen_fault("fromPosition", chess.STARTING_FEN) is None
    assert fen_fault("horde", chess.variant.HordeBoard.starting_fen) is None
    assert fen_fault("poker", chess.STARTING_FEN) == "There is no variant 'poker'."


def test_the_page_asks_over_http(fake: FakeLichess) -> None:
    body = {"variant": "fromPosition", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}
    answer = requests.post(f"{fake.url}/web/fen", json=body, timeout=60)
    assert answer.json() == {"fault": "No game can begin here: the board is empty."}
    assert requests.post(f"{fake.url}/web/fen", json={"fen": chess.STARTING_FEN}, timeout=60).json() == {"fault": None}
