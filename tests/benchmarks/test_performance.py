"""The command that measures the table of docs/performance.md."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import performance
from benchmarks.performance import BEGIN, DOCUMENT, END, NotMeasuredError, Row, measure, put, table


def one_row() -> Iterator[Row]:
    yield "speed", "3 M nodes/s", "1/2"


def needs_gcc() -> Iterator[Row]:
    raise NotMeasuredError("gcc is not installed")
    yield "never", "", ""


def test_what_cannot_be_measured_is_listed_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance, "MEASURED", (("perft", needs_gcc), ("search", one_row)))
    assert list(measure()) == [("perft", "not measured", "gcc is not installed"), ("speed", "3 M nodes/s", "1/2")]


def test_the_table_is_put_between_its_markers() -> None:
    text = table("a machine", list(one_row()))
    assert text == "a machine\n\n| | measured | compared |\n|---|---|---|\n| speed | 3 M nodes/s | 1/2 |\n"
    assert put(f"above\n{BEGIN}old\n{END}below\n", text) == f"above\n{BEGIN}{text}{END}below\n"


def test_a_document_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the lines"):
        put("no markers", "text")


def test_the_document_has_the_table() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert put(document, "") != document
    measured = document.partition(BEGIN)[2].partition(END)[0]
    for word in (
        "perft",
        "search",
        "compiled from nothing",
        "readyok",
        "to its first move",
        "a move in the bot",
        "fake",
    ):
        assert word in measured
