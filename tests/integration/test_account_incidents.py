"""What goes wrong around the games: the event stream, challenges, the list of games, the server itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.account.account_reader import AccountReader
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from bot.lichess.values import ChallengeTerms
from tests.helpers.examples import first_quick
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at
from tests.helpers.processes import wait_until

MakeBot = Callable[..., PlayingBot]


@pytest.fixture
def opponent(fake: FakeLichess) -> str:
    """One who resigns after 16 plies."""
    fake.add_account("Shorty", script=resigning_at(16))
    return "Shorty"


def on(endpoint: str, **fields: Any) -> FaultPlan:
    """One fault on an endpoint."""
    return FaultPlan(rules=(FaultRule(endpoint=endpoint, **fields),))


def test_event_stream_is_half_dead(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    """Keep-alives only: the game that began unheard is found on the list, and the stream reopened."""
    bot = make_bot(fake, reconcile_every_s=1.0)
    fake.set_faults(on("event_stream", fault="keepalives_only", times=1))
    game_id = fake.start_game(opponent, bot.name, clock=(120, 0))
    check_end(bot, fake.wait_for_end(game_id))


def opened_again(reader: AccountReader) -> None:
    """Open the account's stream again: every running game is announced again."""
    before = reader.opened_s
    reader.reopen("the test wants gameStart again")
    assert wait_until(lambda: reader.opened_s not in (None, before))


def test_game_start_is_repeated_five_times(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake)
    game_id = fake.start_game("Alice", bot.name, clock=(120, 0))
    assert wait_until(lambda: bot.lent() == 1)
    info = bot.dispatcher.registry.loops()[0].info
    for _ in range(5):
        assert not bot.dispatcher.registry.begin(info)
    reader = bot.dispatcher.reader
    for _ in range(5):
        opened_again(reader)
    fake.player("Alice", game_id).move("e2e4")
    fake.wait_for_moves(game_id, 2)
    assert bot.lent() == 1
    assert len(bot.dispatcher.registry.loops()) == 1
    assert fake.open_game_streams(game_id) == 1
    fake.player("Alice", game_id).resign()
    check_end(bot, fake.wait_for_end(game_id))


@first_quick("fault", ["cut", "reset", "garbage", "half_line", "unknown_event", "duplicate"])
def test_event_stream_breaks(fake: FakeLichess, make_bot: MakeBot, opponent: str, fault: str) -> None:
    bot = make_bot(fake)
    fake.set_faults(on("event_stream", fault=fault, times=3))
    assert play_to_the_end(bot, opponent).winner == "black"


@first_quick(
    "fields",
    [
        {"fault": "rate_limit", "limit": "retry_after", "seconds": 1},
        {"fault": "status", "status": 502},
        {"fault": "lost_answer"},
        {"fault": "reset"},
        {"fault": "status", "status": 504, "applied": True},
    ],
    ids=["429", "502", "lost", "reset", "504-applied"],
)
def test_accept_fails_and_is_repeated(
    fake: FakeLichess, make_bot: MakeBot, opponent: str, fields: dict[str, Any]
) -> None:
    bot = make_bot(fake)
    fake.set_faults(on("challenge_accept", times=1, **fields))
    assert play_to_the_end(bot, opponent).winner == "black"


