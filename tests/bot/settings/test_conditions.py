"""Conditions of rules, and sources of moves."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import ConfigurationError
from bot.settings import Facts, GameConditions, between, fastest_and_slowest, parse_settings

BLITZ = Facts(speed="blitz", limit_s=180, increment_s=2, user="ann", rating=1700, color="white")


@pytest.mark.parametrize(
    ("conditions", "holds"),
    [
        ({}, True),
        ({"speeds": "blitz"}, True),
        ({"speeds": "3+2"}, True),
        ({"speeds": "03+02"}, True),
        ({"speeds": ["rapid", "5+0"]}, False),
        ({"users": ["Ann"]}, True),
        ({"users": ["bob"]}, False),
        ({"min_rating": 1700, "max_rating": 1700}, True),
        ({"max_rating": 1699}, False),
        ({"min_rating": 1701}, False),
        ({"color": "black"}, False),
        ({"mode": "casual"}, True),
        ({"mode": "rated"}, False),
        ({"tournament": True}, False),
        ({"tournament": False}, True),
        ({"opponents": "bot"}, False),
        ({"variants": "atomic"}, False),
        ({"speeds": "blitz", "color": "white", "users": "bob"}, False),
    ],
)
def test_every_condition_must_hold(conditions: dict[str, Any], holds: bool) -> None:
    assert GameConditions.model_validate(conditions).fit(BLITZ) is holds


def test_what_is_not_known_holds_for_no_limit() -> None:
    nobody = Facts()
    assert not GameConditions(min_rating=0).fit(nobody)
    assert not GameConditions(max_rating=4000).fit(nobody)
    assert not GameConditions(speeds=("3+2",)).fit(nobody)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: [{speeds: blizt}]", "rules[1].speeds: 'blizt' is not known; did you mean \"blitz\"?"),
        ("rules: [{speeds: [3+x]}]", "rules[1].speeds[1]: '3+x': expected MINUTES+SECONDS"),
        ("rules: [{min_rating: 9, max_rating: 8}]", "rules[1]: min_rating (9) is greater than max_rating (8)"),
        ("challenges: {rules: [{}]}", "challenges.rules[1]: a rule needs either accept: true or decline: one of"),
        ("challenges: {rules: [{accept: true, decline: later}]}", "a rule needs either accept: true or decline"),
        ("challenges: {rules: [{decline: no}]}", "challenges.rules[1].decline:"),
        ("challenges: {rules: [{unless: {accept: true}, decline: later}]}", "challenges.rules[1].unless.accept"),
        ("challenges: {order: []}", "challenges.order"),
        ("rules: [{users: [ann, rude.txt]}]", "rules[1].users[2]: 'rude.txt' is not a user's name; lists of users"),
        ("conduct: {rules: [{users: '@ann'}]}", "conduct.rules[1].users: '@ann' is not a user's name"),
        ("challenges: {rules: [{titles: [gm], accept: true}]}", "challenges.rules[1].titles[1]: 'gm' is not known"),
        ("rules: [{speeds: zzz}]", "rules[1].speeds: 'zzz' is not known (possible: ultraBullet, bullet, "),
        ("rules: [{speeds: 200+0}]", "rules[1].speeds: '200+0': up to 180 minutes and 180 seconds"),
        ("rules: [{speeds: [3+2, 03+2]}]", "rules[1].speeds: '3+2' appears twice"),
    ],
)
def test_mistakes_in_rules_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(text, "f.yml")
    assert message in str(refused.value)


def test_the_ends_of_a_list_of_paces() -> None:
    assert fastest_and_slowest(("blitz", "15+10")) == (2, 3)
    assert fastest_and_slowest(("3+0",)) == (2, 2)
    assert fastest_and_slowest(()) is None
    assert fastest_and_slowest(("classical", "ultraBullet", "0.25+0")) == (0, 4)
    assert fastest_and_slowest(("correspondence",)) == (5, 5)


@pytest.mark.parametrize(
    ("least", "value", "most", "holds"),
    [
        (None, None, None, True),
        (None, 5, None, True),
        (5, 5, None, True),
        (6, 5, None, False),
        (None, 5, 5, True),
        (None, 5, 4, False),
        (5, 5, 5, True),
        (4, 5, 4, False),
        (6, 5, 6, False),
        (0, None, None, False),
        (None, None, 9, False),
        (0, 0, 0, True),
    ],
)
def test_limits_are_inclusive_and_what_is_not_known_is_within_none(
    least: float | None, value: float | None, most: float | None, holds: bool
) -> None:
    assert between(least, value, most) is holds


@pytest.mark.parametrize(
    ("facts", "paces", "has"),
    [
        (Facts(speed="blitz"), ("blitz",), True),
        (Facts(speed="blitz"), ("rapid", "3+2"), False),
        (Facts(limit_s=30, increment_s=0), ("0.5+0",), True),
        (Facts(limit_s=30), ("0.5+0",), False),
        (Facts(increment_s=0), ("0.5+0",), False),
        (Facts(limit_s=180, increment_s=1), ("3+2",), False),
        (Facts(), ("",), True),
    ],
)
def test_a_pace_is_a_speed_or_an_exact_clock(facts: Facts, paces: tuple[str, ...], has: bool) -> None:
    assert facts.has_pace(paces) is has


@pytest.mark.parametrize(
    ("given", "found"),
    [("1.50+1", "1.5+1"), ("½+0", "0.5+0"), ("1/4+2", "0.25+2"), (" 3+2 ", "3+2"), ("bullet", "bullet")],
)
def test_a_pace_has_one_spelling(given: str, found: str) -> None:
    assert GameConditions.model_validate({"speeds": given}).speeds == (found,)


def test_each_condition_alone_decides() -> None:
    """Against the facts of BLITZ in a tournament, rated, against a bot: each once as it is and once otherwise."""
    facts = Facts("atomic", "blitz", 180, 2, True, "bot", "ann", 1700, "black", True)
    right = {
        "variants": "atomic", "speeds": "3+2", "mode": "rated", "opponents": "bot", "users": "ann", "color": "black",
        "tournament": True, "min_rating": 1700, "max_rating": 1700,
    }  # fmt: skip
    wrong = {
        "variants": "horde", "speeds": "3+0", "mode": "casual", "opponents": "ai", "users": "bob", "color": "white",
        "tournament": False, "min_rating": 1701, "max_rating": 1699,
    }  # fmt: skip
    assert GameConditions.model_validate(right).fit(facts)
    for name, value in right.items():
        assert GameConditions.model_validate({name: value}).fit(facts), name
    for name, value in wrong.items():
        assert not GameConditions.model_validate({name: value}).fit(facts), name
        several = {key: one for key, one in right.items() if not key.endswith("_rating")} | {name: value}
        assert not GameConditions.model_validate(several).fit(facts), name


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("database: player, player: Ann, sort: performance", ""),
        ("database: player", ""),
        ("database: opponent, sort: games", ""),
        ("", ""),
        ("database: opponent, player: Ann", "player is for database: player"),
        ("player: Ann", "player is for database: player"),
        ("database: lichess, sort: performance", "sort: performance is for database: player"),
        ("database: player, player: ''", "explorer.player"),
    ],
)
def test_what_fits_the_database(keys: str, problem: str) -> None:
    text = f"move_sources: {{online: {{explorer: {{{keys}}}}}}}"
    if problem:
        with pytest.raises(ConfigurationError, match=problem):
            parse_settings(text, "f.yml")
    else:
        assert not parse_settings(text, "f.yml").move_sources.online.explorer.enabled
