"""Each invariant of the processes holds for what is right and notices a made-up violation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.soak import process_invariants
from benchmarks.soak.evidence import EndedGame, Sample, Search, position_key

ONE = EndedGame("one", "white", "standard", "mate", "white", ("e2e4", "e7e5", "d2d4", "d7d5"), 0, 0.0, 9.0)
TWO = replace(ONE, game_id="two", our_color="black", moves=("c2c4", "e7e5", "b1c3", "g8f6"))


def searches_of(game: EndedGame, pid: int, from_s: float = 0.0) -> list[Search]:
    """What the log has when one process made all our moves of a game."""
    plies = [ply for ply in range(len(game.moves)) if game.is_ours(ply)]
    return [
        Search(pid, from_s + ply, ply == plies[0], ply, position_key(game.moves[:ply]), game.moves[ply])
        for ply in plies
    ]


def test_a_move_that_no_engine_answered_is_noticed() -> None:
    searches = searches_of(ONE, 1) + searches_of(TWO, 2)
    assert process_invariants.moves_are_the_engines([ONE, TWO], searches) == []
    found = process_invariants.moves_are_the_engines([ONE, TWO], searches[:-1])
    assert [(one.game_id, one.text) for one in found] == [("two", "no engine answered g8f6 after 3 plies")]


def test_a_move_that_was_meant_for_another_position_is_noticed() -> None:
    searches = searches_of(ONE, 1)
    elsewhere = replace(searches[1], key=position_key(("e2e4", "c7c5")))
    assert len(process_invariants.moves_are_the_engines([ONE], [searches[0], elsewhere])) == 1


def test_one_process_after_the_other_game_is_not_shared() -> None:
    searches = searches_of(ONE, 1) + searches_of(TWO, 1, 10.0)
    assert process_invariants.engines_not_shared([ONE, TWO], searches) == []


def test_two_games_in_turn_on_one_process_are_noticed() -> None:
    searches = searches_of(ONE, 1) + searches_of(TWO, 1, 0.0)
    in_turn = [replace(search, first=True) for search in searches]
    again = [*in_turn, replace(in_turn[1], at_s=20.0)]
    assert "one" in {found.game_id for found in process_invariants.engines_not_shared([ONE, TWO], again)}


def test_two_games_under_one_new_game_are_noticed() -> None:
    mixed = [replace(search, first=number == 0) for number, search in enumerate(searches_of(ONE, 1))]
    mixed += [replace(search, first=False, at_s=0.5 + search.at_s) for search in searches_of(TWO, 1)]
    assert process_invariants.engines_not_shared([ONE, TWO], mixed) != []


def sample(at_s: float, life: int = 1, rss_mib: float = 70.0, threads: int = 20, descriptors: int = 30) -> Sample:
    return Sample(at_s, life, rss_mib, threads, descriptors, 4, 3)


def test_an_engine_process_too_many_is_noticed_unless_it_is_just_ending() -> None:
    latest = [sample(2.0 * number) for number in range(process_invariants.TRANSIENT_SAMPLES)]
    assert process_invariants.engines_bounded(latest, 4) == []
    assert len(process_invariants.engines_bounded(latest, 3)) == 1
    assert process_invariants.engines_bounded(latest[1:], 3) == []
    assert process_invariants.engines_bounded([*latest[1:], replace(latest[0], engines=3)], 3) == []


def test_a_connection_too_many_is_noticed() -> None:
    most = 2 * 4 + process_invariants.CONNECTIONS
    assert process_invariants.connections_bounded(replace(sample(0.0), sockets=most), 4) == []
    assert len(process_invariants.connections_bounded(replace(sample(0.0), sockets=most + 1), 4)) == 1


def test_an_engine_that_outlives_the_bot_is_noticed() -> None:
    assert process_invariants.no_engine_left([], "after SIGKILL") == []
    (found,) = process_invariants.no_engine_left({88, 7}, "after SIGKILL")
    assert found.text == "[7, 88] still run after SIGKILL"


@pytest.mark.parametrize("name", ["rss_mib", "threads", "descriptors"])
def test_growth_is_noticed(name: str) -> None:
    flat = [sample(2.0 * number) for number in range(200)]
    growing = [replace(one, **{name: getattr(one, name) + number * 0.5}) for number, one in enumerate(flat)]
    assert process_invariants.resources_flat(flat) == []
    assert [name in found.text for found in process_invariants.resources_flat(growing)] == [True]


def test_lives_are_judged_apart_and_short_ones_not_at_all() -> None:
    short = [sample(2.0 * number, life=1, rss_mib=number * 9.0) for number in range(20)]
    another = [sample(1000 + 2.0 * number, life=2, rss_mib=400.0) for number in range(200)]
    assert process_invariants.resources_flat(short + another) == []


@pytest.mark.parametrize(("code", "log"), [(1, []), (None, []), (0, ["Traceback (most recent call last):"])])
def test_a_bad_end_is_noticed(code: int | None, log: list[str]) -> None:
    assert process_invariants.ends_cleanly(0, ["all well"]) == []
    assert len(process_invariants.ends_cleanly(code, log)) == 1
