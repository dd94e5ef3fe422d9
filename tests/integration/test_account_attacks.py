"""Attacks on what surrounds the games, over HTTP: lying lists, hostile answers, floods, no threads, lost tokens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from structlog.testing import capture_logs

from bot.account import game_registry, reconciler
from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot, check_end, play_to_the_end, resigning_at
from tests.helpers.processes import wait_until
from tests.helpers.proxy import Proxy, json_answer

MakeBot = Callable[..., PlayingBot]
LIST = "/api/account/playing"
EMPTY_LIST = json_answer(b'{"nbMyTurn":0,"nowPlaying":[]}')


@pytest.fixture
def proxy(fake: FakeLichess) -> Iterator[Proxy]:
    """A proxy before the fake that passes everything on until asked otherwise."""
    with Proxy(fake.url) as one:
        yield one


def answer_list_with(proxy: Proxy, answer: bytes) -> None:
    """Answer every question for the list of running games so."""
    proxy.answer = lambda path: answer if path.startswith(LIST) else None


def start_games(fake: FakeLichess, bot: PlayingBot, count: int, plies: int) -> list[str]:
    """So many games against opponents who resign after so many plies; all have begun."""
    names = [f"Shorty{number}" for number in range(count)]
    for name in names:
        fake.add_account(name, script=resigning_at(plies))
    games = [fake.start_game(name, bot.name, clock=(180, 0)) for name in names]
    assert wait_until(lambda: len(bot.dispatcher.registry.loops()) == count)
    return games


def test_an_empty_list_drops_no_game(
    fake: FakeLichess, make_bot: MakeBot, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "NEW_S", 0.0)
    answer_list_with(proxy, EMPTY_LIST)
    bot = make_bot(fake, url=proxy.url, reconcile_every_s=0.1)
    for game_id in start_games(fake, bot, 4, 60):
        report = fake.wait_for_end(game_id)
        check_end(bot, report)
        assert report.winner == "black"
    assert proxy.count(LIST) >= 4
    assert len(bot.over) == 4


@pytest.mark.slow
def test_one_404_on_a_stream_and_an_empty_list_drop_no_game(fake: FakeLichess, make_bot: MakeBot, proxy: Proxy) -> None:
    answer_list_with(proxy, EMPTY_LIST)
    bot = make_bot(fake, url=proxy.url, reconcile_every_s=0.1)
    not_found = FaultRule(endpoint="game_stream", fault="status", status=404, body="json", at="open", times=1)
    cut = FaultRule(endpoint="game_stream", fault="cut", skip=6, times=1)
    fake.add_account("Shorty", script=resigning_at(30))
    fake.set_faults(FaultPlan(rules=(not_found, cut)))
    assert play_to_the_end(bot, "Shorty").winner == "black"
    assert len(bot.over) == 1


def test_a_dropped_game_is_taken_up_again(
    fake: FakeLichess, make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_registry, "LIST_AGE_S", 0.2)
    bot = make_bot(fake, reconcile_every_s=0.1)
    (game_id,) = start_games(fake, bot, 1, 40)
    fake.wait_for_moves(game_id, 4)
    bot.dispatcher.registry.loops()[0]._on_gone()
    report = fake.wait_for_end(game_id)
    check_end(bot, report)
    assert report.winner == "black"


@pytest.mark.slow
def test_sixty_games_and_a_list_of_fifty(fake: FakeLichess, make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ten that the list never shows are played like the others, though every stream breaks."""
    monkeypatch.setattr(reconciler, "NEW_S", 0.0)
    monkeypatch.setattr(reconciler, "LOOK_UP_AGAIN_S", 1.0)
    bot = make_bot(fake, reconcile_every_s=0.2, challenges={"games_per_opponent": 100, "queue": 100})
    games = [fake.start_game("Alice", bot.name, clock=(600, 0)) for _ in range(60)]
    assert wait_until(lambda: len(bot.dispatcher.registry.loops()) == 60)
    asked = len(fake.requests("playing"))
    assert wait_until(lambda: len(fake.requests("playing")) >= asked + 5)
    fake.drop_streams()
    assert wait_until(lambda: all(fake.open_game_streams(game_id) == 1 for game_id in games))
    assert len(bot.dispatcher.registry.loops()) == 60
    assert bot.over == []
    assert 0 < len(fake.requests("export")) <= 3 * len(fake.requests("playing"))
    for game_id in games:
        fake.player("Alice", game_id).resign()
    assert wait_until(lambda: len(bot.over) == 60)


HOSTILE = [
    pytest.param(b"[" * 200_000 + b"]" * 200_000, id="200,000 brackets"),
    pytest.param(b'{"nowPlaying":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, id="100,000 objects"),
    pytest.param(b'{"nowPlaying":[{"gameId":"abcdefgh","secondsLeft":' + b"9" * 5000 + b"}]}", id="5,000 digits"),
    pytest.param(b'{"nowPlaying":[{"gameId":"abcdefgh","secondsLeft":1e400}]}', id="infinite seconds"),
]


@pytest.mark.slow
@pytest.mark.parametrize("body", HOSTILE)
def test_a_hostile_list_does_not_end_the_reconciling(
    fake: FakeLichess, make_bot: MakeBot, proxy: Proxy, body: bytes
) -> None:
    answer_list_with(proxy, json_answer(body))
    bot = make_bot(fake, url=proxy.url, reconcile_every_s=0.1)
    assert wait_until(lambda: proxy.count(LIST) >= 3)
    proxy.answer = lambda _path: None
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="event_stream", fault="keepalives_only"),)))
    (game_id,) = start_games(fake, bot, 1, 20)  # nobody announces it: only the list shows it
    check_end(bot, fake.wait_for_end(game_id))


