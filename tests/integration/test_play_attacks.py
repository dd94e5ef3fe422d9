"""Attacks on one game, over HTTP: each was found on a running bot, and cost it a game or hammered the server."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.engines import tiny_entry
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at
from tests.helpers.processes import wait_until
from tests.helpers.proxy import Break, Proxy

pytestmark = pytest.mark.slow

MakeBot = Callable[..., PlayingBot]


@pytest.fixture
def proxy(fake: FakeLichess) -> Iterator[Proxy]:
    """A proxy before the fake that passes everything on until asked otherwise."""
    with Proxy(fake.url) as one:
        yield one


def start_games(fake: FakeLichess, bot: PlayingBot, count: int, plies: int) -> list[str]:
    """So many games against opponents who resign after so many plies; all have begun."""
    names = [f"Shorty{number}" for number in range(count)]
    for name in names:
        fake.add_account(name, script=resigning_at(plies))
    return [fake.start_game(name, bot.name, clock=(180, 0)) for name in names]


@pytest.mark.slow
@pytest.mark.parametrize("how", list(Break))
def test_streams_that_end_right_after_the_game_full_are_opened_a_few_times_a_second(
    fake: FakeLichess, make_bot: MakeBot, proxy: Proxy, how: Break
) -> None:
    bot = make_bot(fake, url=proxy.url)
    proxy.break_after_first = how
    since_s = time.monotonic()
    games = start_games(fake, bot, 4, 60)
    time.sleep(6.0)
    opened, lasted_s = proxy.opened_since(since_s), time.monotonic() - since_s
    assert opened <= 15 + 6 * lasted_s
    assert all(len(fake.game(game_id).moves) >= 4 for game_id in games)  # the games go on
    proxy.break_after_first = None
    for game_id in games:
        check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.slow
def test_streams_without_news_are_opened_ever_more_rarely(fake: FakeLichess, make_bot: MakeBot, proxy: Proxy) -> None:
    bot = make_bot(fake, url=proxy.url)
    game_id = fake.start_game("Alice", bot.name, clock=(180, 0))
    assert wait_until(lambda: len(proxy.openings) == 1)
    since_s = time.monotonic()
    while time.monotonic() - since_s < 8.0:
        fake.drop_streams()
        time.sleep(0.01)
    assert proxy.opened_since(since_s) <= 10
    fake.player("Alice", game_id).move("e2e4")
    fake.wait_for_moves(game_id, 2)
    fake.player("Alice", game_id).resign()
    fake.wait_for_end(game_id)
    bot.finished(game_id)


@pytest.mark.slow
def test_two_programs_with_one_token_open_game_streams_slowly_and_the_game_goes_on(
    fake: FakeLichess, make_bot: MakeBot
) -> None:
    bots = [make_bot(fake), make_bot(fake)]
    game_id = fake.start_game("Alice", bots[0].name, clock=(60, 0))
    alice, since_s = fake.player("Alice", game_id), time.monotonic()
    for plies, move in ((2, "e2e4"), (4, "d2d4"), (6, "c2c4")):
        time.sleep(2.0)
        alice.move(move)
        fake.wait_for_moves(game_id, plies, timeout_s=15.0)
    assert len(fake.requests("game_stream", game_id)) <= 20 + 4 * (time.monotonic() - since_s)
    assert fake.game(game_id).black_ms > 30_000
    alice.resign()
    fake.wait_for_end(game_id)
    for bot in bots:
        bot.finished(game_id)


def test_a_damaged_line_after_a_lost_one_loses_no_game(fake: FakeLichess, make_bot: MakeBot, proxy: Proxy) -> None:
    bot = make_bot(fake, url=proxy.url)
    fake.add_account("Shorty", script=resigning_at(30))
    damaged = threading.Event()

    def damage(_number: int, line: bytes) -> bytes:
        data = json.loads(line)
        moves = data.get("moves", "").split()
        if data["type"] != "gameState" or len(moves) < 10 or damaged.is_set():
            return line
        if len(moves) % 2 == 0:
            return b""  # our move is not shown; the line after it, with the opponent's answer, is damaged
        damaged.set()
        return json.dumps(data | {"moves": " ".join([*moves[:-1], "a1a1"])}).encode() + b"\n"

    proxy.edit_line = damage
    report = play_to_the_end(bot, "Shorty")
    assert damaged.is_set()
    assert (report.status, report.winner) == ("resign", "black")


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["illegal", "none"])
def test_an_engine_that_answers_nonsense_for_ever_resigns_no_game(
    fake: FakeLichess, make_bot: MakeBot, behaviour: str
) -> None:
    fake.add_account("Shorty", script=resigning_at(20))
    bot = make_bot(fake, engine=tiny_entry(behaviour, slots=2), fallback=None)
    report = play_to_the_end(bot, "Shorty")
    assert (report.status, report.winner) == ("resign", "black")


def test_a_lost_answer_to_a_takeback_takes_back_once(fake: FakeLichess, make_bot: MakeBot, proxy: Proxy) -> None:
    bot = make_bot(fake, url=proxy.url, conduct={"takebacks": 3})
    game_id = fake.start_game("Alice", bot.name, clock=(180, 0))
    alice = fake.player("Alice", game_id)
    for plies, move in ((2, "e2e4"), (4, "d2d4")):
        alice.move(move)
        fake.wait_for_moves(game_id, plies)
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="takeback", account="bot88", fault="lost_answer", times=1),)))

    def hold_back_shorter_states(_number: int, line: bytes) -> bytes:
        data = json.loads(line)
        if data["type"] == "gameState" and len(data["moves"].split()) == 2:
            time.sleep(2.0)  # the stream is slower than the retry
        return line

    proxy.edit_line = hold_back_shorter_states
    alice.takeback()
    fake.wait_for(lambda: len(fake.game(game_id).moves) == 2, what="the takeback")
    time.sleep(3.0)
    assert len(fake.game(game_id).moves) == 2
    assert len([one for one in fake.requests("takeback", game_id) if one.account_id == "bot88"]) == 1
    alice.move("g1f3")
    fake.wait_for_moves(game_id, 4)
    alice.resign()
    check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.slow
def test_an_absent_opponent_of_an_abortable_game_is_not_claimed_against(make_fake: Any, make_bot: MakeBot) -> None:
    fake = make_fake(claim_after_s=0.5, gone_after_s=0.1)
    bot = make_bot(fake, conduct={"abort_after_s": 5.0})
    game_id = fake.start_game("Alice", bot.name, clock=(300, 0))
    assert wait_until(lambda: fake.open_game_streams(game_id) == 1)
    fake.player("Alice", game_id).leave()
    assert fake.wait_for_end(game_id).status == "aborted"
    bot.finished(game_id)
    assert fake.requests("claim_victory", game_id) == []


def test_a_final_line_that_comes_late_is_known_to_be_missing(
    fake: FakeLichess, make_bot: MakeBot, proxy: Proxy
) -> None:
    bot = make_bot(fake, url=proxy.url)
    fake.add_account("Shorty", script=resigning_at(12))

    def hold_back_the_end(_number: int, line: bytes) -> bytes:
        data = json.loads(line)
        if data.get("state", data).get("status", "started") != "started":
            time.sleep(6.0)
        return line

    proxy.edit_line = hold_back_the_end
    game_id = fake.challenge("Shorty", bot.name, clock=(120, 0), color="white")
    fake.wait_for_end(game_id)
    assert bot.finished(game_id).final_game is None
    proxy.edit_line = lambda _number, line: line
    again = fake.challenge("Shorty", bot.name, clock=(120, 0), color="white")
    fake.wait_for_end(again)
    assert bot.finished(again).final_game is not None


def test_a_game_accepted_while_no_thread_can_be_started_begins_when_it_can(
    fake: FakeLichess, make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = make_bot(fake)
    fake.add_account("Shorty", script=resigning_at(12))
    start = threading.Thread.start
    until_s = time.monotonic() + 2.0

    def start_later(thread: threading.Thread) -> None:
        of_a_game = thread.name.startswith(("game-", "outbox-", "actions-", "end-", "move-sources-"))
        if of_a_game and time.monotonic() < until_s:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_later)
    assert play_to_the_end(bot, "Shorty").winner == "black"
