"""What describes the package in more than one place says the same in all of them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine88

ROOT = Path(__file__).parents[1]
MANIFEST = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = document["project"]
    return table


def test_the_citation_is_of_this_version_and_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)  # what the format requires
    assert (citation["version"], citation["license"]) == (project()["version"], project()["license"])


def test_engine_and_image_have_the_version_of_the_package() -> None:
    assert engine88.__version__ == project()["version"]
    assert f"ARG VERSION={project()['version']}\n" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def engine_project() -> dict[str, Any]:
    document = tomllib.loads((ROOT / ".ci" / "engine88" / "pyproject.toml").read_text(encoding="utf-8"))
    table: dict[str, Any] = document["project"]
    return table


def test_the_engine_alone_is_the_same_version_and_needs_numba_and_numpy_only() -> None:
    whole, alone = project(), engine_project()
    assert (alone["version"], alone["license"], alone["requires-python"]) == (
        whole["version"],
        whole["license"],
        whole["requires-python"],
    )
    assert sorted(alone["dependencies"]) == sorted(
        line for line in whole["dependencies"] if re.match(r"(numba|numpy)\b", line)
    )
    assert alone["scripts"] == {"engine88": whole["scripts"]["engine88"]}


def test_the_engine_alone_packages_the_same_files() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    alone = tomllib.loads((ROOT / ".ci" / "engine88" / "pyproject.toml").read_text(encoding="utf-8"))
    assert alone["tool"]["setuptools"]["package-data"]["engine88"] == whole["package-data"]["engine88"]


def test_the_source_distribution_holds_everything_that_is_tracked() -> None:
    """What MANIFEST.in does not name, and setuptools does not take by itself, is missing from it."""
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


def test_every_file_of_the_packages_that_is_no_module_is_packaged() -> None:
    """A data file that no pattern names works from a clone and is missing from the wheel."""
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    for package in ("bot", "engine88"):
        packaged = {path for pattern in setup["package-data"][package] for path in (ROOT / package).glob(pattern)}
        data = {path for path in (ROOT / package).rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
        assert data - packaged == set()
