"""Every test that a document names exists."""

from __future__ import annotations

import ast
import functools
import re

import pytest

from tests.test_house import ROOT

NAMED = sorted(
    {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / "docs").glob("*.md")
        for name in re.findall(r"`(tests/[^`\s]+\.py(?:::\w+)?)`", path.read_text(encoding="utf-8"))
    }
)


@functools.cache
def functions_of(path: str) -> frozenset[str]:
    """The functions of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_documents_name_tests() -> None:
    assert {"docs/features.md", "docs/reliability.md"} <= {document for document, _name in NAMED}


@pytest.mark.parametrize(("document", "name"), NAMED)
def test_the_named_test_exists(document: str, name: str) -> None:
    path, _, function = name.partition("::")
    assert (ROOT / path).is_file(), f"{document} names {path}"
    assert not function or function in functions_of(path), f"{document} names {name}"
