"""Two settings of the search meet in one process; whoever has the same numbers is neither better nor worse."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine88.training.selfplay.shared_network import SharedNetwork
from engine88.training.spsa.tuning_games import PairPlayer, TuningSettings

PROGRAM = """
from engine88.compiler.tunable import tunables
from engine88.search.params import RAZOR_BASE
from engine88.training.selfplay.shared_network import SharedNetwork
from engine88.training.spsa.tuning_games import RULES, TuningSettings, PairTask, PairPlayer, _player, play_pair_task

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"
settings = TuningSettings(("RAZOR_BASE", "LMR_BASE"), RULES._replace(soft_nodes=40, hard_nodes=80, most_plies=8))
print(play_pair_task(settings, SharedNetwork(), PairTask(MATE_IN_ONE, (180, 800), (180, 800))))
player = PairPlayer(settings, SharedNetwork())
print(player.play(PairTask(MATE_IN_ONE, (180, 800), (10, 100))))
table = tunables()
print(table.values[table.names.index("RAZOR_BASE")] == RAZOR_BASE)
print(_player(settings, SharedNetwork()) is _player(settings, SharedNetwork()))
"""


def test_equal_settings_share_the_points_and_the_numbers_are_put_back() -> None:
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
    assert done.stdout.split() == ["2", "2", "True", "True"]


def test_an_ordinary_process_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"ENGINE88_TUNABLE=engine88\.search\.params"):
        PairPlayer(TuningSettings(("RAZOR_BASE",)), SharedNetwork())
