"""Levels by rule and by wish: tables of cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ConfigurationError
from bot.events import Player
from bot.play.game import Game
from bot.play.levels import Decision, Wish, decide, level_by_rule
from bot.settings import MAX_LEVEL, MIN_LEVEL, LevelSettings, Settings, parse_settings
from tests.helpers.games import AI, full, game, state

DEFAULT = LevelSettings()
ROBOT = Player("robot", "Robot", "BOT", 2100)


@pytest.mark.parametrize(
    ("rules", "opponent", "expected"),
    [
        ([], Player("alice", "Alice", rating=1500), None),
        ([{"level": 1600}], Player("alice", "Alice"), 1600),
        ([{"level": "easy"}], Player("alice", "Alice"), 1350),
        ([{"level": "opponent"}], Player("alice", "Alice", rating=1523), 1523),
        ([{"level": "opponent"}], Player("alice", "Alice"), None),
        ([{"level": "opponent"}], Player("alice", "Alice", rating=5), MIN_LEVEL),
        ([{"opponents": "bot", "level": 1600}], Player("alice", "Alice"), None),
        ([{"opponents": "human", "depth": 5}, {"level": 1600}], Player("alice", "Alice"), None),  # the first that fits
        ([{"level": "opponent"}], AI, None),
    ],
)
def test_the_level_of_a_rule(rules: list[dict[str, Any]], opponent: Player, expected: int | None) -> None:
    assert level_by_rule(Settings.model_validate({"rules": rules}), game(black=opponent)) == expected


OVER = state("e2e4 e7e5", status="mate", winner="white")


@pytest.mark.parametrize(
    ("settings", "one", "word", "expected"),
    [
        ({}, game(), "1600", Decision(Wish.NOW, 1600)),
        ({}, game(state("e2e4")), "EASY", Decision(Wish.NOW, 1350)),
        ({}, game(), "full", Decision(Wish.NOW, None)),
        ({}, game(state("e2e4 e7e5")), "1600", Decision(Wish.NEXT, 1600)),
        ({}, game(state("e2e4 e7e5 g1f3")), "1600", Decision(Wish.NEXT, 1600)),
        ({}, game(OVER), "1600", Decision(Wish.NEXT, 1600)),
        ({}, game(), "99", Decision(Wish.UNKNOWN)),
        ({}, game(), "4001", Decision(Wish.UNKNOWN)),
        ({}, game(), "100", Decision(Wish.NOW, 100)),
        ({}, game(), "4000", Decision(Wish.NOW, 4000)),
        ({}, game(state(status="aborted")), "1600", Decision(Wish.NEXT, 1600)),
        ({}, game(), "16000000000000000000", Decision(Wish.UNKNOWN)),
        ({}, game(), "1600.5", Decision(Wish.UNKNOWN)),
        ({}, game(), "²", Decision(Wish.UNKNOWN)),
        ({}, game(), "opponent", Decision(Wish.UNKNOWN)),
        ({}, game(rated=True), "1600", Decision(Wish.WRONG_MODE)),
        ({"modes": ["casual", "rated"]}, game(rated=True), "1600", Decision(Wish.NOW, 1600)),
        ({"modes": "rated"}, game(), "1600", Decision(Wish.WRONG_MODE)),
        ({}, game(black=ROBOT), "1600", Decision(Wish.NOT_BY_CHAT)),
        ({"opponents": ["human", "bot"]}, game(black=ROBOT), "1600", Decision(Wish.NOW, 1600)),
        ({"by_chat": False}, game(), "1600", Decision(Wish.NOT_BY_CHAT)),
        ({"names": {"tiny": 400}}, game(), "tiny", Decision(Wish.NOW, 400)),
        ({"names": {"tiny": 400}}, game(), "easy", Decision(Wish.UNKNOWN)),
    ],
)
def test_what_becomes_of_a_wish(settings: dict[str, Any], one: Game, word: str, expected: Decision) -> None:
    assert decide(LevelSettings.model_validate(settings), one, word) == expected


def test_no_level_is_chosen_in_a_tournament() -> None:
    arena = Game(replace(full(), tournament_id="AbCd1234"), "bot88", 100.0)
    assert decide(DEFAULT, arena, "1600") == Decision(Wish.NOT_BY_CHAT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: [{level: esay}]", "a rule names the level 'esay', but there are only: opponent, beginner, easy"),
        ("rules: [{level: 50}]", "f.yml:1: rules[1].level"),
        ("conduct: {levels: {names: {full: 1000}}}", "'full' is not a name for a level"),
        ("conduct: {levels: {names: {Easy: 1000}}}", "'Easy' is not a name for a level"),
        ("conduct: {levels: {names: {'very easy': 1000}}}", "'very easy' is not a name for a level"),
        ("conduct: {levels: {names: {weak: 99}}}", "f.yml:1: conduct.levels.names.weak: "),
    ],
)
def test_levels_that_make_no_sense_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_settings(text, "f.yml")
    assert message in str(caught.value)


SETTINGS = st.builds(
    LevelSettings,
    by_chat=st.booleans(),
    opponents=st.lists(st.sampled_from(["human", "bot", "ai"]), unique=True).map(tuple),
    modes=st.lists(st.sampled_from(["casual", "rated"]), unique=True).map(tuple),
    names=st.dictionaries(st.sampled_from(["weak", "easy", "x"]), st.integers(MIN_LEVEL, MAX_LEVEL)),
)


@given(SETTINGS, st.one_of(st.text(), st.integers().map(str)), st.booleans(), st.sampled_from(["", "e2e4 e7e5"]))
def test_no_settings_and_no_word_make_a_decision_raise(
    settings: LevelSettings, word: str, rated: bool, moves: str
) -> None:
    decision = decide(settings, game(state(moves), rated=rated), word)
    assert decision.elo is None or MIN_LEVEL <= decision.elo <= MAX_LEVEL
    assert not (rated and "rated" not in settings.modes and decision.wish in (Wish.NOW, Wish.NEXT))
