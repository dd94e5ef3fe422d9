"""Rounds of a swiss: nobody meets anybody twice, colours alternate, one bye each at most."""

from __future__ import annotations

import dataclasses
import random

import pytest

from bot.fake_lichess.tournaments.swiss_pairing import Entrant, Round, pair


def entrants(number: int) -> dict[str, Entrant]:
    """Players named by their place."""
    return {name: Entrant(name, 0.0) for name in (f"p{index:02}" for index in range(number))}


def ranked(players: dict[str, Entrant]) -> list[Entrant]:
    """Best first, by points, then by name."""
    return sorted(players.values(), key=lambda one: (-one.points, one.id))


def play(players: dict[str, Entrant], games: Round, rng: random.Random) -> None:
    """Note the round with drawn results."""
    for white, black in games.pairs:
        score = rng.choice((0.0, 0.5, 1.0))
        for name, other, points, is_white in ((white, black, score, True), (black, white, 1 - score, False)):
            one = players[name]
            players[name] = dataclasses.replace(
                one,
                points=one.points + points,
                met=one.met | {other},
                balance=one.balance + (1 if is_white else -1),
                had_white=is_white,
            )
    if games.bye is not None:
        one = players[games.bye]
        players[games.bye] = dataclasses.replace(one, points=one.points + 1, had_bye=True)


@pytest.mark.parametrize("number", [2, 3, 4, 7, 8, 16, 33])
@pytest.mark.parametrize("seed", range(3))
def test_no_two_players_meet_twice(number: int, seed: int) -> None:
    players, rng, met = entrants(number), random.Random(seed), set()
    for _ in range(min(number - 1, 7)):
        games = pair(ranked(players))
        if games is None:
            assert number < 9, "so many players have somebody new to meet for seven rounds"
            break
        seen = [name for couple in games.pairs for name in couple] + ([games.bye] if games.bye else [])
        assert sorted(seen) == sorted(players), "everybody is paired once, or has the bye"
        for couple in games.pairs:
            assert frozenset(couple) not in met
            met.add(frozenset(couple))
        assert games.bye is None or not players[games.bye].had_bye
        play(players, games, rng)
        assert max(abs(one.balance) for one in players.values()) <= 2
    assert met


def test_the_upper_half_meets_the_lower_half_first() -> None:
    games = pair(ranked(entrants(8)))
    assert games is not None
    assert [frozenset(couple) for couple in games.pairs] == [
        frozenset({f"p{index:02}", f"p{index + 4:02}"}) for index in range(4)
    ]


def test_equal_points_meet() -> None:
    players = [Entrant("a", 2.0), Entrant("b", 2.0), Entrant("c", 1.0), Entrant("d", 1.0)]
    games = pair(players)
    assert games is not None
    assert {frozenset(couple) for couple in games.pairs} == {frozenset("ab"), frozenset("cd")}


def test_who_had_black_has_white_next() -> None:
    games = pair([Entrant("a", 1.0, balance=-1, had_white=False), Entrant("b", 1.0, balance=1, had_white=True)])
    assert games == Round((("a", "b"),))


def test_the_last_one_without_a_bye_has_it() -> None:
    players = [Entrant("a", 2.0), Entrant("b", 1.0), Entrant("c", 1.0, had_bye=True)]
    games = pair(players)
    assert games is not None
    assert games.bye == "b"


@pytest.mark.parametrize(
    "players",
    [
        [],
        [Entrant("a", 0.0)],
        [Entrant("a", 1.0, met=frozenset("b")), Entrant("b", 0.0, met=frozenset("a"))],
        [Entrant(name, 0.0, had_bye=True) for name in "abc"],
    ],
)
def test_no_round_without_new_opponents(players: list[Entrant]) -> None:
    assert pair(players) is None


def test_it_goes_back_where_the_last_two_have_met() -> None:
    players = [
        Entrant("a", 2.0),
        Entrant("b", 1.0),
        Entrant("c", 0.0, met=frozenset("d")),
        Entrant("d", 0.0, met=frozenset("c")),
    ]
    games = pair(players)
    assert games is not None
    assert frozenset("cd") not in [frozenset(couple) for couple in games.pairs]
