"""Wheels with kernels: `.ci/add-kernels` makes them of pure ones, and the engine in them compiles nothing."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import numba
import pytest

from engine88.compiler.target import has_portable_level

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" or not has_portable_level(), reason="no wheel is made for this machine"),
]


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ENGINE88_")}
    return subprocess.run(
        command, env=inherited | environment, cwd="/", capture_output=True, text=True, timeout=1500, check=True
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the engine alone with its kernels, which takes a minute of processor time to compile."""
    folder = tmp_path_factory.mktemp("wheel")
    run(ROOT / ".ci" / "stage", "engine88", folder / "source")
    build = ("wheel", "-q", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder / "pure"))
    run(sys.executable, "-m", "pip", *build, folder / "source")
    (pure,) = (folder / "pure").iterdir()
    run(ROOT / ".ci" / "add-kernels", sys.executable, pure, folder / "made")
    (made,) = (folder / "made").iterdir()
    return made


@pytest.fixture
def site(wheel: Path, tmp_path: Path) -> Path:
    """A folder with the wheel's content, as if installed."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.timeout(1800)
def test_a_wheel_is_for_one_python_one_numba_and_one_kind_of_machine(wheel: Path, site: Path) -> None:
    python_tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.split("-")[2:4] == [python_tag, python_tag]
    assert wheel.stem.endswith(f"_{platform.machine()}")
    (metadata,) = site.glob("*.dist-info/METADATA")
    assert f"Requires-Dist: numba=={numba.__version__}\n" in metadata.read_text(encoding="utf-8")
    (about,) = site.glob("*.dist-info/WHEEL")
    assert "Root-Is-Purelib: false\n" in about.read_text(encoding="utf-8")


@pytest.mark.timeout(1800)
def test_an_engine_from_a_wheel_compiles_and_writes_nothing(site: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    bench = run(
        sys.executable, "-P", "-m", "engine88", "bench", "3", PYTHONPATH=str(site), ENGINE88_CACHE_DIR=str(cache)
    )
    assert bench.stderr == ""
    assert " nps" in bench.stdout
    assert not cache.exists()


@pytest.mark.timeout(1800)
def test_a_changed_source_does_without_the_kernels_of_the_wheel(site: Path) -> None:
    with (site / "engine88" / "search" / "params.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    code = "from engine88.compiler.kernel_cache import shipped_misfit; print(shipped_misfit())"
    shown = run(sys.executable, "-P", "-c", code, PYTHONPATH=str(site))
    assert shown.stdout == "the sources of the engine were changed\n"
