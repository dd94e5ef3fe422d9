"""Pairings, points and standings of an arena."""

from __future__ import annotations

import itertools
from typing import Any

import chess
import pytest

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.tournaments.arena import (
    FINISHED,
    STARTED,
    Arena,
    ArenaTerms,
    Result,
    on_fire,
    performance_rating,
    points_of,
)
from bot.fake_lichess.tournaments.arena_json import full_arena
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS

GAME = Terms(VARIANTS["standard"], TimeControl(60_000, 0))
EQUAL = {chess.WHITE: 1500, chess.BLACK: 1500}


def arena_of(*names: str, **terms: object) -> Arena:
    """A running arena with these players."""
    arena = Arena("abcdefgh", ArenaTerms("Test", GAME, 10, 0, **terms), Account("Director"))  # type: ignore[arg-type]  # fields by name
    arena.status = STARTED
    for name in names:
        arena.join(Account(name), None)
    return arena


def play(arena: Arena, winner: chess.Color | None) -> list[str]:
    """One round: pair, begin, end; every game with the same result. Gives "white-black" names."""
    pairs = arena.next_pairs()
    for number, (white, black) in enumerate(pairs):
        arena.began(f"game{number}", white, black)
    assert arena.next_pairs() == [], "who plays is not paired again"
    for white, black in pairs:
        arena.ended(Result(winner, EQUAL), white, black)
    return [f"{white.account.name}-{black.account.name}" for white, black in pairs]


def test_nobody_meets_the_same_opponent_twice_in_a_row() -> None:
    arena = arena_of("A", "B", "C", "D")
    rounds = [play(arena, chess.WHITE) for _ in range(6)]
    met = [{frozenset(pair.split("-")) for pair in pairs} for pairs in rounds]
    assert [len(pairs) for pairs in met] == [2] * 6
    assert all(not (one & other) for one, other in itertools.pairwise(met))


def test_two_players_meet_again_and_change_colors() -> None:
    arena = arena_of("A", "B")
    assert [play(arena, None) for _ in range(4)] == [["A-B"], ["B-A"], ["A-B"], ["B-A"]]


def test_the_standings_are_by_points() -> None:
    arena = arena_of("A", "B", "C", "D")
    play(arena, chess.WHITE)
    leaders = arena.standings()
    assert [sum(player.points(True)) for player in leaders] == [2, 2, 0, 0]


def test_who_won_the_latest_two_games_is_on_fire() -> None:
    arena = arena_of("A", "B")
    play(arena, chess.WHITE)
    play(arena, chess.BLACK)  # colors change
    shown: dict[str, Any] = full_arena(arena, 0, 1, {})
    first, second = shown["standing"]["players"]
    assert (first["name"], first["sheet"]) == ("A", {"scores": "22", "fire": True})
    assert (second["name"], second["sheet"]) == ("B", {"scores": "00"})


def test_a_break_keeps_the_points_and_joining_ends_it() -> None:
    arena = arena_of("A", "B")
    play(arena, chess.WHITE)
    account = arena.players["a"].account
    arena.withdraw(account)
    assert arena.next_pairs() == []
    arena.join(account, None)
    assert len(arena.next_pairs()) == 1
    assert sum(arena.players["a"].points(True)) == 2


def test_what_ends_after_the_arena_does_not_count() -> None:
    arena = arena_of("A", "B")
    ((white, black),) = arena.next_pairs()
    arena.began("game", white, black)
    arena.status = FINISHED
    arena.ended(Result(chess.WHITE, EQUAL), white, black)
    assert white.results == []


@pytest.mark.parametrize(
    ("terms", "account", "password", "text"),
    [
        ({}, Account("Robot", title="BOT"), None, "Tournament restrictions"),
        ({"min_rating": 1600}, Account("Weak"), None, "Tournament restrictions"),
        ({"max_rating": 1400}, Account("Strong"), None, "Tournament restrictions"),
        ({"password": "sesame"}, Account("Guest"), "open", "Wrong entry code"),
    ],
)
def test_who_may_not_join(terms: dict[str, object], account: Account, password: str | None, text: str) -> None:
    with pytest.raises(ApiError, match=text):
        arena_of(**terms).join(account, password)


def test_bots_join_where_they_are_allowed() -> None:
    arena = arena_of(bots_allowed=True)
    arena.join(Account("Robot", title="BOT"), None)
    assert list(arena.players) == ["robot"]


@pytest.mark.parametrize(
    ("plies", "winner", "points"), [(14, chess.WHITE, 3), (13, chess.WHITE, 2), (20, chess.BLACK, 0), (20, None, 1)]
)
def test_a_won_berserk_earns_a_point_more(plies: int, winner: chess.Color | None, points: int) -> None:
    arena = arena_of("A", "B")
    white, black = arena.next_pairs()[0]
    arena.began("game", white, black)
    arena.ended(Result(winner, EQUAL, plies, frozenset({chess.WHITE})), white, black)
    assert (sum(white.points(True)), white.berserks, black.berserks) == (points, 1, 0)


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([1, 1, 1, 1], [2, 2, 4, 4]),
        ([1, 1, 0.5, 1, 1, 1], [2, 2, 2, 2, 2, 4]),
        ([1, 1, 0, 1], [2, 2, 0, 2]),
        ([0.5, 0.5, 0.5, 1], [1, 0, 0, 2]),
        ([], []),
    ],
)
def test_points_are_doubled_on_a_streak(results: list[float], points: list[int]) -> None:
    assert points_of(results) == points


def test_without_streaks_every_win_is_worth_two() -> None:
    assert points_of([1, 1, 1], streaks=False) == [2, 2, 2]
    assert [on_fire(results) for results in ([1], [1, 1], [1, 1, 0.5])] == [False, True, False]


def test_the_performance_is_the_mean_of_opponents_and_results() -> None:
    assert performance_rating([(1500, 1.0), (1700, 0.0), (1600, 0.5)]) == 1600
    assert performance_rating([(1500, 1.0)]) == 2000
    assert performance_rating([]) == 0
