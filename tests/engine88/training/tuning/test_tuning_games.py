"""Two settings of the search meet in one process; the one with the same numbers is neither better nor worse."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tuning.tuning_games import PairPlayer, TuningSettings

PROGRAM = """
from engine88.compiler.tunable import tunables
from engine88.search.params import PROBCUT_MARGIN
from engine88.training.selfplay.player import SharedNetwork
from engine88.training.tuning import tuning_games
from engine88.training.tuning.tuning_games import RULES, TuningSettings, PairTask, PairPlayer, _player, play_pair_task

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"
settings = TuningSettings(("PROBCUT_MARGIN", "LMR_BASE"), RULES._replace(soft_nodes=40, hard_nodes=80, most_plies=8))
START = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"
real = tuning_games.deepen

def by_number(board, memory, soft, hard):
    # who has the larger PROBCUT_MARGIN sees itself far ahead
    move, _ = real(board, memory, soft, hard)
    return move, 2000 if tunables().values[tunables().names.index("PROBCUT_MARGIN")] == 180 else -2000

print(play_pair_task(settings, SharedNetwork(), PairTask(MATE_IN_ONE, (180, 800), (180, 800))))
player = PairPlayer(settings, SharedNetwork())
print(player.play(PairTask(MATE_IN_ONE, (180, 800), (10, 100))))
table = tunables()
print(table.values[table.names.index("PROBCUT_MARGIN")] == PROBCUT_MARGIN)
print(player._game("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", (180, 800), (180, 800)))
tuning_games.deepen = by_number
print(player.play(PairTask(START, (180, 800), (10, 800))), player.play(PairTask(START, (10, 800), (180, 800))))
print(_player(settings, SharedNetwork()) is _player(settings, SharedNetwork()))
"""


@pytest.mark.slow
def test_points_go_to_the_better_setting_and_the_numbers_are_put_back() -> None:
    root = Path(__file__).parents[4]
    environment = {
        **os.environ,
        "ENGINE88_TUNABLE": "engine88.search.params",
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(root),
    }
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["2", "2", "True", "2", "4", "0", "True"]


def test_an_ordinary_process_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"ENGINE88_TUNABLE=engine88\.search\.params"):
        PairPlayer(TuningSettings(("PROBCUT_MARGIN",)), SharedNetwork())
