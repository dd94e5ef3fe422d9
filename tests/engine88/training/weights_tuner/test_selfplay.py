"""Self-play: labels from White's side, quiet positions only, the same seed gives the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine88.rules.fen import START_FEN
from engine88.rules.position import Position
from engine88.training.weights_tuner.dataset import read_positions
from engine88.training.weights_tuner.selfplay import DECIDED_PLIES, LEVEL_FROM_PLY, GameRecord, play_games


def test_games_are_decided_when_the_scores_leave_no_doubt() -> None:
    assert GameRecord(white_scores=[1500] * (DECIDED_PLIES - 1)).adjudicated() is None
    assert GameRecord(white_scores=[0, *[1500] * DECIDED_PLIES]).adjudicated() == 1.0
    assert GameRecord(white_scores=[-1500] * DECIDED_PLIES).adjudicated() == 0.0
    assert GameRecord(white_scores=[0] * (LEVEL_FROM_PLY - 1)).adjudicated() is None
    assert GameRecord(white_scores=[0] * LEVEL_FROM_PLY).adjudicated() == 0.5


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selfplay")
    book, out = folder / "book.epd", folder / "positions.txt"
    book.write_text(START_FEN + "\n", encoding="utf-8")
    play_games(book, out, games=2, nodes=150, random_plies=4, seed=5)
    return out


def test_positions_are_labelled_and_quiet(played: Path) -> None:
    positions = list(read_positions(played))
    assert len(positions) > 10
    for labelled in positions:
        assert labelled.result in (0.0, 0.5, 1.0)
        assert not Position.from_fen(labelled.fen).is_check()


def test_the_same_seed_plays_the_same_games(played: Path, tmp_path: Path) -> None:
    again = tmp_path / "positions.txt"
    play_games(played.parent / "book.epd", again, games=2, nodes=150, random_plies=4, seed=5)
    assert again.read_text(encoding="utf-8") == played.read_text(encoding="utf-8")
