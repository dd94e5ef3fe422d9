"""How games may end early where the configuration says nothing about it."""

from __future__ import annotations

from bot.settings import parse_settings


def test_a_game_is_never_resigned_unless_it_is_asked_for() -> None:
    assert not parse_settings("{}", "f.yml").conduct.resign.enabled
    assert not parse_settings("conduct: {resign: {score_cp: -900}}", "f.yml").conduct.resign.enabled


def test_draws_are_offered_and_taken_but_not_early_from_people_rated_far_below() -> None:
    draw = parse_settings("{}", "f.yml").conduct.draw
    assert (draw.offer, draw.accept, draw.contempt.enabled) == (True, True, True)


def test_what_tables_know_counts() -> None:
    conduct = parse_settings("{}", "f.yml").conduct
    assert (conduct.draw.by_tables, conduct.resign.by_tables) == (True, True)
