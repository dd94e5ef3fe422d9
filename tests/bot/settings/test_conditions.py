"""Conditions of rules: what they hold for, and what is no condition."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import ConfigurationError
from bot.settings import Facts, GameConditions, fastest_and_slowest, parse_settings

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
        ("rules: [{users: [ann, rude.txt]}]", "rules[1].users[2]: 'rude.txt' is no user's name; lists of users"),
        ("conduct: {rules: [{users: '@ann'}]}", "conduct.rules[1].users: '@ann' is no user's name"),
        ("challenges: {rules: [{titles: [gm], accept: true}]}", "challenges.rules[1].titles[1]: 'gm' is not known"),
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
