"""FEN: what GUIs send is read, the rest is refused by the name of its field, and nothing crashes."""

from __future__ import annotations

import random
from typing import Any

import chess
import pytest
from hypothesis import given

from engine88.rules.fen import START_FEN, FenError
from engine88.rules.position import Position
from tests.engine88.games import PLAIN_PYTHON, TRAPS, choices, starts, tried, walk

REFUSED = {
    "no white king": ("4k3/8/8/8/8/8/8/8 w - - 0 1", "placement"),
    "no black king": ("8/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "two white kings": ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "placement"),
    "a pawn on rank 8": ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a pawn on rank 1": ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "placement"),
    "nine pawns": ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "placement"),
    "seventeen pieces": ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "placement"),
    "seven ranks": ("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "nine ranks": ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a rank too long": ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a rank too short": ("4k2/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "two digits in a row": ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a letter that is not a piece": ("4k3/7x/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a digit nine": ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "a digit of another script": ("4k3/٨/8/8/8/8/8/4K3 w - - 0 1", "placement"),
    "no such side": ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
    "the side not to move in check": ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side to move"),
    "kings side by side": ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "side to move"),
    "castling without a rook": ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling"),
    "castling with the enemy's rook": ("4k3/8/8/8/8/8/8/4K2r b K - 0 1", "castling"),
    "castling with a king that walked": ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "castling"),
    "castling rights twice": ("4k3/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling"),
    "one right in two notations": ("4k3/8/8/8/8/8/8/R3K2R w KH - 0 1", "castling"),
    "castling letters that mean nothing": ("4k3/8/8/8/8/8/8/R3K2R w XY - 0 1", "castling"),
    "en passant off the board": ("4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "en passant"),
    "en passant on a wrong rank": ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "en passant"),
    "en passant for the wrong side": ("4k3/8/8/8/3Pp3/8/8/4K3 w - d3 0 1", "en passant"),
    "en passant without a pawn": ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en passant"),
    "en passant through a piece": ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"),
    "a negative clock": ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock"),
    "a clock in words": ("4k3/8/8/8/8/8/8/4K3 w - - one 1", "halfmove clock"),
    "an endless move number": ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "move number"),
    "nothing": ("", "fields"),
    "only pieces": ("4k3/8/8/8/8/8/8/4K3", "fields"),
    "too many fields": ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "fields"),
}


@pytest.mark.parametrize(("fen", "field"), REFUSED.values(), ids=REFUSED.keys())
def test_an_impossible_fen_is_refused_by_the_name_of_its_field(fen: str, field: str) -> None:
    with pytest.raises(FenError, match=f"bad FEN, {field}: ") as caught:
        Position.from_fen(fen)
    assert caught.value.field == field


READ = {
    "missing counters": ("4k3/8/8/8/8/8/8/4K2R b K -", "4k3/8/8/8/8/8/8/4K2R b K - 0 1"),
    "a missing move number": ("4k3/8/8/8/8/8/8/4K2R b K - 7", "4k3/8/8/8/8/8/8/4K2R b K - 7 1"),
    "move number zero": ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    "white space around": ("  4k3/8/8/8/8/8/8/4K3  w - -  0 1\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    "rights in another order": ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    "en passant that no pawn can use": (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    "en passant by a pinned pawn": ("4k3/8/8/1K1pP2r/8/8/8/8 w - d6 0 1", "4k3/8/8/1K1pP2r/8/8/8/8 w - - 0 1"),
    "the word startpos": ("startpos", START_FEN),
}


@pytest.mark.parametrize(("fen", "written"), READ.values(), ids=READ.keys())
def test_what_guis_send_is_read(fen: str, written: str) -> None:
    assert Position.from_fen(fen).fen() == written


EXACT = {
    "X-FEN, the outer rook": "1rk2r1r/8/8/8/8/8/8/1RK2R1R w KQkq - 0 1",
    "X-FEN, the inner rook": "1rk2r1r/8/8/8/8/8/8/1RK2R1R w FQfq - 0 1",
    "Shredder-FEN": "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "Shredder-FEN of the standard squares": "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    "one right of each side": "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    "en passant that counts": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "a high clock": "4k3/8/8/8/8/8/8/4K2R w - - 149 300",
}


@pytest.mark.parametrize("fen", [*EXACT.values(), *TRAPS], ids=[*EXACT.keys(), *map(str, range(len(TRAPS)))])
def test_round_trip_is_exact(fen: str) -> None:
    position = Position.from_fen(fen, chess960=chess.Board(fen, chess960=True).has_chess960_castling_rights())
    assert position.fen() == fen
    assert Position.from_fen(position.fen(), position.chess960).key == position.key


def test_rights_that_only_chess960_knows_turn_its_notation_on() -> None:
    assert Position.from_fen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1").chess960
    assert not Position.from_fen("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1").chess960


@tried(30)
@given(starts(), choices)
def test_a_position_read_from_its_own_fen_has_the_same_key_and_moves(start: Any, numbers: list[int]) -> None:
    for position, _ in walk(start, numbers):
        again = Position.from_fen(position.fen(), position.chess960)
        assert again.key == position.key
        assert again.fen() == position.fen()
        assert sorted(again.legal_codes()) == sorted(position.legal_codes())


def mutate(generator: random.Random, fen: str) -> str:
    """A FEN with a few characters changed, dropped, doubled or swapped."""
    letters = list(fen)
    for _ in range(generator.randint(1, 4)):
        place = generator.randrange(len(letters))
        other = generator.randrange(len(letters))
        kind = generator.randrange(5)
        if kind == 0:
            letters[place] = generator.choice("pnbrqkPNBRQK12345678/ wb-acfhACFH0369\x00é٣")
        elif kind == 1 and len(letters) > 1:
            del letters[place]
        elif kind == 2:
            letters.insert(place, letters[other])
        else:
            letters[place], letters[other] = letters[other], letters[place]
    return "".join(letters)


def test_ten_thousand_mutated_fens_give_a_position_or_a_fen_error() -> None:
    generator = random.Random(88)
    sources = [*EXACT.values(), *TRAPS, START_FEN]
    count, read = 500 if PLAIN_PYTHON else 10_000, 0
    for _ in range(count):
        fen = mutate(generator, generator.choice(sources))
        try:
            position = Position.from_fen(fen)
        except FenError:
            continue
        read += 1
        assert Position.from_fen(position.fen(), position.chess960).fen() == position.fen()
        assert len(position.legal_moves()) == position.perft(1)
    assert count // 100 < read < count
