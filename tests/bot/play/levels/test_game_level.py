"""The level of one game: chosen, set, told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from bot.play.game import Game
from bot.play.levels import NO_LEVELS, GameLevel, LevelMemory
from bot.settings import Settings
from tests.helpers.games import game, state


@dataclass
class Engine:
    """An engine that serves a game."""

    name: str = "Tiny"
    elo: int | None = None


def level_of(memory: LevelMemory | None = None, **settings: Any) -> GameLevel:
    """The level of a game that has just been opened."""
    one = GameLevel(Settings.model_validate(settings), memory or LevelMemory())
    one.open(game())
    return one


def test_a_wish_is_set_and_told_when_the_engine_is_there() -> None:
    level, engine = GameLevel(Settings(), LevelMemory()), Engine()
    level.served_by(engine)
    for _ in range(2):
        assert level.news() == ""
        level.open(game())
    assert level.ask(game(), "1600") == ""
    assert level.elo == 1600
    level.served_by(None)
    assert level.news() == ""
    other = Engine(name="")
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
    level.served_by(Engine(elo=elo))
    assert level.news() == said


def test_a_level_by_rule_is_told_too() -> None:
    level = level_of(rules=[{"level": "easy"}])
    level.served_by(Engine(elo=1350))
    assert level.elo == 1350
    assert level.news() == "I play this game at about 1350."
    late = GameLevel(Settings.model_validate({"rules": [{"level": "easy"}]}), LevelMemory())
    for played in ("e2e4 e7e5", "e2e4 e7e5 g1f3"):  # a game taken up again
        late.open(game(state(played)))
        late.served_by(Engine(elo=1350))
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


@pytest.mark.parametrize(
    ("one", "settings", "said"),
    [
        (game(rated=True), {}, "The level of a rated game stays as it is."),
        (game(), {"by_chat": False}, "I take no wishes about my level."),
        (game(state("e2e4 e7e5")), {"modes": ["casual", "rated"]}, "In our next game I will play at about 1600."),
    ],
)
def test_refusals_in_words(one: Game, settings: dict[str, Any], said: str) -> None:
    assert level_of(conduct={"levels": settings}).ask(one, "1600") == said


def test_an_unknown_level_is_answered_with_the_known_ones() -> None:
    said = level_of().ask(game(), "strong")
    assert said == "I know no such level. Try a number such as !level 1600, full, beginner, easy, medium, hard, expert."


def test_the_level_in_words() -> None:
    level = level_of()
    known = "Before your first move, or for a rematch: !level 1600, full, beginner, easy, medium, hard, expert."
    assert level.text(game()) == f"I play at full strength. {known}"
    level.served_by(Engine(elo=1350))
    assert level.text(game(rated=True)) == "I play at about 1350."
