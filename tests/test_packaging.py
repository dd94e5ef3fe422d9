"""What describes the package in more than one place says the same in all of them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine88

ROOT = Path(__file__).parents[1]
MANIFEST = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
IMPORT_ALL = """
import importlib, pkgutil, sys
sys.modules["bot"] = None  # importing it fails
import fake_lichess
for module in pkgutil.walk_packages(fake_lichess.__path__, "fake_lichess."):
    if not module.name.endswith(".__main__"):
        importlib.import_module(module.name)
"""


def project() -> dict[str, Any]:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = document["project"]
    return table


def test_the_citation_is_complete() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what the format requires
    assert citation["license"] == project()["license"]


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of the distribution fake-lichess."""
    folder = tmp_path_factory.mktemp("staged")
    subprocess.run([ROOT / ".ci" / "stage", "fake-lichess", folder], check=True)
    return folder


def test_the_version_stands_in_one_place(staged: Path) -> None:
    assert (staged / "VERSION").read_text(encoding="utf-8").strip() == engine88.__version__
    for table in (ROOT / "pyproject.toml", ROOT / ".ci" / "engine88" / "pyproject.toml"):
        dynamic = tomllib.loads(table.read_text(encoding="utf-8"))["tool"]["setuptools"]["dynamic"]
        assert dynamic["version"] == {"attr": "engine88.__version__"}


def test_release_notes_are_the_changelogs_section() -> None:
    command = [str(ROOT / ".ci" / "release-notes"), engine88.__version__]
    notes = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "### Added" in notes
    assert "\n## " not in notes


def test_release_notes_of_a_version_without_a_section_are_refused() -> None:
    done = subprocess.run([ROOT / ".ci" / "release-notes", "0.0.7"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no section [0.0.7]" in done.stderr


def part(name: str) -> dict[str, Any]:
    """The pyproject.toml of a distribution that is made from a part of the tree."""
    return tomllib.loads((ROOT / ".ci" / name / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "needs", "scripts"),
    [
        ("engine88", {"numba", "numpy"}, {"engine88": "engine88.__main__:main"}),
        (
            "fake-lichess",
            {"chess", "pydantic", "PyYAML", "starlette", "uvicorn"},
            {"fake-lichess": "fake_lichess.cli:main"},
        ),
    ],
)
def test_a_part_alone_needs_what_it_uses_only(name: str, needs: set[str], scripts: dict[str, str]) -> None:
    whole, alone = project(), part(name)["project"]
    for field in ("dynamic", "license", "requires-python"):
        assert alone[field] == whole[field]
    assert set(alone["dependencies"]) == {line for line in whole["dependencies"] if re.split("[>=]", line)[0] in needs}
    assert alone["scripts"] == scripts


def test_the_parts_alone_package_all_their_files(staged: Path) -> None:
    whole = project_tool()["package-data"]
    assert part("engine88")["tool"]["setuptools"]["package-data"]["engine88"] == whole["engine88"]
    patterns = part("fake-lichess")["tool"]["setuptools"]["package-data"]["fake_lichess"]
    package = staged / "fake_lichess"
    assert data_files(package) - {path for pattern in patterns for path in package.glob(pattern)} == set()


def test_the_fake_alone_imports_nothing_of_the_bot(staged: Path) -> None:
    """Modules are imported in another process, imports inside functions are found in the text."""
    sources = {path: path.read_text(encoding="utf-8") for path in (staged / "fake_lichess").rglob("*.py")}
    of_the_bot = re.compile(r"^\s*(from|import) bot\b", re.MULTILINE)
    assert [path for path, text in sources.items() if of_the_bot.search(text)] == []
    command = [sys.executable, "-P", "-B", "-c", IMPORT_ALL]
    environment = {"PYTHONPATH": str(staged)}
    done = subprocess.run(command, cwd=staged, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_source_distribution_holds_everything_that_is_tracked() -> None:
    """What MANIFEST.in does not name, and setuptools does not take automatically, is missing from it."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode != 0:
        pytest.skip("not in a clone")
    grafted = set(re.findall(r"^graft (\S+)", MANIFEST, re.MULTILINE))
    included = {name for line in re.findall(r"^include (.+)", MANIFEST, re.MULTILINE) for name in line.split()}
    by_itself = {"LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "bot", "engine88"}
    tops = {path.split("/")[0] for path in tracked.stdout.splitlines()}
    assert tops - grafted - included - by_itself == set()


def test_what_is_packaged_are_files_and_no_links() -> None:
    """A link leads out of the package, and in the image to nothing: `bot88 offline` found no configuration there."""
    links = [path for package in ("bot", "engine88") for path in (ROOT / package).rglob("*") if path.is_symlink()]
    assert links == []


def test_the_packaged_configuration_is_the_one_in_config() -> None:
    assert (ROOT / "bot/offline/offline.yml").read_bytes() == (ROOT / "config/offline.yml").read_bytes()


def project_tool() -> dict[str, Any]:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = document["tool"]["setuptools"]
    return table


def data_files(package: Path) -> set[Path]:
    return {path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}


@pytest.mark.parametrize("package", ["bot", "engine88"])
def test_every_file_of_the_packages_that_is_no_module_is_packaged(package: str) -> None:
    """A data file that no pattern names works from a clone and is missing from the wheel."""
    packaged = {path for pattern in project_tool()["package-data"][package] for path in (ROOT / package).glob(pattern)}
    assert data_files(ROOT / package) - packaged == set()
