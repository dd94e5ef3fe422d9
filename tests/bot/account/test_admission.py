"""A pause and blocks by command: logged once, obeyed by the challenge queue; blocks are kept over a restart."""

from __future__ import annotations

from pathlib import Path

from structlog.typing import EventDict

from bot.account.admission import Admission
from bot.account.challenges.challenge_queue import ChallengeQueue
from bot.account.challenges.challenge_rules import ChallengeJudge, Profiles
from bot.account.slots import Slots, SlotUse
from bot.archive.store import Store
from bot.errors import StoreError
from bot.settings import Settings
from tests.bot.account.challenges.test_challenge_queue import Server
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until


def test_a_pause_is_logged_once_and_undone(logs: list[EventDict]) -> None:
    admission = Admission()
    assert [admission.pause(), admission.pause()] == [True, False]
    assert admission.paused
    assert [admission.resume(), admission.resume()] == [True, False]
    assert not admission.paused
    assert [line["event"] for line in logs] == ["paused", "resumed"]


def test_blocks_outlive_a_restart_and_a_pause_does_not(tmp_path: Path, logs: list[EventDict]) -> None:
    store = Store(tmp_path / "store.sqlite3")
    admission = Admission(store)
    assert [admission.block("bob"), admission.block("bob"), admission.block("ann")] == [True, False, True]
    assert [admission.unblock("ann"), admission.unblock("ann")] == [True, False]
    assert [(line["event"], line["user"]) for line in logs] == [
        ("user_blocked", "bob"), ("user_blocked", "ann"), ("user_unblocked", "ann"),
    ]  # fmt: skip
    admission.pause()
    store.close()
    after = Admission(closed_at_end(Store(tmp_path / "store.sqlite3")))
    assert after.blocked == {"bob"}
    assert not after.paused


def test_a_store_that_cannot_be_read_costs_the_blocks_alone(logs: list[EventDict]) -> None:
    class BrokenStore(Store):
        def noted(self, name: str, read: object) -> list[str]:
            raise StoreError("locked")

    store = closed_at_end(BrokenStore())
    assert Admission(store).blocked == frozenset()
    assert [line["event"] for line in logs] == ["blocked_users_not_read"]


def test_a_pause_declines_what_waits_and_what_comes_until_it_is_undone() -> None:
    server, slots, admission = Server(), Slots(1), Admission()
    judge = ChallengeJudge(Settings(), slots, Profiles(server), admission=admission)
    queue = closed_at_end(ChallengeQueue(server, judge))
    slots.put("game", SlotUse.PLAYING, "ann")
    queue.start()
    queue.receive(challenge(id="waits"))
    admission.pause()
    assert wait_until(lambda: ("waits", "later") in server.declined)
    queue.configure(Settings())  # as a reload does
    queue.receive(challenge(id="comes"))
    assert wait_until(lambda: ("comes", "later") in server.declined)
    admission.resume()
    slots.release("game")
    queue.receive(challenge(id="next"))
    assert wait_until(lambda: server.accepted == ["next"])


def test_a_user_blocked_by_command_is_declined_also_from_the_queue() -> None:
    server, slots, admission = Server(), Slots(1), Admission()
    judge = ChallengeJudge(Settings(), slots, Profiles(server), admission=admission)
    queue = closed_at_end(ChallengeQueue(server, judge))
    slots.put("game", SlotUse.PLAYING, "ann")
    queue.start()
    one = challenge(id="waits")
    queue.receive(one)
    admission.block(one.challenger.id)
    assert wait_until(lambda: server.declined == [("waits", "generic")])
    queue.receive(challenge(id="comes"))
    assert wait_until(lambda: server.declined == [("waits", "generic"), ("comes", "generic")])
