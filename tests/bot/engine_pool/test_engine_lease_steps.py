"""A game's engine step by step: which process serves, and how each ends; on a fake clock, with fake processes."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine_pool.values import IllegalMove
from bot.errors import EngineDied, EngineError, EngineStartError, EngineTimeout
from tests.helpers.leased_game import E4, Game, MadeUpProcess, Source, run


def test_an_engine_is_ready_before_the_first_search_and_says_who_it_is() -> None:
    async def story() -> None:
        one = MadeUpProcess("one")
        game = Game(Source(one))
        assert (game.lease.pid, game.lease.name, game.lease.elo) == (None, "", None)
        await asyncio.sleep(1.0)
        assert (game.lease.pid, game.lease.name, game.lease.elo) == (4711, "one", 1600)
        one.protocol.id["name"] = "One 1.0"
        assert game.lease.name == "One 1.0"
        answer = await game.move()
        assert answer is not None
        assert (answer.move, answer.engine, answer.info.depth, answer.replaced) == (E4, "one", 3, 0)
        assert one.pondering == [False]  # nobody asked for it
        assert game.source.noted == ["move", "better than one?"]

    run(story)


def test_a_search_is_begun_anew_with_the_next_process_until_none_is_left() -> None:
    async def story() -> None:
        broken = [MadeUpProcess(name, IllegalMove(f"{name} gave no move")) for name in ("one", "two")]
        game = Game(Source(*broken, MadeUpProcess("three")))
        answer = await game.move()
        assert answer is not None
        assert (answer.move, answer.engine, answer.replaced) == (E4, "three", 2)
        assert game.source.noted == [
            "move", "one failed: one gave no move", "one retired: one gave no move",
            "two failed: two gave no move", "two retired: two gave no move", "better than three?",
        ]  # fmt: skip
        game = Game(Source(*broken))
        answer = await game.move()
        assert answer is not None
        assert (answer.move, str(answer.error), answer.replaced) == (None, "two gave no move", 2)

    assert [(line["event"], line["times"]) for line in run(story)] == [
        ("engine_failed", times) for times in (1, 2, 1, 2)
    ]


@pytest.mark.parametrize("error", [EngineDied("gone"), None])
def test_after_the_game_nothing_is_begun_any_more(error: EngineError | None) -> None:
    async def story() -> None:
        one = MadeUpProcess("one", error)
        one.thinking.clear()
        game = Game(Source(one, MadeUpProcess("two"), MadeUpProcess("three")))
        await game.move()
        game.lease._closed = True  # given back; what ends the search has not arrived yet
        one.thinking.set()
        await asyncio.sleep(5.0)
        assert [answer.error for answer in game.answers] == [error]
        assert len(game.source.acquired) == 1
        assert "better than one?" not in game.source.noted

    run(story)


@pytest.mark.parametrize(("more", "waited_s"), [(True, 5.0), (False, 7.5)])
def test_a_process_that_does_not_come_in_time_is_given_up(more: bool, waited_s: float) -> None:
    """With another engine to turn to after a twelfth of the clock, else after an eighth."""

    async def story() -> None:
        source = Source(MadeUpProcess("slow"), *[MadeUpProcess("other")] * more, after_s=100.0)
        game = Game(source)
        assert await game.move(within_s=waited_s - 0.5) is None
        assert not source.acquired[0].abandoned
        source.after_s = 0.0
        await asyncio.sleep(1.0)
        assert source.acquired[0].abandoned
        assert source.noted[1] == f"slow failed: slow: no process was ready in {waited_s:.1f} s (excluded)"
        (answer,) = game.answers
        assert (answer.move, isinstance(answer.error, EngineTimeout)) == ((E4, False) if more else (None, True))
        await asyncio.sleep(200.0)
        assert source.noted[-1] == "slow released"  # it came after all

    run(story)


def test_a_process_that_cannot_start_is_followed_by_another_before_the_next_search() -> None:
    async def story() -> None:
        game = Game(Source(EngineStartError("no licence"), MadeUpProcess("two")))
        await asyncio.sleep(1.0)
        assert (game.lease.name, game.source.noted) == ("two", ["broken failed: no licence"])

    assert [line["event"] for line in run(story)] == ["engine_acquisition_failed"]


def test_a_bug_on_the_way_to_a_process_is_told_and_is_no_failure_of_the_engine() -> None:
    async def story() -> None:
        game = Game(Source(ValueError("a bug"), MadeUpProcess("two")))
        await asyncio.sleep(1.0)
        assert game.source.noted == []
        answer = await game.move()
        assert answer is not None
        assert answer.engine == "two"

    assert [line["event"] for line in run(story)] == ["engine_acquisition_crashed"]


def test_an_engine_that_fails_between_two_moves_is_replaced_and_its_late_news_ignored() -> None:
    async def story() -> None:
        one, two = MadeUpProcess("one"), MadeUpProcess("two")
        game = Game(Source(one, two, MadeUpProcess("three")))
        await asyncio.sleep(1.0)
        assert one.on_failed is not None
        one.on_failed(one)  # nothing has happened to it
        assert game.lease.name == "one"
        one.fail(EngineDied("gone"))
        await asyncio.sleep(1.0)
        one.on_failed(one)
        assert (game.lease.name, game.source.noted) == ("two", ["one retired: gone"])
        game.source.available.clear()
        two.fail(EngineDied("gone, too"))
        await asyncio.sleep(1.0)
        assert (game.lease.name, game.source.noted[1:]) == ("", ["two retired: gone, too"])

    assert [line["event"] for line in run(story)] == ["engine_failed_between_moves"] * 2


def test_the_engine_goes_back_once_and_a_search_of_an_ended_game_stays_unanswered() -> None:
    async def story() -> None:
        one = MadeUpProcess("one")
        one.thinking.clear()
        game = Game(Source(one, MadeUpProcess("two")))
        assert await game.move() is None
        game.lease.give_back()
        game.lease.give_back()
        await asyncio.sleep(1.0)
        one.thinking.set()
        await asyncio.sleep(1.0)
        assert (game.freed, game.answers, game.lease.pid) == (1, [], None)
        assert game.source.noted == ["move", "one released"]
        assert len(game.source.acquired) == 1

    run(story)


def test_a_search_that_the_closing_pool_ends_is_answered() -> None:
    async def story() -> None:
        one = MadeUpProcess("one")
        one.thinking.clear()
        game = Game(Source(one))
        assert await game.move() is None
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(1.0)
        assert [str(answer.error) for answer in game.answers] == ["the engine pool is closing"]

    run(story)


def test_a_process_that_comes_after_the_game_goes_back() -> None:
    async def story() -> None:
        game = Game(Source(MadeUpProcess("one"), MadeUpProcess("two"), after_s=10.0))
        await asyncio.sleep(1.0)
        game.lease.give_back()
        await asyncio.sleep(20.0)
        assert game.source.acquired[0].abandoned
        assert (game.source.noted, len(game.source.acquired)) == (["one released"], 1)
        late = Game(Source(MadeUpProcess("one")))
        late.lease.give_back()
        await asyncio.sleep(1.0)
        assert late.source.acquired == []

    run(story)


def test_a_preferred_engine_that_is_back_serves_from_the_next_move_on() -> None:
    async def story() -> None:
        game = Game(Source(MadeUpProcess("fallback")))
        await asyncio.sleep(1.0)
        game.source.preferred = MadeUpProcess("preferred")
        answer = await game.move()
        assert answer is not None
        assert (answer.engine, game.lease.name) == ("fallback", "preferred")
        assert game.source.noted == ["move", "better than fallback?", "fallback released"]

    run(story)


def test_a_preferred_engine_that_comes_during_a_search_waits_for_its_end() -> None:
    async def story() -> None:
        serving, preferred = MadeUpProcess("serving"), MadeUpProcess("preferred")
        game = Game(Source(serving))
        await asyncio.sleep(1.0)
        game.source.preferred, game.source.after_s = preferred, 3.0
        await game.move(within_s=1.0)
        serving.thinking.clear()
        assert await game.move() is None
        assert (game.lease.name, game.source.noted[-1]) == ("serving", "preferred released")

    run(story)


def test_a_preferred_engine_on_its_way_is_not_asked_for_again() -> None:
    async def story() -> None:
        game = Game(Source(MadeUpProcess("serving")))
        await asyncio.sleep(1.0)
        game.source.preferred, game.source.after_s = MadeUpProcess("preferred"), 3.0
        for _ in range(2):
            await game.move(within_s=1.0)
        assert game.source.noted.count("better than serving?") == 1
        await asyncio.sleep(5.0)
        assert game.lease.name == "preferred"

    run(story)
