"""The tree is the map: no import cycles, no crowded folders, and documents that name files which exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_repository import ROOT, tracked

MOST_MODULES = 18
PACKAGES = ("bot", "engine88")
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
)
#: Sentences about the past name files of the past.
HISTORY = {"docs/decisions.md", *(name for name in DOCUMENTS if name.startswith("docs/experiments/"))}


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules() -> dict[str, Path]:
    """Every module of both packages by its dotted name."""
    return {module_name(path): path for path in tracked(*PACKAGES) if path.suffix == ".py"}


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules that a file imports anywhere: at the top, inside functions, for the type checker."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (
                name if name in known else node.module for name in names if name in known or node.module in known
            )


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """The modules on a cycle or between two: what is left when the ends of the graph are taken away again and again."""
    graph = {name: set(targets) for name, targets in graph.items()}
    while free := [name for name, targets in graph.items() if not targets & graph.keys()]:
        for name in free:
            del graph[name]
    while idle := [name for name in graph if not any(name in targets for targets in graph.values())]:
        for name in idle:
            del graph[name]
    return sorted(graph)


def test_a_cycle_would_be_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["b", "c"]


def test_no_import_cycle() -> None:
    known = modules()
    graph = {name: set(imports(path, known)) - {name} for name, path in known.items()}
    assert len(graph) > 150
    assert find_cycle(graph) == []


def test_no_crowded_folder() -> None:
    folders: dict[str, int] = {}
    for path in modules().values():
        if path.name != "__init__.py":
            folder = str(path.parent.relative_to(ROOT))
            folders[folder] = folders.get(folder, 0) + 1
    assert {folder: count for folder, count in folders.items() if count > MOST_MODULES} == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_documents_name_files_that_exist(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = [link for link in re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text) if not link.startswith("/")]
    if document not in HISTORY:
        named += re.findall(r"`((?:bot|engine88|tests|docs|benchmarks|config|\.ci|\.github)/[\w./-]*)`", text)
    folder = (ROOT / document).parent
    assert [name for name in named if not ((ROOT / name).exists() or (folder / name).exists())] == []
