"""Manners that depend on the opponent: what a rule names holds in its place, the rest stays."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.engine_pool import Answer
from bot.events import Player
from bot.play.adjudication import Adjudicator, conduct_for
from bot.play.levels import level_by_rule
from bot.play.move_search import ponders, requirement_for
from bot.settings import ConductSettings, Settings, parse_settings
from tests.helpers.games import AI, ME, OTHER, game

WEAK = Player("weak", "Weak", rating=1200)
ROBOT = Player("robot", "Robot", "BOT", rating=2900)

CONFIGURED = parse_settings(
    """
conduct:
  takebacks: 1
  abort_after_s: 20
  resign: {enabled: true, score_cp: -900, moves: 3}
  draw: {score_cp: 5, contempt: true}
  rules:
    - {opponents: human, max_rating: 1500, resign: {enabled: false}, takebacks: 9}
    - {opponents: bot, draw: {score_cp: 30, contempt: false}}
""",
    "f.yml",
).conduct


def test_only_what_a_rule_names_is_different() -> None:
    weak, robot, other = (conduct_for(CONFIGURED, game(black=player)) for player in (WEAK, ROBOT, OTHER))
    assert (weak.resign.enabled, weak.resign.score_cp, weak.resign.moves, weak.takebacks) == (False, -900, 3, 9)
    assert weak.draw == CONFIGURED.draw
    assert (robot.draw.score_cp, robot.draw.contempt) == (30, False)
    assert (robot.takebacks, robot.abort_after_s, robot.resign) == (1, 20.0, CONFIGURED.resign)
    assert other is CONFIGURED


CONDITIONS = st.fixed_dictionaries(
    {},
    optional={
        "opponents": st.lists(st.sampled_from(["human", "bot", "ai"]), max_size=3, unique=True),
        "users": st.lists(st.sampled_from(["other", "robot"]), max_size=2),
        "speeds": st.lists(st.sampled_from(["blitz", "bullet", "1+0", "0.5+0"]), max_size=2, unique=True),
        "mode": st.sampled_from(["rated", "casual"]),
        "color": st.sampled_from(["white", "black"]),
        "tournament": st.booleans(),
        "min_rating": st.integers(0, 2000),
        "max_rating": st.integers(2000, 4000),
    },
)
SECTIONS: dict[str, st.SearchStrategy[Any]] = {
    "resign": st.fixed_dictionaries({}, optional={"enabled": st.booleans(), "moves": st.integers(1, 99)}),
    "draw": st.fixed_dictionaries({}, optional={"contempt": st.booleans(), "accept": st.booleans()}),
    "takebacks": st.integers(0, 9),
}
MANNERS = st.builds(lambda one, other: one | other, CONDITIONS, st.fixed_dictionaries({}, optional=SECTIONS))
ORDERS: dict[str, st.SearchStrategy[Any]] = {
    "ponder": st.booleans(),
    "level": st.integers(100, 4000) | st.sampled_from(["easy", "opponent"]),
    "engines": st.just(["engine88"]),
    "move_time_s": st.floats(0.01, 99),
}
RULES = st.builds(lambda one, other: one | other, CONDITIONS, st.fixed_dictionaries({}, optional=ORDERS))


@given(
    st.lists(MANNERS, max_size=3), st.lists(RULES, max_size=3), st.sampled_from([OTHER, WEAK, ROBOT, AI]), st.booleans()
)
def test_no_configuration_makes_a_decision_about_a_game_raise(
    manners: list[dict[str, Any]], rules: list[dict[str, Any]], opponent: Player, white: bool
) -> None:
    settings = Settings.model_validate({"conduct": {"rules": manners}, "rules": rules})
    one = game(white=ME, black=opponent) if white else game(white=opponent, black=ME)
    assert isinstance(conduct_for(settings.conduct, one), ConductSettings)
    adjudicator = Adjudicator(settings.conduct)
    adjudicator.add(Answer(None))
    for decide in (adjudicator.resigns, adjudicator.offers_draw, adjudicator.accepts_draw, adjudicator.claims_draw):
        assert decide(one) in (True, False)
    assert settings.rule_for(one.facts) is not None
    assert ponders(settings, one) in (True, False)
    assert requirement_for(settings, one).names == ("engine88",)
    assert level_by_rule(settings, one) is None or rules
