"""What describes the package in more than one place says the same in all of them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml

import engine88

ROOT = Path(__file__).parents[1]


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


def test_what_is_packaged_are_files_and_no_links() -> None:
    """A link leads out of the package, and in the image to nothing: `bot88 offline` found no configuration there."""
    links = [path for package in ("bot", "engine88") for path in (ROOT / package).rglob("*") if path.is_symlink()]
    assert links == []


def test_the_packaged_configurations_are_those_in_config() -> None:
    for packaged, shown in (("app/bot88.yml", "bot88.yml"), ("offline/offline.yml", "offline.yml")):
        assert (ROOT / "bot" / packaged).read_bytes() == (ROOT / "config" / shown).read_bytes()
