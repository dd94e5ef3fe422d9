"""Threads that meet in the account's shared state: each test fails without the locks of the class it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.account import game_registry
from bot.account.admission import Admission
from bot.account.challenges.challenge_queue import Acceptance, ChallengeQueue
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.game_registry import GameRegistry
from bot.account.slots import Slots, SlotUse
from bot.events.account import GameInfo
from bot.events.game import GameExport, Player
from bot.play.game_context import EndReason
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.fake_clock import FakeClock
from tests.helpers.game_harness import GameHarness
from tests.helpers.interleave import Threads, interleave
from tests.helpers.server import StubServer


def test_two_challenges_do_not_get_the_same_slot() -> None:
    def scenario(threads: Threads) -> None:
        slots = Slots(1)
        taken = threads.run(partial(slots.reserve, "one", "a"), partial(slots.reserve, "two", "b"))
        assert sorted(taken) == [False, True]

    interleave(scenario, Slots)


def test_two_correspondence_games_do_not_get_the_same_slot() -> None:
    def scenario(threads: Threads) -> None:
        slots = Slots(1)
        begun = threads.run(partial(slots.begin_if_free, "one", "a"), partial(slots.begin_if_free, "two", "b"))
        assert sorted(begun) == [False, True]

    interleave(scenario, Slots)


def test_an_id_is_recorded_once() -> None:
    def scenario(threads: Threads) -> None:
        slots = Slots(2)
        put = partial(slots.put_if_absent, "one", SlotUse.OUTGOING, "a", 60.0)
        assert sorted(threads.run(put, put)) == [False, True]

    interleave(scenario, Slots)


@pytest.mark.parametrize(
    "late",
    [lambda slots: slots.renew("one", 60.0), lambda slots: slots.release("one", SlotUse.ACCEPTED)],
    ids=["renew", "release"],
)
def test_a_game_that_begins_keeps_its_slot(late: Callable[[Slots], object]) -> None:
    def scenario(threads: Threads) -> None:
        slots = Slots(1)
        slots.reserve("one", "a")
        threads.run(partial(late, slots), partial(slots.put, "one", SlotUse.PLAYING, "a"))
        record = slots.get("one")
        assert record is not None
        assert record.use is SlotUse.PLAYING
        assert record.until_s is None

    interleave(scenario, Slots)


@pytest.mark.parametrize(
    "operation",
    [
        Slots.records,
        Slots.free,
        lambda slots: slots.get("one"),
        lambda slots: slots.put("new", SlotUse.PLAYING, "a"),
        lambda slots: slots.release("held"),
    ],
    ids=["records", "free", "get", "put", "release"],
)
def test_every_operation_may_meet_the_removal_of_lapsed_records(operation: Callable[[Slots], object]) -> None:
    def scenario(threads: Threads) -> None:
        clock = FakeClock(0.0)
        slots = Slots(9, clock)
        slots.put("one", SlotUse.ACCEPTED, "a", 60.0)
        slots.put("two", SlotUse.ACCEPTED, "a", 60.0)
        slots.put("held", SlotUse.PLAYING, "a")
        clock.now_s = 61.0
        threads.run(partial(operation, slots), slots.free)

    interleave(scenario, Slots)


@pytest.mark.parametrize(
    "operation", [Admission.pause, partial(Admission.block, user_id="ann")], ids=["pause", "block"]
)
def test_a_command_given_twice_at_once_changes_something_once(operation: Callable[[Admission], bool]) -> None:
    def scenario(threads: Threads) -> None:
        admission = Admission()
        assert sorted(threads.run(partial(operation, admission), partial(operation, admission))) == [False, True]

    interleave(scenario, Admission)


def test_users_blocked_at_once_are_both_blocked_and_remembered() -> None:
    class Memory:
        kept: tuple[str, ...] = ()

        def noted(self, _name: str, _read: object) -> list[str]:
            return []

        def note(self, _name: str, values: list[str]) -> None:
            self.kept = tuple(values)

    def scenario(threads: Threads) -> None:
        memory = Memory()
        admission = Admission(memory)  # type: ignore[arg-type]  # the part of a store that is used
        threads.run(partial(admission.block, "ann"), partial(admission.block, "bob"))
        assert admission.blocked == {"ann", "bob"}
        assert memory.kept == ("ann", "bob")

    interleave(scenario, Admission)


ALICE = Player("alice", "Alice")
GAME = GameInfo("abcdefgh", ALICE, speed="blitz")


class Loop:
    """A game loop that plays nothing. `game` is what the registry looks at when the loop has ended."""

    def __init__(self, info: GameInfo, _context: object, _on_end: object) -> None:
        self.info, self.game_id = info, info.game_id
        self.game: Any = type("Game", (), {"over": True})
        self.chat = None
        self.told_to_end = self.left = False

    def start(self) -> None:
        """Nothing to start."""

    def join(self, _timeout_s: float) -> bool:
        """It has ended."""
        return True

    @property
    def end_proved(self) -> bool:
        """Whether the game's stream showed its end."""
        return bool(self.game.over)

    def expect_end(self, *, certain: bool = False) -> None:
        """The server says that the game is over."""
        self.told_to_end = True

    def leave(self) -> None:
        """The bot ends."""
        self.left = True


