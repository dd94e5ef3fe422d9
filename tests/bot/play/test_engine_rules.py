"""Which engine a game gets."""

from __future__ import annotations

from bot.events import Player
from bot.play.move_search import ponders, requirement_for
from bot.settings import Settings
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
