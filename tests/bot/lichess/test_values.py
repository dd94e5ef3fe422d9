"""Answers of single requests as values, whatever the server leaves out."""

from __future__ import annotations

from typing import Any

import pytest

from bot.lichess.values import (
    Account,
    Arena,
    OnlineBot,
    Team,
    UserProfile,
    UserStatus,
    parse_account,
    parse_arena,
    parse_online_bot,
    parse_scopes,
    parse_team,
    parse_user_profile,
    parse_user_status,
)


@pytest.mark.parametrize(
    ("perf", "counts"),
    [
        ({"rating": 1800, "games": 20}, True),
        ({"rating": 1800, "games": 20, "prov": False}, True),
        ({"rating": 1800, "games": 20, "prov": True}, False),
        ({"rating": 1500, "games": 0}, False),
        ({"rating": 0, "games": 20}, False),
        ({"rating": -1, "games": 20}, False),
        ({"rating": 1800, "games": -1}, False),
        ({"games": 20}, False),
        ("odd", False),
    ],
)
def test_our_rating_counts_once_it_is_established(perf: Any, counts: bool) -> None:
    account = parse_account({"username": "Me", "perfs": {"blitz": perf}})
    assert dict(account.ratings) == ({"blitz": 1800} if counts else {})


@pytest.mark.parametrize(
    ("fields", "disabled"), [({}, False), ({"disabled": True}, True), ({"tosViolation": True}, True)]
)
def test_a_closed_or_marked_account_is_disabled(fields: dict[str, bool], disabled: bool) -> None:
    account = parse_account({"id": "me", "username": "Me", **fields})
    assert (account.disabled, account.id, account.is_bot) == (disabled, "me", False)
    assert (account == Account("me", "Me")) is not disabled


def test_what_has_no_id_or_name_is_known_by_the_other() -> None:
    assert parse_account({"username": "MyBot"}).id == parse_online_bot({"username": "MyBot"}).id == "mybot"
    assert parse_arena({"id": "arena1"}).name == "arena1"
    assert parse_team({"id": "team1"}).name == "team1"


@pytest.mark.parametrize(
    ("fields", "started"),
    [({"secondsToStart": 5}, False), ({"secondsToFinish": 600}, True), ({"isFinished": True}, False)],
)
def test_games_are_begun_in_an_arena_from_its_start_to_its_end(fields: dict[str, Any], started: bool) -> None:
    assert parse_arena({"id": "arena1", **fields}).started is started


def test_a_user_as_others_see_them() -> None:
    told = {"id": "ann", "name": "Ann", "title": "GM", "online": True}
    assert parse_user_status(told) == UserStatus("ann", "Ann", "GM", online=True)


def test_every_field_of_an_answer_has_its_place() -> None:
    assert parse_account({"id": "me", "username": "Me", "title": "BOT", "count": {"all": 7}}) == Account(
        "me", "Me", "BOT", games=7
    )
    assert parse_account({"title": "BOT"}).is_bot
    assert parse_team({"id": "t", "name": "T", "requested": True}) == Team("t", "T", requested=True)
    assert parse_arena({"id": "a", "fullName": "A", "secondsToStart": 0}) == Arena("a", "A", starts_in_s=0)
    assert parse_user_profile({"createdAt": 1500, "count": {"all": 3}}) == UserProfile(1.5, 3)
    assert parse_user_profile({"createdAt": 0}) == UserProfile(0.0, None)
    assert parse_online_bot({"id": "b", "username": "Bee", "perfs": {"blitz": {"rating": 0}, "x": {}}}) == OnlineBot(
        "b", "Bee", {"blitz": 0}
    )


def test_scopes_are_separated_by_commas_or_spaces() -> None:
    assert parse_scopes({"userId": "me", "scopes": "bot:play, challenge:write"}) == frozenset(
        {"bot:play", "challenge:write"}
    )
    assert parse_scopes({"userId": "me", "scopes": ""}) == frozenset()
    assert parse_scopes(None) is None
