"""How the bot behaves in a game where the configuration says nothing about it."""

from __future__ import annotations

from bot.settings import parse_settings


def test_what_the_rules_give_is_claimed() -> None:
    conduct = parse_settings("{}", "f.yml").conduct
    assert (conduct.claim_victory, conduct.claim_draw, conduct.accept_rematch) == (True, True, True)


def test_processors_are_not_used_on_the_opponents_time_unless_it_is_asked_for() -> None:
    settings = parse_settings("{}", "f.yml")
    assert (settings.clock.ponder, settings.correspondence.ponder) == (False, False)


def test_other_manners_in_some_games_leave_the_rest_as_usual() -> None:
    (rule,) = parse_settings("conduct: {rules: {opponents: bot, takebacks: 2}}", "f.yml").conduct.rules
    assert (rule.takebacks, rule.resign, rule.draw, rule.abort_after_s) == (2, None, None, None)
