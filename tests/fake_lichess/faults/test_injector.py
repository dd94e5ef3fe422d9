"""Each fault on demand does what it says, on requests and on streams."""

from __future__ import annotations

import errno
import time

import pytest
import requests

from bot.fake_lichess import FakeLichess, FaultPlan, FaultRule, RestartRule
from bot.fake_lichess.faults import injector
from bot.fake_lichess.faults.fault_plan import load_plan
from bot.fake_lichess.faults.injector import Faults, MatchedRequest
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.lichess_client import Client, Stream


def plan(*rules: FaultRule) -> FaultPlan:
    """A plan of rules."""
    return FaultPlan(seed=1, rules=rules)


def move(bot: Client, game_id: str, timeout: float = 60.0) -> requests.Response:
    """Post the first move."""
    return bot.session.post(f"{bot.url}/api/bot/game/{game_id}/move/e2e4", timeout=timeout)


def deepest(error: BaseException) -> BaseException:
    """The first cause of an error."""
    while error.__context__ is not None:
        error = error.__context__
    return error


@pytest.mark.parametrize(
    ("kind", "applied"), [("cut", False), ("reset", False), ("lost_answer", True), ("half_line", True)]
)
def test_an_answer_is_lost_before_or_after_the_work(fake: FakeLichess, bot: Client, kind: str, applied: bool) -> None:
    game_id = fake.start_game("bot88", "Alice")
    fake.set_faults(plan(FaultRule(endpoint="move", fault=kind, times=1)))  # type: ignore[arg-type]  # one of the kinds
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)) as broken:
        move(bot, game_id)
    assert (fake.game(game_id).moves == ("e2e4",)) is applied
    if kind == "reset":
        assert getattr(deepest(broken.value), "errno", None) == errno.ECONNRESET
    assert fake.requests("move")[0].fault == kind
    second = move(bot, game_id)
    assert second.status_code == (400 if applied else 200), "the second shows whether the first was applied"


