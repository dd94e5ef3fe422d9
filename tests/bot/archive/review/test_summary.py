"""What many reviews say together."""

from __future__ import annotations

import json
from dataclasses import replace

from chess.engine import Cp

from bot.archive.review.summary import BLUNDERS_SHOWN, by_phase, summary_json, summary_text, tally_of
from tests.bot.archive.review.test_values import fools_mate_review, reviewed


def test_moves_are_counted_by_phase_and_side() -> None:
    review = fools_mate_review()
    late = replace(review.moves[2], phase="endgame")
    review = replace(review, moves=(*review.moves[:2], late, review.moves[3]))
    ours = by_phase([review, review], ours=True)
    assert {phase: tally.moves for phase, tally in ours.items()} == {
        "opening": 2, "middlegame": 0, "endgame": 2, "all": 4,
    }  # fmt: skip
    assert (ours["endgame"].blunders, ours["opening"].inaccuracies, ours["middlegame"].accuracy) == (2, 2, None)
    assert (ours["all"].spent_s, ours["all"].s_per_move) == (24.0, 6.0)
    theirs = by_phase([review], ours=False)["all"]
    assert (theirs.moves, theirs.accuracy, theirs.blunders) == (2, 100.0, 0)


def test_the_accuracy_is_the_mean_of_the_moves() -> None:
    first, _second, third, _last = fools_mate_review().moves
    assert tally_of([first, third]).accuracy == round((first.accuracy + third.accuracy) / 2, 1)
    assert tally_of([]).s_per_move is None


def test_the_worst_blunders_are_shown_first_and_no_line_is_too_long() -> None:
    moves = [
        reviewed(2 * n + 1, "Qa1xb2+", Cp(0), Cp(-300 - 10 * n), better=("Qa1xb2",) * 6, number=100 + n)
        for n in range(BLUNDERS_SHOWN + 3)
    ]
    text = summary_text([replace(fools_mate_review(), moves=tuple(moves))])
    shown = [line for line in text.splitlines() if "abcdefgh" in line]
    assert len(shown) == BLUNDERS_SHOWN
    assert shown[0].startswith(f"{100 + len(moves) - 1}.Qa1xb2+")
    assert text.endswith("and 3 more: --json lists all\n")
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_to_tell() -> None:
    assert summary_text([]) == "no game is reviewed\n"
    assert summary_text([replace(fools_mate_review(), moves=())]).endswith("no blunders\n")


def test_the_table_of_the_phases_in_full() -> None:
    review = fools_mate_review()
    late = replace(review.moves[2], phase="endgame")
    lines = summary_text([replace(review, moves=(*review.moves[:2], late, review.moves[3]))]).splitlines()
    head, *rows = lines[:6]
    accuracy = by_phase([review], ours=True)["all"].accuracy
    first, third = review.moves[0], review.moves[2]
    assert head.split() == ["moves", "accuracy", "inaccurate", "mistakes", "blunders", "time", "s/move"]
    assert [row.split() for row in rows] == [
        ["opening", "1", f"{first.accuracy:.1f}%", "1", "0", "0", "12%", "1.5"],
        ["middlegame", "0", "-", "0", "0", "0", "0%", "-"],
        ["endgame", "1", f"{third.accuracy:.1f}%", "0", "0", "1", "88%", "10.5"],
        ["all", "our", "moves", "2", f"{accuracy:.1f}%", "1", "0", "1", "100%", "6.0"],
        ["opponents", "2", "100.0%", "0", "0", "0", "1.5"],
    ]
    assert lines[8].split() == ["2.g4", "abcdefgh", "-0.70", ">", "#-1", "Nc3", "Nf6", "10.5", "2:51"]


def test_without_clocks_no_time_is_told() -> None:
    review = fools_mate_review()
    bare = replace(review, moves=tuple(replace(move, spent_ms=None, clock_ms=None) for move in review.moves))
    lines = summary_text([bare]).splitlines()
    assert lines[1].split()[-2:] == ["-", "-"]
    assert lines[8].split()[-2:] == ["-", "-"]


def test_a_blunder_of_the_opponent_is_none_of_ours() -> None:
    review = fools_mate_review()
    theirs = replace(review, moves=(replace(review.moves[2], is_ours=False),))
    assert summary_text([theirs]).endswith("no blunders\n")
    assert json.loads(summary_json([theirs]))["blunders"] == []


def test_the_json_lists_every_blunder() -> None:
    found = json.loads(summary_json([fools_mate_review("one"), fools_mate_review("two")]))
    assert (found["games"], found["ours"]["opening"]["blunders"]) == (2, 2)
    assert found["blunders"] == [
        {
            "game": game,
            "ply": 3,
            "move": "2.g4",
            "before": "-0.70",
            "after": "#-1",
            "loss_percent": round(fools_mate_review().moves[2].loss, 1),
            "better": ["Nc3", "Nf6"],
            "spent_ms": 10_500,
            "clock_ms": 171_500,
        }
        for game in ("one", "two")
    ]
