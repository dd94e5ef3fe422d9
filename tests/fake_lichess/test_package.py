"""The distribution `fake-lichess`, built from this tree and used without bot88."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = """
import bot

def test_a_game(fake_lichess):
    game_id = fake_lichess.start_game("Alice", "Random", clock=(60, 0))
    fake_lichess.player("Alice", game_id).move("e2e4")
    assert len(fake_lichess.wait_for_moves(game_id, 2).moves) == 2
    assert bot.NAME == "mine"
"""
USES_EVERYTHING = """
import sys
from fake_lichess import cli, testing
from fake_lichess.faults.fault_plan import load_plan
from fake_lichess.openings import find_opening
print(find_opening("standard", "startpos", ["e2e4", "c7c5"]).name)
print(len(load_plan("storm").rules) > 20, "silence" in cli.scenario_names())
print({"bot", "berserk", "numba", "numpy", "requests"} & set(sys.modules))
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and, from this one, what it depends on; without bot88."""
    pytest.importorskip("setuptools", minversion="77", reason="needs setuptools 77 to build the wheel")
    folder = tmp_path_factory.mktemp("package")
    run(ROOT / ".ci" / "stage", "fake-lichess", folder / "source")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("-q", "--no-deps", "--no-index")
    run(*pip, "wheel", *offline, "--no-build-isolation", "-w", folder, folder / "source")
    venv.create(folder / "env", with_pip=False)
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    installed = [path for path in sys.path if path.endswith("site-packages")]
    # folders named in a .pth file are searched, but bot88's own .pth files in them are not read
    (site / "dependencies.pth").write_text("\n".join(installed), encoding="utf-8")
    run(*pip, "--python", folder / "env/bin/python", "install", *offline, *folder.glob("*.whl"))
    return folder / "env" / "bin"


@pytest.mark.slow
def test_a_test_beside_a_module_named_bot_has_a_server(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text('NAME = "mine"\n', encoding="utf-8")
    (tmp_path / "test_example.py").write_text(EXAMPLE, encoding="utf-8")
    pytest_alone = (environment / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null")
    assert "1 passed" in run(*pytest_alone, "--rootdir", tmp_path, tmp_path / "test_example.py", cwd=tmp_path)


@pytest.mark.slow
def test_the_wheel_has_its_data_and_needs_nothing_of_bot88(environment: Path, tmp_path: Path) -> None:
    assert "--scenario" in run(environment / "fake-lichess", "--help", cwd=tmp_path)
    told = run(environment / "python", "-c", USES_EVERYTHING, cwd=tmp_path)
    assert told.splitlines() == ["Sicilian Defense", "True True", "set()"]
