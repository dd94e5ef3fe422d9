"""Two settings of the time manager meet on a clock that counts nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine88.board.defs import WHITE
from engine88.control.time_manager import SHIPPED
from engine88.rules.position import Position
from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tuning.clock_games import (
    NODES_PER_MS,
    ClockGameSettings,
    ClockPairPlayer,
    _player,
    play_clock_task,
)
from engine88.training.tuning.tuning_games import RULES, PairTask
from tests.engine88.games import compiled_only

NAMES = ("TIME_SOFT_SHARE", "TIME_HARD_FACTOR")
START = (round(1000 * SHIPPED.soft_share), round(1000 * SHIPPED.hard_factor))
FEN = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def player(base: int = 4000, increment: int = 200, plies: int = 4) -> ClockPairPlayer:
    return ClockPairPlayer(ClockGameSettings(NAMES, base, increment, RULES._replace(most_plies=plies)), SharedNetwork())


def test_equal_settings_share_the_points() -> None:
    settings = ClockGameSettings(NAMES, 4000, 200, RULES._replace(most_plies=4))
    assert play_clock_task(settings, SharedNetwork(), PairTask(FEN, START, START)) == 2
    assert _player(settings, SharedNetwork()) is _player(settings, SharedNetwork())  # made once for all pairs


def test_a_mate_is_a_win_for_both_who_give_it() -> None:
    """White mates in both games: a point for each setting."""
    assert player().play(PairTask("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", START, START)) == 2
    one = player()
    assert one._game("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", SHIPPED, SHIPPED) == 2
    assert one._game("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", SHIPPED, SHIPPED) == 0
    assert one._game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", SHIPPED, SHIPPED) == 1


def test_a_drawn_position_is_a_draw_at_once() -> None:
    one = player()
    assert one._game("4k3/8/8/8/8/8/8/4K3 w - - 0 1", SHIPPED, SHIPPED) == 1
    assert one._sides[0].searcher.nodes == 0


def test_the_clock_pays_for_the_nodes_and_gets_its_increment() -> None:
    one = player(plies=1)
    one._game(FEN, SHIPPED, SHIPPED)
    white, black = one._sides
    assert white.searcher.nodes > 0
    assert white.left_ms == pytest.approx((4000 + 200 - white.searcher.nodes) / NODES_PER_MS)
    assert black.left_ms == 4000 / NODES_PER_MS


def test_a_fallen_flag_loses() -> None:
    """One node is on the clock, and even the least search takes more."""
    one = player(base=1, increment=0)
    assert one._game(FEN, SHIPPED, SHIPPED) == 0
    assert one._game(FEN.replace(" w ", " b "), SHIPPED, SHIPPED) == 2
    assert Position.from_fen(FEN).side == WHITE


@compiled_only("it plays on a clock")
def test_a_setting_that_hurries_thinks_less() -> None:
    one = player(base=200_000, increment=0, plies=1)
    used = []
    for share in (0.005, 0.2):
        one._game(FEN, replace(SHIPPED, soft_share=share), SHIPPED)
        used.append(one._sides[0].searcher.nodes)
    assert used[0] < used[1]