class Registry(GameRegistry):
    """A registry of such loops, beside two slots."""

    def __init__(self) -> None:
        self.slots = Slots(2)
        super().__init__(GameHarness().context, self.slots)

    def end(self, reason: EndReason) -> None:
        """End the only game, as its loop's own thread does."""
        for loop in self.loops():
            self._loop_ended(loop, reason)

    @property
    def played(self) -> list[Any]:
        """The loops, which are of the class above."""
        return list(self.loops())

    def check(self) -> None:
        """A game that is played holds a slot, and no other game does."""
        played = {loop.game_id for loop in self.played}
        assert played == {record.game_id for record in self.slots.records() if record.use is SlotUse.PLAYING}


@pytest.fixture(autouse=True)
def loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let registries play with such loops."""
    monkeypatch.setattr(game_registry, "GameLoop", Loop)


def test_a_game_announced_twice_at_once_is_played_once() -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        assert sorted(threads.run(partial(registry.begin, GAME), partial(registry.begin, GAME))) == [False, True]
        registry.check()

    interleave(scenario, GameRegistry)


def test_a_game_that_is_over_while_it_begins_is_ended_or_never_played() -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        threads.run(partial(registry.begin, GAME), partial(registry.over, GameExport(GAME.game_id, "resign")))
        registry.check()
        assert all(loop.told_to_end for loop in registry.played)

    interleave(scenario, GameRegistry)


def test_no_game_is_left_playing_when_the_bot_ends_while_it_begins() -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        threads.run(partial(registry.begin, GAME), partial(registry.close, 1.0))
        assert all(loop.left for loop in registry.played)

    interleave(scenario, GameRegistry)


@pytest.mark.parametrize("reason", [EndReason.OVER, EndReason.PARKED])
def test_a_game_that_begins_again_while_its_loop_ends_holds_a_slot(reason: EndReason) -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        registry.begin(GAME)
        threads.run(partial(registry.end, reason), partial(registry.begin, GAME))
        registry.check()

    interleave(scenario, GameRegistry)


def test_a_game_that_has_just_ended_is_not_begun_by_a_late_announcement() -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        registry.begin(GAME)
        threads.run(partial(registry.end, EndReason.OVER), partial(registry.begin, GAME))
        assert registry.loops() == ()

    interleave(scenario, GameRegistry)


def test_a_game_may_become_due_while_due_games_begin() -> None:
    def scenario(threads: Threads) -> None:
        registry = Registry()
        registry._due = {name: replace(GAME, game_id=name) for name in ("game0001", "game0002")}
        due = replace(GAME, game_id="game0001", speed="correspondence", is_my_turn=False)
        threads.run(registry.begin_due, partial(registry.begin, due))

    interleave(scenario, GameRegistry)


def queue_with_a_challenge() -> tuple[ChallengeQueue, Callable[[], None]]:
    """A queue whose thread was not started, and its task: to judge a challenge."""
    settings = Settings.model_validate({"challenges": {"queue": 5}})
    queue = ChallengeQueue(StubServer(), ChallengeJudge(settings, Slots(1), Profiles(StubServer())))
    queue.receive(challenge())
    judge = queue._next_judgement()
    assert judge is not None
    return queue, judge


def test_a_challenge_is_judged_once_however_often_the_stream_repeats_it() -> None:
    def scenario(threads: Threads) -> None:
        queue, judge = queue_with_a_challenge()
        threads.run(judge, partial(queue.receive, challenge()))
        assert len(queue.waiting()) + len(queue._unjudged) == 1

    interleave(scenario, ChallengeQueue)


def test_a_challenge_cancelled_while_it_is_judged_is_forgotten() -> None:
    def scenario(threads: Threads) -> None:
        queue, judge = queue_with_a_challenge()
        threads.run(judge, partial(queue.canceled, challenge().id))
        assert queue.waiting() == ()
        assert not queue._unjudged

    interleave(scenario, ChallengeQueue)


def test_a_challenge_cancelled_while_its_acceptance_is_repeated_ends_no_thread() -> None:
    def scenario(threads: Threads) -> None:
        queue, _ = queue_with_a_challenge()
        queue._unanswered = {challenge().id: Acceptance(challenge())}  # without a slot: it has lapsed

        def work() -> None:
            with queue._condition:
                queue._next()

        threads.run(work, partial(queue.canceled, challenge().id))
        assert not queue._unanswered

    interleave(scenario, ChallengeQueue)


def test_the_thread_of_the_queue_is_woken_and_ends() -> None:
    def scenario(threads: Threads) -> None:
        queue = ChallengeQueue(StubServer(), ChallengeJudge(Settings(), Slots(0), Profiles(StubServer())))

        def receive_and_close() -> None:
            queue.receive(challenge())
            queue.canceled(challenge().id)
            queue.close()

        threads.run(queue._work, receive_and_close)
        assert queue.waiting() == ()

    interleave(scenario, ChallengeQueue)
