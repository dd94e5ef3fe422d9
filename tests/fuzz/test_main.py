"""A short run of every target, the corpus of what was found, and a made-up finding that is noticed and kept."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from tests.fuzz.__main__ import TARGETS, fuzz, main
from tests.fuzz.guided import GUIDED
from tests.fuzz.kept import CORPUS, all_kept, findings, keep_reaching
from tests.fuzz.target import verdict

#: What a test tries; `python -m tests.fuzz` tries 10,000 and more.
FEW = 150
QUICK = [name for name in TARGETS if name not in ("uci", "gaviota")]


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]()
    told: list[str] = []
    try:
        assert fuzz(target, FEW, 88, tmp_path, told.append) == 0, told
    finally:
        target.close()


@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_wrong_with_any_kept_input(name: str) -> None:
    target = TARGETS[name]()
    try:
        assert {label: trouble for label, data in all_kept(name) if (trouble := target.check(data))} == {}
    finally:
        target.close()


@pytest.mark.parametrize("name", QUICK)
def test_an_input_may_begin_with_any_byte_or_be_empty(name: str) -> None:
    """Known inputs are mutated anywhere: also where a target looks for its kind."""
    target = TARGETS[name]()
    inputs = (b"", b"\0", b"\n", b"{", b"g", b"z", b"\xff")
    try:
        assert {data: trouble for data in inputs if (trouble := target.check(data))} == {}
    finally:
        target.close()


@pytest.mark.slow
def test_the_engine_is_ready_after_whatever_it_was_told(tmp_path: Path) -> None:
    target = TARGETS["uci"]()
    told: list[str] = []
    try:
        found = [label for label, data in all_kept("uci") if target.check(data)]
        assert found == []
        assert fuzz(target, FEW, 88, tmp_path, told.append) == 0, told
    finally:
        target.close()


class Fragile:
    """A target that does not like one byte."""

    name = "fragile"

    def make(self, rng: random.Random) -> bytes:
        return bytes([rng.randrange(256)])

    def check(self, data: bytes) -> str:
        return "the byte 88" if data == b"\x58" else ""

    def close(self) -> None:
        """Nothing runs."""


def test_a_finding_is_told_kept_and_replayed(tmp_path: Path) -> None:
    told: list[str] = []
    assert fuzz(Fragile(), 2000, 1, tmp_path, told.append) >= 1
    assert [path.read_bytes() for path in findings("fragile", tmp_path)] == [b"\x58"]
    assert "the byte 88" in told[0]
    assert fuzz(Fragile(), 0, 1, tmp_path, told.append) == 1


def test_a_reader_without_its_guard_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The streams' target finds what it is there to find, and soon."""
    monkeypatch.setattr("bot.events.game.as_integer", lambda value: None if value is None else int(value))
    told: list[str] = []
    assert fuzz(TARGETS["streams"](), 1000, 88, tmp_path, told.append) > 0
    assert any("TypeError" in line or "ValidationError" in line for line in told)


@pytest.mark.parametrize("allowed", [(ValueError,), (Exception,)])
def test_a_reader_that_never_ends_is_a_finding(
    allowed: tuple[type[Exception], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_data: bytes) -> None:
        while True:
            with contextlib.suppress(Exception):
                str(88)

    monkeypatch.setattr("tests.fuzz.target.SLOW_S", 0.1)
    assert verdict(read, b"", allowed).startswith("still busy after 0 s at ")
    assert verdict(lambda _data: None, b"", allowed) == ""


def test_the_command_gives_status_0_when_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot-fen", "--lines", "50", "--corpus", str(tmp_path)]) == 0
    assert "bot-fen: 50 inputs with seed 1" in capsys.readouterr().out


def test_the_corpus_belongs_to_targets() -> None:
    assert {path.name.rsplit("-", 1)[0] for path in CORPUS.glob("*.bin")} <= set(TARGETS)
    assert {path.stem for path in CORPUS.glob("*.zip")} == set(GUIDED)


class Patient:
    """A target that shows what it is given."""

    name = "patient"

    def __init__(self) -> None:
        self.seen: list[bytes] = []

    def make(self, _rng: random.Random) -> bytes:
        return b"its own"

    def check(self, data: bytes) -> str:
        self.seen.append(data)
        return ""

    def close(self) -> None:
        """Nothing runs."""


def test_inputs_that_reach_further_are_tried_and_mutated(tmp_path: Path) -> None:
    kept = b"a long input that reaches code which no other reaches"
    keep_reaching("patient", [kept], tmp_path)
    target = Patient()
    assert fuzz(target, 300, 88, tmp_path, lambda _line: None) == 0
    assert target.seen[0] == kept
    mutated = [data for data in target.seen[1:] if data != b"its own"]
    assert 60 < len(mutated) < 140
    assert sum(b"reaches" in data for data in mutated) > len(mutated) / 2
