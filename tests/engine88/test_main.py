"""`python -m engine88` and its commands."""

import re
import subprocess
import sys

import pytest

from engine88 import __version__
from engine88.__main__ import main
from tests.helpers.uci import DEADLINE_S, ROOT


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"engine88 {__version__}\n"


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in ("bench", "perft", "warmup", "UCI"))


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blunder"]) == 2
    assert "'blunder'" in capsys.readouterr().err


def test_bench_prints_the_line_that_openbench_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "1"]) == 0
    assert re.fullmatch(r"\d+ nodes \d+ nps", capsys.readouterr().out.splitlines()[-1])


@pytest.mark.parametrize("depth", ["0", "99999"])
def test_bench_refuses_a_depth_out_of_range(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", depth])
    assert ended.value.code == 2
    assert f"from 1 to 127, not {depth}" in capsys.readouterr().err


def test_a_compiler_without_its_parent_does_nothing() -> None:
    """The process that is named as its parent is another one, as it would be had the parent ended already."""
    done = subprocess.run(
        [sys.executable, "-m", "engine88", "warmup", "--for", "1"], cwd=ROOT, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 1
