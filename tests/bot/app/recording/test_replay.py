"""A recorded incident through the game's code of today: a lost answer, then garbage on the stream, then a 502."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.app.recording.record import Entry, Record, read_record
from bot.app.recording.replay import replay
from bot.errors import ConfigurationError
from bot.settings import Settings

INCIDENT = Path(__file__).with_name("records") / "lost_answer_and_garbage.jsonl"


@pytest.fixture
def record() -> Record:
    return read_record(INCIDENT)


def changed(record: Record, kind: str, number: int, **fields: Any) -> Record:
    """The record with other fields in its entry of a kind, counted from 0; without fields it is left out."""
    places = [place for place, entry in enumerate(record.entries) if entry.kind == kind]
    entries = list(record.entries)
    entry = entries.pop(places[number])
    if fields:
        entries.insert(places[number], Entry(entry.t, entry.kind, entry.fields | fields))
    return replace(record, entries=tuple(entries))


def test_the_game_is_played_as_it_was_through_all_faults(record: Record) -> None:
    told: list[str] = []
    replayed = replay(record, Settings(), lambda _seconds, text: told.append(text))
    assert str(replayed) == "outcome: resign, won, 10 plies; every request as recorded"
    assert " ".join(replayed.moves) == "e2e4 g8h6 d2d4 h8g8 g1f3 g8h8 f1c4 h8g8 b1c3 g8h8"
    assert sum(text.startswith("  the stream is refused: 502") for text in told) == 1
    assert sum(text == "  the stream is opened" for text in told) >= 2
    assert any("no answer (ConnectionError)" in text for text in told)
    assert all(text.isprintable() for text in told)


def test_a_decision_that_has_changed_is_named(record: Record) -> None:
    replayed = replay(changed(record, "think", 2, move="a7a6"), Settings(), patience_s=3.0)
    assert replayed.differences == ("only now: move/a7a6",)
    assert str(replayed).endswith("differs:\n  only now: move/a7a6")


def test_a_request_that_is_no_longer_made_is_named(record: Record) -> None:
    more = Entry(record.entries[-2].t, "post", {"path": "draw/no", "form": ""})
    longer = replace(record, entries=(*record.entries[:-3], more, *record.entries[-3:]))
    assert replay(longer, Settings(), patience_s=3.0).differences == ("only recorded: draw/no",)


def test_a_record_that_ends_before_the_game_leaves_it(record: Record) -> None:
    replayed = replay(replace(record, entries=record.entries[:8]), Settings())
    assert (replayed.status, replayed.result) == ("started", "running")


def test_without_an_answer_of_the_engine_a_legal_move_is_played(record: Record) -> None:
    told: list[str] = []
    replay(changed(record, "think", 0), Settings(), lambda _seconds, text: told.append(text), patience_s=3.0)
    assert any(text.startswith("  no answer was recorded at ply 1") for text in told)


def test_a_record_without_our_account_cannot_be_replayed(record: Record) -> None:
    with pytest.raises(ConfigurationError, match="does not name our account"):
        replay(replace(record, me=""), Settings())
