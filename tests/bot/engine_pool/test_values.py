"""Requirements, answers and snapshots are values."""

from __future__ import annotations

import dataclasses

import chess
import pytest

from bot.engine_pool import Answer, EntrySnapshot, Requirement


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (Requirement(), "names"),
        (Answer(None), "move"),
        (EntrySnapshot("x", slots=1, leased=0, idle=0, starting=0, replaced=0, pids=()), "slots"),
    ],
)
def test_they_cannot_be_changed(value: object, field: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, field, None)


def test_a_requirement_asks_for_nothing_by_itself() -> None:
    wanted = Requirement()
    assert (wanted.names, dict(wanted.options), wanted.variant) == ((), {}, "chess")
    assert not wanted.chess960
    assert not wanted.in_order
    assert wanted.elo is None


def test_an_answer_reads_its_info_line() -> None:
    answer = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 9 score cp 12")
    assert (answer.info.depth, answer.info.score_cp) == (9, 12)
    assert (answer.elapsed_ms, answer.replaced, answer.error) == (0.0, 0, None)
    assert (answer.ponder, answer.engine, answer.source, answer.wdl) == (None, "", "", None)
