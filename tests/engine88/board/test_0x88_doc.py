"""Every example of docs/0x88.md runs and says what the text says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "0x88.md"


@pytest.mark.slow
def test_every_example_of_the_document() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, DOCUMENT.name, str(DOCUMENT), 0)
    output: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=output.append)
    assert results.failed == 0, "".join(output)
    assert results.attempted > 30