def test_a_silent_server_is_only_left_by_a_timeout(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    fake.set_faults(plan(FaultRule(endpoint="move", fault="silence", applied=True, times=1)))
    with pytest.raises(requests.ReadTimeout):
        move(bot, game_id, timeout=0.3)
    assert fake.wait_for_moves(game_id, 1).moves == ("e2e4",)


def test_a_delay_comes_before_the_work(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    fake.set_faults(plan(FaultRule(endpoint="move", fault="delay", delay_s=(0.2, 0.2))))
    assert move(bot, game_id).ok
    assert fake.requests("move")[0].took_ms >= 200


@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize(("status", "body"), [(502, "html"), (504, "html"), (500, "json"), (404, "json")])
def test_statuses_with_json_and_html(fake: FakeLichess, bot: Client, status: int, body: str, applied: bool) -> None:
    game_id = fake.start_game("bot88", "Alice")
    rule = FaultRule(endpoint="move", fault="status", status=status, body=body, applied=applied)  # type: ignore[arg-type]  # literals
    fake.set_faults(plan(rule))
    answer = move(bot, game_id)
    assert answer.status_code == status
    assert ("<html>" in answer.text) == (body == "html")
    assert (fake.game(game_id).moves == ("e2e4",)) is applied


@pytest.mark.parametrize("kind", ["bare", "html", "key", "retry_after", "polling"])
def test_every_kind_of_429(fake: FakeLichess, bot: Client, kind: str) -> None:
    fake.set_faults(plan(FaultRule(fault="rate_limit", limit=kind, seconds=7)))  # type: ignore[arg-type]  # one of the kinds
    answer = bot.get("/api/account")
    assert answer.status_code == 429
    assert (answer.headers.get("retry-after") == "7") == (kind == "retry_after")
    if kind == "html":
        assert answer.headers["content-type"] == "text/html"
    else:
        assert ("ratelimit" in answer.json()) == (kind == "key")


def test_garbage_instead_of_an_answer(fake: FakeLichess, bot: Client) -> None:
    fake.set_faults(plan(FaultRule(endpoint="account", fault="garbage")))
    answer = bot.get("/api/account")
    assert answer.status_code == 200
    with pytest.raises(requests.exceptions.JSONDecodeError):
        answer.json()


def hurt_stream(fake: FakeLichess, bot: Client, kind: str, skip: int = 1) -> tuple[str, Stream]:
    """A game whose stream is hit after `skip` lines."""
    game_id = fake.start_game("bot88", "Alice")
    rule = FaultRule(endpoint="game_stream", game=game_id, fault=kind, skip=skip, times=1)  # type: ignore[arg-type]  # a kind
    fake.set_faults(plan(rule))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    fake.player("bot88", game_id).move("e2e4")
    return game_id, stream


@pytest.mark.parametrize("kind", ["cut", "reset", "half_line", "garbage"])
def test_a_stream_breaks_and_can_be_opened_again(fake: FakeLichess, bot: Client, kind: str) -> None:
    game_id, stream = hurt_stream(fake, bot, kind)
    stream.wait_for_end()
    assert isinstance(stream.error, ValueError if kind == "garbage" else Exception)
    assert [event["type"] for event in stream.events] == ["gameFull"]
    again = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert again["state"]["moves"] == "e2e4"


@pytest.mark.parametrize(
    ("kind", "types"), [("duplicate", ["gameState", "gameState"]), ("unknown_event", ["somethingNew", "gameState"])]
)
def test_lines_too_many(fake: FakeLichess, bot: Client, kind: str, types: list[str]) -> None:
    _, stream = hurt_stream(fake, bot, kind)
    seen = stream.wait(lambda events: len(events) >= 3 and events[1:3])
    assert [event["type"] for event in seen] == types


def test_two_lines_change_places(fake: FakeLichess, bot: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(injector, "REORDER_WAIT_S", 3600.0)
    game_id, stream = hurt_stream(fake, bot, "reorder")
    fake.player("Alice", game_id).move("e7e5")
    seen = stream.wait(lambda events: len(events) >= 3 and events[1:3])
    assert [event["moves"] for event in seen] == ["e2e4 e7e5", "e2e4"]


def test_a_held_line_comes_alone_when_no_other_follows(
    fake: FakeLichess, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(injector, "REORDER_WAIT_S", 0.05)
    _, stream = hurt_stream(fake, bot, "reorder")
    assert stream.wait_for("gameState")["moves"] == "e2e4"


@pytest.mark.parametrize("kind", ["silence", "keepalives_only"])
def test_a_stream_that_delivers_nothing_any_more(make_fake: MakeFake, connect: Connect, kind: str) -> None:
    fake = make_fake(game_keepalive_s=0.02)
    _, stream = hurt_stream(fake, connect(fake, "bot88"), kind)
    fake.wait_for(lambda: fake.faults.seen)
    before = stream.raw.count(b"")
    if kind == "keepalives_only":
        stream.wait(lambda _: stream.raw.count(b"") >= before + 5)
    else:
        fake.wait_for(lambda: time.monotonic() - stream.times[-1] > 0.2, what="ten intervals without a keep-alive")
    assert [event["type"] for event in stream.events] == ["gameFull"]
    assert not stream.ended.is_set()


def test_rules_choose_by_game_account_and_count(fake: FakeLichess, bot: Client, alice: Client) -> None:
    first, second = fake.start_game("bot88", "Alice"), fake.start_game("bot88", "Alice")
    rule = FaultRule(endpoint="*chat", game=second, account="bot*", fault="status", skip=1, times=2)
    fake.set_faults(plan(rule))
    body = {"room": "player", "text": "Good luck"}

    def say(client: Client, side: str, game_id: str) -> int:
        return client.post(f"/api/{side}/game/{game_id}/chat", data=body).status_code

    assert [say(bot, "bot", first) for _ in range(2)] == [200, 200]
    assert [say(alice, "board", second) for _ in range(2)] == [200, 200]
    assert [say(bot, "bot", second) for _ in range(4)] == [200, 502, 502, 200]


def test_the_same_seed_hits_the_same_requests(fake: FakeLichess, bot: Client) -> None:
    runs = []
    for _ in range(2):
        fake.set_faults(FaultPlan(seed=5, rules=(FaultRule(fault="status", chance=0.5),)))
        runs.append([bot.get("/api/account/playing").status_code for _ in range(20)])
    assert runs[0] == runs[1]
    assert set(runs[0]) == {200, 502}


def test_a_seed_reproduces_the_faults_of_a_game_whatever_else_is_played(fake: FakeLichess) -> None:
    def hits(others: int) -> list[bool]:
        async def run() -> list[bool]:
            faults = Faults(FaultPlan(rules=(FaultRule(fault="cut", chance=0.5),)), seed=7)
            found = []
            for _ in range(30):
                found.append(faults.for_line(MatchedRequest("GET", "game_stream", ids[0], "bot88")) is not None)
                for other in range(others):
                    faults.for_line(MatchedRequest("GET", "game_stream", ids[1 + other % 2], "bot88"))
            return found

        return fake.call_async(run())

    ids = ["aaaaaaaa", "bbbbbbbb", "cccccccc"]
    alone = hits(0)
    assert 0 < sum(alone) < 30
    ids = ["dddddddd", "eeeeeeee", "ffffffff"]
    assert hits(3) == alone


def test_a_plan_can_take_the_whole_server_away(fake: FakeLichess, bot: Client) -> None:
    stream = bot.stream("/api/stream/event")
    game_id = fake.start_game("bot88", "Alice")
    fake.set_faults(FaultPlan(restarts=(RestartRule(after_s=0.05, down_s=0.05),)))
    stream.wait_for_end()

    def answers() -> bool:
        try:
            return bot.get("/api/account/playing").ok
        except requests.ConnectionError:
            return False

    fake.wait_for(answers, what="the server to be back")
    assert not fake.game(game_id).over


def some_move(fake: FakeLichess, game_id: str) -> str:
    """A legal move of a game, none where there is none."""
    return fake.call(lambda: str(next(iter(fake.world.game(game_id).board.legal_moves), "none")))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_storm_breaks_everything_but_the_server(fake: FakeLichess, connect: Connect, seed: int) -> None:
    storm = load_plan("storm")
    calmer = [rule.model_copy(update={"delay_s": (0.0, 0.01)}) for rule in storm.rules if rule.fault != "silence"]
    fake.set_faults(FaultPlan(seed=seed, rules=tuple(calmer)))
    client = connect(fake, "bot88")
    games = [fake.challenge("Random", "bot88", clock=(600, 0), color="white") for _ in range(4)]

    def attempt(path: str) -> None:
        try:
            client.post(path)
        except requests.RequestException:
            client.session.close()

    def all_over() -> bool:
        for game_id in games:
            if fake.challenge_status(game_id) == "created":
                attempt(f"/api/challenge/{game_id}/accept")
                continue
            attempt(f"/api/bot/game/{game_id}/move/{some_move(fake, game_id)}")
            if len(fake.game(game_id).moves) > 50:
                attempt(f"/api/bot/game/{game_id}/resign")
        return all(fake.challenge_status(game_id) == "accepted" and fake.game(game_id).over for game_id in games)

    fake.wait_for(all_over, 120, "the games in the storm")
    assert fake.faults.seen
