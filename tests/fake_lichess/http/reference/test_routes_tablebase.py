"""The tablebase with Syzygy tables of one's own."""

from __future__ import annotations

import chess
import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.config import ConfigError
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client
from tests.helpers.shared import shared_data


@pytest.fixture
def anyone(make_fake: MakeFake, connect: Connect) -> Client:
    """A client of a server with tables of three and four pieces."""
    return connect(make_fake(syzygy=(str(shared_data("syzygy3-4")),)), None)


@pytest.mark.parametrize(
    ("fen", "category", "best"),
    [
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "draw", "draw"),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", "draw", "draw"),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "win", "loss"),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "loss", "win"),
    ],
)
def test_results_and_moves_come_from_the_tables(anyone: Client, fen: str, category: str, best: str) -> None:
    found = anyone.get(f"/standard?fen={fen}").json()
    assert (found["category"], found["moves"][0]["category"]) == (category, best)
    assert len(found["moves"]) == chess.Board(fen).legal_moves.count()
    order = ["loss", "blessed-loss", "draw", "cursed-win", "win"]
    ranks = [order.index(move["category"]) for move in found["moves"]]
    assert ranks == sorted(ranks), "what is worst for the opponent comes first"


def test_mate_comes_before_every_other_win(anyone: Client) -> None:
    found = anyone.get("/standard?fen=7k/5K2/6Q1/8/8/8/8/8 w - - 0 1").json()
    assert found["moves"][0]["checkmate"] is True
    assert found["category"] == "win"


def test_the_slowest_loss_comes_first(anyone: Client) -> None:
    found = anyone.get("/standard?fen=8/8/8/3k4/8/8/1Q6/1K6 b - - 0 1").json()
    distances = [move["dtz"] for move in found["moves"]]
    assert distances == sorted(distances, reverse=True)


def test_without_a_table_nothing_is_known(anyone: Client, fake: FakeLichess, connect: Connect) -> None:
    five = "/standard?fen=8/8/8/3k4/8/8/1QRR4/1K6 b - - 0 1"
    assert {move["category"] for move in anyone.get(five).json()["moves"]} == {"unknown"}
    three = connect(fake, None).get("/standard?fen=4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").json()
    assert (three["category"], three["dtz"]) == ("unknown", None)


def test_a_missing_folder_is_told_at_the_start(make_fake: MakeFake) -> None:
    with pytest.raises(ConfigError, match="syzygy: 'nowhere' is not a folder"):
        make_fake(syzygy=("nowhere",))
