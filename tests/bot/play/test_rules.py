"""Rules for engines and for conduct: the first that fits holds, and what it does not name stays."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.engine_pool.values import Answer
from bot.events.game import Player
from bot.play.adjudication import Adjudicator, conduct_for
from bot.play.levels import level_by_rule
from bot.play.move_search import ponders, requirement_for
from bot.settings import ConductSettings, Settings, parse_settings
from tests.helpers.games import AI, ME, OTHER, game

CONFIGURED = Settings.model_validate(
    {
        "engines": [
            {"name": "fast", "command": "fast"},
            {"name": "strong", "command": "strong"},
            {"name": "odd", "command": "odd", "variants": ["atomic"]},
        ],
        "rules": [
            {"variants": "chess960", "engines": "strong", "options": {"Hash": 64}},
            {"opponents": "ai", "engines": "fast", "depth": 4},
            {"mode": "rated", "color": "black", "engines": ["strong", "fast"]},
        ],
    }
)


def test_the_first_rule_that_fits_wins() -> None:
    fen = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1"
    assert CONFIGURED.rule_for(game(variant="chess960", initial_fen=fen, black=AI).facts).engines == ("strong",)
    assert CONFIGURED.rule_for(game(black=AI).facts).depth == 4
    assert CONFIGURED.rule_for(game(white=OTHER, black=ME, rated=True).facts).engines == ("strong", "fast")
    assert CONFIGURED.rule_for(game(rated=True).facts).engines == ()


def test_a_requirement_names_the_rules_engines_that_play_the_variant() -> None:
    wanted = requirement_for(CONFIGURED, game(white=OTHER, black=ME, rated=True))
    assert wanted.names == ("strong", "fast")
    fen = "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1"
    odd = requirement_for(CONFIGURED, game(variant="chess960", initial_fen=fen))
    assert odd.names == ("strong",)
    assert odd.options == {"Hash": 64}
    assert odd.chess960
    assert requirement_for(CONFIGURED, game(variant="atomic")).names == ("odd",)
    assert requirement_for(CONFIGURED, game(variant="atomic")).variant == "atomic"


def test_rules_by_rating_and_name_of_the_opponent() -> None:
    settings = Settings.model_validate(
        {"rules": [{"users": ["Other"], "depth": 1}, {"min_rating": 1500, "max_rating": 1999, "depth": 2}]}
    )
    assert settings.rule_for(game(black=Player("other", "Other")).facts).depth == 1
    assert settings.rule_for(game(black=Player("else", "Else", rating=1500)).facts).depth == 2
    assert settings.rule_for(game(black=Player("else", "Else", rating=2000)).facts).depth is None
    assert settings.rule_for(game(black=Player("else", "Else")).facts).depth is None


def test_a_rule_may_ponder_or_not() -> None:
    rules = [{"opponents": "ai", "ponder": True}, {"opponents": "bot", "ponder": False}, {"mode": "rated", "depth": 3}]
    usual = Settings.model_validate({"rules": rules, "clock": {"ponder": True}})
    robot = Player("robot", "Robot", "BOT")
    assert [ponders(usual, one) for one in (game(black=AI), game(black=robot), game(rated=True))] == [True, False, True]
    assert not ponders(Settings(), game())


WEAK = Player("weak", "Weak", rating=1200)
ROBOT = Player("robot", "Robot", "BOT", rating=2900)

CONDUCT = parse_settings(
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
    weak, robot, other = (conduct_for(CONDUCT, game(black=player)) for player in (WEAK, ROBOT, OTHER))
    assert (weak.resign.enabled, weak.resign.score_cp, weak.resign.moves, weak.takebacks) == (False, -900, 3, 9)
    assert weak.draw == CONDUCT.draw
    assert (robot.draw.score_cp, robot.draw.contempt) == (30, False)
    assert (robot.takebacks, robot.abort_after_s, robot.resign) == (1, 20.0, CONDUCT.resign)
    assert other is CONDUCT


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
