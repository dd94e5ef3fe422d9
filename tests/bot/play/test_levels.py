"""Levels: which one a game has, who may choose another, and the messages about it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ConfigurationError
from bot.events.game import Player
from bot.play.game import Game
from bot.play.levels import MOST_USERS, NO_LEVELS, REMEMBER_S, GameLevel, LevelMemory, level_by_rule
from bot.settings import MAX_LEVEL, MIN_LEVEL, Settings, parse_settings
from tests.helpers.fake_clock import FakeClock
from tests.helpers.games import AI, full, game, state

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


REFUSED, RATED = "I take no wishes about my level.", "The level of a rated game stays as it is."
UNKNOWN = "I know no such level. Try a number such as !level 1600, full, beginner, easy, medium, hard, expert."
NEXT = "In our next game I will play at about 1600, if it is casual."
ARENA = Game(replace(full(), tournament_id="AbCd1234"), "bot88", 100.0)


@pytest.mark.parametrize(
    ("settings", "one", "word", "said", "elo"),
    [
        ({}, game(), "1600", "", 1600),
        ({}, game(state("e2e4")), "EASY", "", 1350),
        ({}, game(), "full", "", None),
        ({}, game(), "100", "", 100),
        ({}, game(), "4000", "", 4000),
        ({"names": {"tiny": 400}}, game(), "tiny", "", 400),
        *[({}, one, "1600", NEXT, 0) for one in (game(state("e2e4 e7e5")), game(state("e2e4 e7e5 g1f3")), game(OVER))],
        ({}, game(state(status="aborted")), "1600", NEXT, 0),
        *[({}, game(), word, UNKNOWN, 0) for word in ("99", "4001", "16000000000000000000", "1600.5", "²", "opponent")],
        ({"names": {"tiny": 400}}, game(), "easy", UNKNOWN.replace("beginner, easy, medium, hard, expert", "tiny"), 0),
        ({}, game(rated=True), "1600", RATED, 0),
        ({}, game(black=ROBOT), "1600", REFUSED, 0),
        ({}, ARENA, "1600", REFUSED, 0),
        ({"by_chat": False}, game(), "1600", REFUSED, 0),
    ],
)
def test_the_answer_to_a_wish(settings: dict[str, Any], one: Game, word: str, said: str, elo: int | None) -> None:
    level = level_of(conduct={"levels": settings})
    level.elo = 0
    assert (level.ask(one, word), level.elo) == (said, elo)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rules: [{level: esay}]",
            "there is no level 'esay'; did you mean \"easy\"?",
        ),
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


@given(st.one_of(st.text(), st.integers().map(str)), st.booleans(), st.sampled_from(["", "e2e4 e7e5"]))
def test_no_word_makes_an_answer_raise(word: str, rated: bool, moves: str) -> None:
    level = level_of()
    said = level.ask(game(state(moves), rated=rated), word)
    assert level.elo is None or MIN_LEVEL <= level.elo <= MAX_LEVEL
    assert said or not (rated or moves)


def test_a_wish_holds_for_a_while_after_the_latest_game() -> None:
    clock = FakeClock(0.0)
    memory = LevelMemory(clock)
    memory.remember("alice", 1600)
    memory.remember("bob", None)
    clock.now_s = 0.9 * REMEMBER_S
    alice = memory.recall("alice")
    assert alice is not None
    assert alice.elo == 1600
    clock.now_s = 1.8 * REMEMBER_S
    assert memory.recall("alice") is not None
    assert memory.recall("bob") is None
    clock.now_s = 2.8 * REMEMBER_S
    assert memory.recall("alice") is not None
    clock.now_s = 3.81 * REMEMBER_S
    assert memory.recall("alice") is None


def test_full_strength_is_a_wish_and_nobody_has_none() -> None:
    memory = LevelMemory()
    memory.remember("alice", None)
    asked = memory.recall("alice")
    assert asked is not None
    assert asked.elo is None
    memory.remember("", 1600)
    assert memory.recall("") is None


def test_the_oldest_wishes_give_way() -> None:
    memory = LevelMemory()
    for number in range(MOST_USERS + 1):
        memory.remember(f"user{number}", 1600)
    assert memory.recall("user0") is None
    assert memory.recall("user1") is not None
    assert memory.recall(f"user{MOST_USERS}") is not None


def engine_of(name: str = "Tiny", elo: int | None = None) -> Any:
    """An engine that serves a game."""
    return SimpleNamespace(name=name, elo=elo)


def level_of(memory: LevelMemory | None = None, **settings: Any) -> GameLevel:
    """The level of a game that has just been opened."""
    one = GameLevel(Settings.model_validate(settings), memory or LevelMemory())
    one.open(game())
    return one


def test_a_wish_is_set_and_told_when_the_engine_is_there() -> None:
    level, engine = GameLevel(Settings(), LevelMemory()), engine_of()
    level.served_by(engine)
    for _ in range(2):
        assert level.news() == ""
        level.open(game())
    assert level.ask(game(), "1600") == ""
    assert level.elo == 1600
    level.served_by(None)
    assert level.news() == ""
    other = engine_of(name="")
    level.served_by(other)
    assert level.news() == ""
    other.name, other.elo = "Tiny", 1600
    assert level.news() == "I play this game at about 1600."
    assert level.news() == ""
    assert level.ask(game(), "full") == ""
    other.elo = None
    assert level.news() == "I play this game at full strength."


@pytest.mark.parametrize(
    ("elo", "said"),
    [
        (1000, "I play this game at about 1000 (the nearest that I can)."),
        (700, "I play this game at about 700 (the nearest that I can)."),
        (None, NO_LEVELS),
    ],
)
def test_an_engine_that_cannot_is_no_secret(elo: int | None, said: str) -> None:
    level = level_of()
    level.ask(game(), "800")
    level.served_by(engine_of(elo=elo))
    assert level.news() == said


def test_a_level_by_rule_is_told_too() -> None:
    level = level_of(rules=[{"level": "easy"}])
    level.served_by(engine_of(elo=1350))
    assert level.elo == 1350
    assert level.news() == "I play this game at about 1350."
    late = GameLevel(Settings.model_validate({"rules": [{"level": "easy"}]}), LevelMemory())
    for played in ("e2e4 e7e5", "e2e4 e7e5 g1f3"):  # a resumed game
        late.open(game(state(played)))
        late.served_by(engine_of(elo=1350))
        assert late.news() == ""


def test_a_wish_holds_for_the_next_game_and_wins_over_the_rule() -> None:
    memory = LevelMemory()
    first = level_of(memory)
    said = first.ask(game(state("e2e4 e7e5")), "1600")
    assert said == "In our next game I will play at about 1600, if it is casual."
    assert first.elo is None
    assert level_of(memory, rules=[{"level": "easy"}]).elo == 1600
    assert level_of(memory, conduct={"levels": {"by_chat": False}}).elo is None
    rated = GameLevel(Settings(), memory)
    rated.open(game(rated=True))
    assert rated.elo is None


def test_the_level_in_words() -> None:
    level = level_of()
    known = "Before your first move, or for a rematch: !level 1600, full, beginner, easy, medium, hard, expert."
    assert level.text(game()) == f"I play at full strength. {known}"
    level.served_by(engine_of(elo=1350))
    assert level.text(game(rated=True)) == "I play at about 1350."
