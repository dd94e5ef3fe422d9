"""Profiles of challengers, and the facts that a challenge is judged by."""

from __future__ import annotations

import pytest

from bot.account.admission import Admission
from bot.account.challenges.challenge_rules import PROFILE_AGE_S, PROFILES_KEPT, ChallengeJudge, Judgement, Profiles
from bot.account.slots import Slots, SlotUse
from bot.errors import LichessError, NetworkError, NotFound, RateLimited
from bot.events.game import Player
from bot.lichess.values import UserProfile
from bot.settings import Profile, Settings
from tests.bot.account.challenges.test_challenge_queue import Server, queue_of
from tests.bot.account.challenges.test_challenge_rules import BOT, challenge
from tests.helpers.processes import wait_until

NOW_S = 1e9
OLD = UserProfile(created_s=NOW_S - 10.9 * 86_400, games=40)


def test_what_was_found_out_holds_for_a_while() -> None:
    server, now = Server(), [NOW_S]
    server.profile = OLD
    profiles = Profiles(server, wall_s=lambda: now[0])
    assert profiles.known("ann") is None
    assert profiles.fetch("ann") == Profile(10, 40)
    assert profiles.known("ann") == Profile(10, 40)
    now[0] += PROFILE_AGE_S
    assert profiles.known("ann") == Profile(11, 40)  # the account grows older meanwhile
    now[0] += 1
    assert profiles.known("ann") is None


@pytest.mark.parametrize("error", [NetworkError("cut"), RateLimited(60.0)])
def test_without_an_answer_nothing_is_known(error: LichessError) -> None:
    server = Server()
    server.profile = error
    assert Profiles(server).fetch("ann") is None


def test_a_user_whom_the_server_does_not_know_is_known_to_tell_nothing() -> None:
    server = Server()
    server.profile = NotFound(404, "no such user")
    assert Profiles(server).fetch("ann") == Profile()


def test_what_is_remembered_is_bounded() -> None:
    profiles = Profiles(Server())
    for number in range(PROFILES_KEPT + 5):
        profiles.fetch(f"user{number}")
    known = [profiles.known(f"user{number}") is not None for number in range(PROFILES_KEPT + 5)]
    assert known == [False] * 5 + [True] * PROFILES_KEPT


def test_the_queue_asks_who_somebody_is_only_where_a_rule_needs_it() -> None:
    server = Server()
    server.profile = UserProfile(created_s=0.0, games=3)
    rule = {"opponents": "human", "max_games": 4, "decline": "generic"}
    queue, _slots = queue_of(server, rules=rule, opponents=["human"])
    queue.receive(challenge(id="bot", challenger=BOT))
    queue.receive(challenge(id="few"))
    assert wait_until(lambda: sorted(server.declined) == [("bot", "noBot"), ("few", "generic")])
    assert server.asked == ["alice"]
    queue.receive(challenge(id="again"))
    assert wait_until(lambda: ("again", "generic") in server.declined)
    assert server.asked == ["alice"]


def test_a_rematch_is_not_declined_for_the_game_that_it_follows() -> None:
    """The offer may arrive before the end of the game, which it proves."""
    server = Server()
    queue, slots = queue_of(server, concurrency=3, games_per_opponent=1)
    slots.put("game0001", SlotUse.PLAYING, "alice")
    queue.receive(challenge(id="another"))
    queue.receive(challenge(id="rematch", rematch_of="game0001"))
    assert wait_until(lambda: server.declined == [("another", "later")] and server.accepted == ["rematch"])


def test_who_has_no_account_is_neither_looked_up_nor_taken_for_somebody_else() -> None:
    server = Server()
    judge = ChallengeJudge(
        Settings.model_validate(
            {"challenges": {"games_per_opponent": 1, "rules": {"max_games": 4, "decline": "generic"}}}
        ),
        slots := Slots(3),
        Profiles(server),
    )
    slots.put("arena-AbCd1234", SlotUse.OUTGOING, "")
    assert judge.judge(challenge(challenger=Player("", "Anonymous")), 0) == Judgement()
    assert judge.judge(challenge(challenger=Player("", "Anonymous")), 1).rule == "challenges.games_per_opponent"
    assert judge.judge(challenge(), 0).needs_profile


def test_games_with_the_challenger_are_counted_by_their_id() -> None:
    asked: list[tuple[str, float]] = []

    def recent_games(user_id: str, seconds: float) -> int:
        asked.append((user_id, seconds))
        return 2

    rules = {"games_per_opponent": 3, "rules": {"min_recent_games": 4, "decline": "later"}}
    settings = Settings.model_validate({"challenges": rules})
    judge = ChallengeJudge(settings, slots := Slots(5), Profiles(Server()), recent_games=recent_games)
    for number, opponent in enumerate(("bob", "alice")):
        slots.put(f"game{number}", SlotUse.PLAYING, opponent)
    assert judge.judge(challenge(), 1) == Judgement()
    assert judge.judge(challenge(), 2).rule == "challenges.games_per_opponent"
    slots.put("game2", SlotUse.PLAYING, "alice")
    assert judge.judge(challenge(), 0).rule == "challenges.rules[1]"
    assert set(asked) == {("alice", 3600.0)}


def test_a_refusal_names_the_command_that_it_follows() -> None:
    admission = Admission()
    judge = ChallengeJudge(Settings(), Slots(2), Profiles(Server()), admission=admission)
    assert judge.judge(challenge(), 0).rule == ""
    admission.block("alice")
    assert judge.judge(challenge(), 0) == Judgement("generic", "blocked")
    admission.paused = True
    assert judge.judge(challenge(), 0) == Judgement("later", "paused")
    judge.open = False
    assert judge.judge(challenge(), 0) == Judgement("later", "ending")