def test_accept_answers_404_and_the_slot_is_free_again(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    bot = make_bot(fake, concurrency=1)
    fake.set_faults(on("challenge_accept", fault="status", status=404, body="json", times=1))
    lost = fake.challenge("Alice", bot.name, clock=(120, 0))
    assert wait_until(lambda: bool(fake.requests("challenge_accept")))
    assert fake.challenge_status(lost) == "created"
    assert wait_until(lambda: bot.dispatcher.slots.free() == 1)
    assert play_to_the_end(bot, opponent).winner == "black"


def test_limited_accept_against_bots_declines_and_takes_people(fake: FakeLichess, make_bot: MakeBot) -> None:
    """The daily limit of games between bots stops neither the program nor games with people."""
    fake.add_account("Shorty", script=resigning_at(16))
    bot = make_bot(fake)
    fake.set_faults(on("challenge_accept", fault="rate_limit", limit="key", seconds=3600, times=1))
    from_bot = fake.challenge("OtherBot", bot.name, clock=(120, 0))
    fake.wait_for(lambda: fake.challenge_status(from_bot) == "declined", what="the decline")
    assert play_to_the_end(bot, "Shorty").winner == "black"


def test_list_of_games_fails(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    fake.set_faults(on("playing", fault="status", status=500))
    bot = make_bot(fake, reconcile_every_s=0.2)
    assert play_to_the_end(bot, opponent).winner == "black"
    assert wait_until(lambda: len(fake.requests("playing")) >= 2)


@pytest.mark.slow
def test_server_restarts_in_mid_game(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    bot = make_bot(fake)
    game_id = fake.challenge(opponent, bot.name, clock=(120, 0), color="white")
    fake.wait_for_moves(game_id, 6)
    fake.restart(down_s=2.0)
    check_end(bot, fake.wait_for_end(game_id))
    assert not bot.dispatcher.snapshot().token_used_twice
    assert play_to_the_end(bot, opponent).winner == "black"


@pytest.mark.slow
def test_server_is_away_for_a_minute(fake: FakeLichess, make_bot: MakeBot, opponent: str) -> None:
    bot = make_bot(fake)
    game_id = fake.challenge(opponent, bot.name, clock=(300, 0), color="white")
    fake.wait_for_moves(game_id, 6)
    assert fake._loop is not None
    asyncio.run_coroutine_threadsafe(fake._restart(60.0), fake._loop).result(180.0)
    report = fake.wait_for_end(game_id, 120)
    check_end(bot, report)
    assert report.winner == "black"
    assert not bot.dispatcher.snapshot().token_used_twice


def test_one_token_in_two_programs_is_noticed(fake: FakeLichess, make_bot: MakeBot) -> None:
    one, other = make_bot(fake), make_bot(fake)
    readers = [bot.dispatcher.reader for bot in (one, other)]
    assert wait_until(lambda: any(reader.token_used_twice for reader in readers))


def test_slots_are_never_exceeded(fake: FakeLichess, make_bot: MakeBot) -> None:
    """A challenge of our own that nobody has answered counts, for it may become a game at any moment."""
    bot = make_bot(fake, concurrency=2, challenges={"games_per_opponent": 5})
    sent = bot.gateway.create_challenge(ChallengeTerms("Alice", 180, 0))
    assert wait_until(lambda: bot.dispatcher.slots.get(sent.id) is not None)
    waiting = [fake.challenge(name, bot.name, clock=(180, 0)) for name in ("Bobby", "Fresh")]
    fake.wait_for(lambda: fake.challenge_status(waiting[0]) == "accepted", what="the first to be accepted")
    assert wait_until(lambda: [one.id for one in bot.dispatcher.queue.waiting()] == waiting[1:])
    assert bot.dispatcher.slots.free() == 0
    assert len(bot.dispatcher.registry.loops()) <= 1
    fake.decline("Alice", sent.id)
    assert wait_until(lambda: [fake.challenge_status(one) for one in waiting] == ["accepted", "accepted"])


def test_a_challenge_taken_back_is_forgotten(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake, concurrency=1)
    running = fake.challenge("Alice", bot.name, clock=(180, 0))
    fake.wait_for_game(running)
    waiting = fake.challenge("Bobby", bot.name, clock=(180, 0))
    assert wait_until(lambda: len(bot.dispatcher.queue.waiting()) == 1)
    fake.cancel("Bobby", waiting)
    assert wait_until(lambda: not bot.dispatcher.queue.waiting())
    assert bot.dispatcher.slots.free() == 0


def test_declined_with_the_reason(fake: FakeLichess, make_bot: MakeBot) -> None:
    bot = make_bot(fake, challenges={"variants": ["standard"]})
    atomic = fake.challenge("Alice", bot.name, clock=(180, 0), variant="atomic")
    fake.wait_for(lambda: fake.challenge_status(atomic) == "declined", what="the decline")
    assert not bot.dispatcher.registry.loops()
