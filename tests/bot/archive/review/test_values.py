"""A review: formulas, phases, judgements, and how it is written down."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Cp, Mate, PovScore, Score
from hypothesis import given
from hypothesis import strategies as st
from structlog.typing import EventDict

from bot.archive.review.values import (
    GameReview,
    ReviewedMove,
    ReviewsFile,
    move_accuracy,
    phase_of,
    winning_chance,
)
from bot.errors import ConfigurationError

#: What the first version of `bot88 review` wrote for `fools_mate_review()`.
EARLIER_LINE = (
    '{"game_id":"abcdefgh","entry":"engine88","engine":"engine88 0.1","nodes":1000,"moves":['
    '{"ply":1,"number":1,"is_white":true,"is_ours":true,"san":"f3","phase":"opening",'
    '"before":{"cp":30,"mate_in":null},"after":{"cp":-70,"mate_in":null},'
    '"better":["e4","e5"],"spent_ms":1500,"clock_ms":60000},'
    '{"ply":2,"number":1,"is_white":false,"is_ours":false,"san":"e5","phase":"opening",'
    '"before":{"cp":-70,"mate_in":null},"after":{"cp":-70,"mate_in":null},'
    '"better":["e5"],"spent_ms":1500,"clock_ms":60000},'
    '{"ply":3,"number":2,"is_white":true,"is_ours":true,"san":"g4","phase":"opening",'
    '"before":{"cp":-70,"mate_in":null},"after":{"cp":null,"mate_in":-1},'
    '"better":["Nc3","Nf6"],"spent_ms":10500,"clock_ms":171500},'
    '{"ply":4,"number":2,"is_white":false,"is_ours":false,"san":"Qh4#","phase":"opening",'
    '"before":{"cp":null,"mate_in":-1},"after":{"cp":null,"mate_in":-1},'
    '"better":["Qh4#"],"spent_ms":null,"clock_ms":null}]}'
)


def white(score: Score) -> PovScore:
    """A score from White's side."""
    return PovScore(score, chess.WHITE)


def reviewed(ply: int, san: str, before: Score, after: Score, **others: object) -> ReviewedMove:
    """A move of White, the bot, or of Black; scores are White's, `others` are fields of ReviewedMove."""
    mine = ply % 2 == 1
    fields: dict[str, Any] = {"better": ("e4", "e5"), "spent_ms": 1500, "clock_ms": 60_000, "phase": "opening"}
    fields |= {"number": (ply + 1) // 2, "is_white": mine, "is_ours": mine} | others
    return ReviewedMove(ply=ply, san=san, before=white(before), after=white(after), **fields)


def fools_mate_review(game_id: str = "abcdefgh") -> GameReview:
    """White plays 1. f3 and blunders with 2. g4; Black finds the mate."""
    moves = (
        reviewed(1, "f3", Cp(30), Cp(-70)),
        reviewed(2, "e5", Cp(-70), Cp(-70), better=("e5",)),
        reviewed(3, "g4", Cp(-70), Mate(-1), better=("Nc3", "Nf6"), spent_ms=10_500, clock_ms=171_500),
        reviewed(4, "Qh4#", Mate(-1), Mate(-1), better=("Qh4#",), clock_ms=None, spent_ms=None),
    )
    return GameReview(game_id, "engine88", "engine88 0.1", 1000, moves)


@pytest.mark.parametrize(
    ("score", "chance"),
    [(Cp(0), 50.0), (Cp(100), 59.1), (Cp(-100), 40.9), (Cp(300), 75.1), (Cp(1000), 97.5), (Cp(9999), 97.5),
     (Mate(3), 97.5), (Mate(-1), 2.5), (Mate(0), 2.5)],
)  # fmt: skip
def test_chances(score: Score, chance: float) -> None:
    assert winning_chance(white(score), chess.WHITE) == pytest.approx(chance, abs=0.05)
    assert winning_chance(white(score), chess.BLACK) == pytest.approx(100.0 - chance, abs=0.05)


@pytest.mark.parametrize(("loss", "accuracy"), [(0, 100.0), (10, 63.6), (95, 0.0)])
def test_accuracies(loss: float, accuracy: float) -> None:
    assert move_accuracy(loss) == pytest.approx(accuracy, abs=0.05)


@given(st.floats(0, 100), st.floats(0, 100))
def test_a_move_that_loses_more_is_never_more_accurate(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= move_accuracy(high) <= move_accuracy(low) <= 100.0


@pytest.mark.parametrize(
    ("after_cp", "name"),
    [(100, ""), (0, ""), (-54, ""), (-55, "inaccuracy"), (-110, "inaccuracy"), (-111, "mistake"), (-168, "mistake"),
     (-169, "blunder")],
)  # fmt: skip
def test_judgements(after_cp: int, name: str) -> None:
    """5, 10 and 15 percent of 50 are lost at these scores."""
    assert reviewed(1, "d4", Cp(0), Cp(after_cp)).judgement == name


@pytest.mark.parametrize(
    ("fen", "ply", "phase"),
    [
        (chess.STARTING_FEN, 1, "opening"),
        (chess.STARTING_FEN, 20, "opening"),
        (chess.STARTING_FEN, 21, "middlegame"),
        ("r2q1rk1/8/8/8/8/8/8/R2QKB1R w - - 0 1", 12, "middlegame"),
        ("r3k2r/8/8/8/8/8/8/R2QKB2 w - - 0 1", 12, "endgame"),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 3, "endgame"),
    ],
)
def test_phases(fen: str, ply: int, phase: str) -> None:
    assert phase_of(chess.Board(fen), ply) == phase


def test_what_a_move_cost_is_seen_from_its_mover() -> None:
    first, second, third, last = fools_mate_review().moves
    assert first.loss == pytest.approx(52.76 - 43.59, abs=0.1)
    assert (first.judgement, second.judgement, third.judgement, last.judgement) == ("inaccuracy", "", "blunder", "")
    black = replace(second, san="a6", after=white(Cp(300)))
    assert black.loss == pytest.approx(75.1 - 43.6, abs=0.1)
    assert black.accuracy < 30
    assert (str(third), str(last)) == ("2.g4", "2...Qh4#")


@pytest.mark.parametrize(("san", "before_cp", "after_cp"), [("e4", 100, -500), ("d4", 0, 200)])
def test_the_engines_own_move_and_a_gain_cost_nothing(san: str, before_cp: int, after_cp: int) -> None:
    move = reviewed(1, san, Cp(before_cp), Cp(after_cp))
    assert (move.loss, move.accuracy, move.judgement) == (0.0, 100.0, "")


def test_a_review_is_written_as_ever_and_read_again() -> None:
    assert GameReview.from_json(EARLIER_LINE) == fools_mate_review()
    assert fools_mate_review().to_json() == EARLIER_LINE
    assert '"Zügel 1"' in replace(fools_mate_review(), engine="Zügel 1").to_json()
    seen_by_black = replace(fools_mate_review().moves[0], after=PovScore(Cp(70), chess.BLACK))
    assert '"after":{"cp":-70,' in replace(fools_mate_review(), moves=(seen_by_black,)).to_json()


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"moves": []}', '{"moves": [1]}', '{"moves": [{}]}'])
def test_another_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"no review|Expecting"):
        GameReview.from_json(line)