@pytest.mark.slow
def test_a_hostile_answer_to_a_challenge_does_not_end_the_answering(
    fake: FakeLichess, make_bot: MakeBot, proxy: Proxy
) -> None:
    bot = make_bot(fake, url=proxy.url)
    seconds = b"9" * 400
    hostile = json_answer(b'{"error":"slow down","ratelimit":{"seconds":' + seconds + b"}}", "429 Too Many Requests")
    nested = json_answer(b"[" * 200_000 + b"]" * 200_000)
    answers = [nested, hostile]
    proxy.answer = lambda path: answers.pop() if path.endswith("/decline") and answers else None
    first = fake.challenge("Alice", bot.name, clock=(180, 0), variant="atomic")
    second = fake.challenge("Bobby", bot.name, clock=(180, 0), variant="horde")
    assert wait_until(lambda: not answers)
    fake.add_account("Shorty", script=resigning_at(10))
    assert play_to_the_end(bot, "Shorty").winner == "black"
    assert {fake.challenge_status(first), fake.challenge_status(second)} <= {"created", "declined"}


@pytest.mark.slow
def test_no_thread_can_be_started_for_a_moment(
    fake: FakeLichess, make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games accepted meanwhile begin when threads can be started again."""
    bot = make_bot(fake)
    start = threading.Thread.start
    ours = ("game-", "outbox-", "actions-", "lend-", "engine-", "end-", "move-sources")
    failing_until_s = time.monotonic() + 3.0
    refused: list[str] = []

    def start_or_fail(thread: threading.Thread) -> None:
        if thread.name.startswith(ours) and time.monotonic() < failing_until_s:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    names = [f"Shorty{number}" for number in range(8)]
    for name in names:
        fake.add_account(name, script=resigning_at(12))
    games = [fake.challenge(name, bot.name, clock=(60, 0), color="white") for name in names]
    for game_id in games:
        check_end(bot, fake.wait_for_end(game_id))
    assert refused
    assert wait_until(lambda: bot.dispatcher.slots.free() == 8)


def test_a_thousand_challenges_in_a_moment(fake: FakeLichess, make_bot: MakeBot) -> None:
    """Refusals go out at a pace, and a game of somebody else is accepted and played meanwhile."""
    bot = make_bot(fake, challenges={"variants": ["standard"]})
    began_s = time.monotonic()
    for _ in range(1000):
        fake.challenge("Alice", bot.name, clock=(180, 0), variant="atomic")
    fake.add_account("Shorty", script=resigning_at(12))
    assert play_to_the_end(bot, "Shorty").winner == "black"
    took_s = time.monotonic() - began_s
    assert len(fake.requests("challenge_decline")) <= 6 + took_s


@pytest.mark.slow
def test_two_programs_with_one_token(fake: FakeLichess, make_bot: MakeBot) -> None:
    """It is logged once by each, the event stream is then opened rarely, and the games continue."""
    with capture_logs() as lines:
        one, other = make_bot(fake), make_bot(fake)
        readers = [bot.dispatcher.reader for bot in (one, other)]
        assert wait_until(lambda: any(reader.token_used_twice for reader in readers))
        openings, began_s = len(fake.requests("event_stream")), time.monotonic()
        game_id = fake.start_game("Alice", "bot88", clock=(180, 0))
        for bot in (one, other):
            bot.dispatcher.reconciler.poke()
        assert wait_until(lambda: bool(one.dispatcher.registry.loops() or other.dispatcher.registry.loops()))
        for number, move in enumerate(("e2e4", "d2d4", "a2a3")):
            fake.player("Alice", game_id).move(move)
            fake.wait_for_moves(game_id, 2 * number + 2)
        fake.player("Alice", game_id).resign()
        assert fake.wait_for_end(game_id).status == "resign"
        time.sleep(max(0.0, began_s + 6.0 - time.monotonic()))  # without the long pauses there were six openings more
        assert len(fake.requests("event_stream")) <= openings + 2
    named = [line for line in lines if line["event"] == "token_used_twice"]
    assert 1 <= len(named) <= 2
    assert all(line["remedy"] for line in named)


@pytest.mark.slow
def test_a_token_revoked_while_it_plays(fake: FakeLichess, make_bot: MakeBot) -> None:
    """One line, no knocking, and the game in progress is played on as soon as the server takes the token again."""
    with capture_logs() as lines:
        bot = make_bot(fake, reconcile_every_s=0.2)
        (game_id,) = start_games(fake, bot, 1, 60)
        fake.wait_for_moves(game_id, 6)
        revoked = [
            FaultRule(endpoint=endpoint, fault="status", status=401, body="json", at="open")
            for endpoint in ("event_stream", "playing", "challenge_*")
        ]
        fake.set_faults(FaultPlan(rules=tuple(revoked)))
        openings, began_s = len(fake.requests("event_stream")), time.monotonic()
        fake.drop_streams()
        assert wait_until(lambda: bot.dispatcher.snapshot().token_rejected)
        check_end(bot, fake.wait_for_end(game_id))
        time.sleep(max(0.0, began_s + 4.0 - time.monotonic()))
        assert len(fake.requests("event_stream")) <= openings + 2
    assert [line["event"] for line in lines].count("token_rejected") == 1
