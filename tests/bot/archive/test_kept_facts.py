"""The opening of a kept game, whether its row knows it or only its PGN."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.archive.kept_facts import opening_family
from bot.archive.kept_games import KeptGame
from tests.bot.archive.test_kept_games import record

PGN = '[WhiteElo "1900"]\n[BlackElo "2100"]\n\n1. e4 c5 2. Nf3 d6 1-0\n'


def test_the_row_is_believed_first() -> None:
    row = replace(record("a"), eco="B90", opening="Sicilian Defense: Najdorf Variation")
    game = KeptGame(row, PGN)
    assert opening_family(game) == "Sicilian Defense"


def test_of_an_older_row_the_pgn_knows_it() -> None:
    assert opening_family(KeptGame(record("a"), PGN)) == "Sicilian Defense"


@pytest.mark.parametrize("pgn", ["", '[WhiteElo "?"]\n\n1. Zz9 *\n', '[WhiteElo "1e9"]\n\n*\n'])
def test_without_either_nothing_is_known(pgn: str) -> None:
    game = KeptGame(record("a"), pgn)
    assert opening_family(game) == "unknown"


def test_the_opening_of_a_variant_is_its_name() -> None:
    assert opening_family(KeptGame(replace(record("a"), variant="atomic"), PGN)) == "atomic"