@pytest.mark.parametrize(
    "damage",
    [
        {"before": 30},
        {"after": 30},
        {"better": "e4"},
        {"before": None, "after": None},
        {"before": {"cp": None, "mate_in": None}},
        {"before": {"cp": 1, "more": 2}},
        {"extra": 1},
    ],
)
def test_a_damaged_move_is_refused(damage: dict[str, Any]) -> None:
    data = json.loads(EARLIER_LINE)
    data["moves"][0] |= damage
    for damaged in (data, json.loads(EARLIER_LINE) | {"extra": 1}):
        with pytest.raises(ValueError, match="no review"):
            GameReview.from_json(json.dumps(damaged))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of reviews, whose folder does not exist yet."""
    return tmp_path / "new" / "reviews.jsonl"


def reviews_in(path: Path, *added: GameReview, entry: str = "engine88", nodes: int = 1000) -> dict[str, GameReview]:
    """The reviews that the file had when it was opened; `added` are appended."""
    with ReviewsFile(path, entry, nodes) as file:
        found = dict(file.reviews)
        for review in added:
            file.add(review)
    return found


def test_what_was_added_is_there_at_the_next_start(path: Path) -> None:
    one, other = fools_mate_review("one"), replace(fools_mate_review("other"), engine="En\u2028gine \x851")
    with ReviewsFile(path, "engine88", 1000) as file:
        file.add(one)
        assert path.read_text(encoding="utf-8").count("\n") == 1  # at once: a kill loses nothing
        file.add(other)
    assert reviews_in(path) == {"one": one, "other": other}, "a separator of lines in a name ends no line"


def test_reviews_of_another_engine_or_depth_stay_but_do_not_count(path: Path) -> None:
    reviews_in(path, fools_mate_review())
    for entry, nodes in (("other", 1000), ("engine88", 5)):
        own = replace(fools_mate_review(), entry=entry, nodes=nodes)
        assert reviews_in(path, own, entry=entry, nodes=nodes) == {}
    assert list(reviews_in(path)) == ["abcdefgh"]


@pytest.mark.parametrize("torn", [EARLIER_LINE[:50].encode(), '{"engine": "Zü'.encode()[:-1]])
def test_a_torn_line_is_taken_away_and_a_damaged_one_told(path: Path, torn: bytes, logs: list[EventDict]) -> None:
    path.parent.mkdir()
    path.write_bytes(f"garbage\n{EARLIER_LINE}\n".encode() + torn)
    assert list(reviews_in(path, fools_mate_review("another1"))) == ["abcdefgh"]
    assert [(entry["event"], entry["line"]) for entry in logs] == [("review_ignored", 1)]
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [EARLIER_LINE, fools_mate_review("another1").to_json()]


def test_a_folder_that_cannot_be_used_is_named(path: Path) -> None:
    path.parent.write_text("", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be used for reviews"):
        reviews_in(path)
