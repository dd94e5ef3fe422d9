"""Faults that last: silent openings, slow answers, deployments, revoked tokens, daily limits."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.fake_lichess import FakeLichess, FaultPlan, FaultRule, RestartRule
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}
RULES = """\
rules:
  - {endpoint: "*_stream", at: open, fault: silence, times: 1}
  - {endpoint: export, fault: delay, delay_s: [0.3, 0.3]}
  - {method: POST, fault: delay, delay_s: [0.2, 0.2]}
  - {account: bot88, fault: status, status: 401, body: json, after_s: 1000}
restarts:
  - {after_s: 1000, down_s: 20, planned: true, status: 502}
"""


def set_rules(fake: FakeLichess, *rules: FaultRule) -> None:
    """Follow these rules from now on."""
    fake.set_faults(FaultPlan(seed=1, rules=rules))


def took_s(client: Client, method: str, path: str) -> float:
    """Send a request, which must succeed; returns how long it took."""
    began = time.monotonic()
    assert client.session.request(method, client.url + path, timeout=60).ok
    return time.monotonic() - began


@pytest.mark.parametrize(("kind", "delay_s"), [("silence", 0.0), ("delay", 30.0)])
def test_an_opening_is_accepted_and_then_silent(fake: FakeLichess, bot: Client, kind: str, delay_s: float) -> None:
    game_id = fake.start_game("bot88", "Alice")
    path = f"{bot.url}/api/bot/game/stream/{game_id}"
    rule = {"fault": kind, "delay_s": (delay_s, delay_s)}
    set_rules(fake, FaultRule.model_validate({"endpoint": "game_stream", "at": "open", "times": 1, **rule}))
    with pytest.raises(requests.ReadTimeout):
        bot.session.get(path, stream=True, timeout=(5, 0.2))
    second = bot.stream(f"/api/bot/game/stream/{game_id}")
    assert second.wait_for("gameFull")["id"] == game_id
    fake.wait_for(lambda: len(fake.requests("game_stream")) == 2, what="both openings in the log")
    assert {seen.fault for seen in fake.requests("game_stream")} == {kind, None}
    assert not second.ended.is_set()


def test_the_headers_of_a_stream_may_come_late(fake: FakeLichess, bot: Client) -> None:
    set_rules(fake, FaultRule(endpoint="event_stream", at="open", fault="delay", delay_s=(0.3, 0.3)))
    began = time.monotonic()
    bot.stream("/api/stream/event")
    assert time.monotonic() - began >= 0.3
    assert fake.is_online("bot88")


def test_an_export_is_slow_while_the_rest_is_not(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    set_rules(fake, FaultRule(endpoint="export", fault="delay", delay_s=(0.5, 0.5)))
    assert took_s(bot, "GET", f"/game/export/{game_id}") >= 0.5
    assert took_s(bot, "GET", "/api/account/playing") < 0.5


@pytest.mark.parametrize("applied", [False, True])
def test_every_post_is_slow_and_works_before_or_after(fake: FakeLichess, bot: Client, applied: bool) -> None:
    game_id = fake.start_game("bot88", "Alice")
    set_rules(fake, FaultRule(method="POST", fault="delay", delay_s=(0.5, 0.5), applied=applied))
    with pytest.raises(requests.ReadTimeout):
        bot.session.post(f"{bot.url}/api/bot/game/{game_id}/move/e2e4", timeout=0.2)
    assert (fake.game(game_id).moves == ("e2e4",)) is applied
    assert fake.wait_for_moves(game_id, 1).moves == ("e2e4",)
    assert took_s(bot, "POST", f"/api/bot/game/{game_id}/draw/yes") >= 0.5
    assert took_s(bot, "GET", "/api/account/playing") < 0.5


@pytest.mark.parametrize("planned", [True, False])
def test_a_deployment_answers_502_to_everything(fake: FakeLichess, bot: Client, planned: bool) -> None:
    game_id = fake.start_game("bot88", "Alice")
    streams = [bot.stream("/api/stream/event"), bot.stream(f"/api/bot/game/stream/{game_id}")]
    streams[1].wait_for("gameFull")
    fake.set_faults(FaultPlan(restarts=(RestartRule(after_s=0.05, down_s=1.0, planned=planned, status=502),)))
    for stream in streams:
        stream.wait_for_end()
        assert (stream.error is None) == planned
    paths = ("/api/account", "/api/stream/event", f"/api/bot/game/stream/{game_id}", f"/game/export/{game_id}")
    answers = [bot.get(path) for path in paths] + [bot.post(f"/api/bot/game/{game_id}/move/e2e4")]
    assert [answer.status_code for answer in answers] == [502] * 5
    assert "<html>" in answers[0].text
    fake.wait_for(lambda: bot.get("/api/account").ok, what="the server to be back")
    again = bot.stream(f"/api/bot/game/stream/{game_id}").wait_for("gameFull")
    assert again["state"]["moves"] == ""


@pytest.mark.parametrize("status", [None, 502])
def test_another_plan_during_a_restart_does_not_leave_the_server_down(
    fake: FakeLichess, bot: Client, status: int | None
) -> None:
    fake.set_faults(FaultPlan(restarts=(RestartRule(after_s=0.01, down_s=0.5, status=status),)))

    def answers() -> bool:
        try:
            return bot.get("/api/account").ok
        except requests.ConnectionError:
            return False

    fake.wait_for(lambda: not answers(), what="the restart")
    fake.set_faults("calm")
    assert not answers(), "the running restart is not cut short"
    fake.wait_for(answers, 10, what="the server to be back")
    game_id = fake.start_game("bot88", "Alice", clock=(0.2, 0))
    play(fake, game_id, "e2e4 e7e5")
    assert fake.wait_for_end(game_id).status == "outoftime", "flags fall again"


def test_a_rule_holds_for_some_time(fake: FakeLichess, bot: Client) -> None:
    set_rules(fake, FaultRule(fault="status", status=502, after_s=0.4, for_s=0.4))
    assert bot.get("/api/account").ok
    fake.wait_for(lambda: bot.get("/api/account").status_code == 502, what="the outage")
    assert bot.get("/api/stream/event").status_code == 502, "streams are refused too"
    fake.wait_for(lambda: bot.get("/api/account").ok, what="its end")


def test_a_revoked_token_is_refused_everywhere_and_open_streams_stay(
    fake: FakeLichess, bot: Client, alice: Client
) -> None:
    game_id = fake.start_game("bot88", "Alice")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    set_rules(fake, FaultRule(account="bot88", fault="status", status=401, body="json"))
    paths = ("/api/account", "/api/stream/event", f"/api/bot/game/stream/{game_id}", f"/game/export/{game_id}")
    answers = [bot.get(path) for path in paths] + [bot.post(f"/api/bot/game/{game_id}/move/e2e4")]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(401, {"error": "No such token"})] * 5
    assert alice.get("/api/account").ok
    assert not stream.ended.is_set()


def test_the_daily_limit_between_bots_on_both_sides(fake: FakeLichess, bot: Client, connect: Connect) -> None:
    other = connect(fake, "OtherBot")
    ours = bot.post("/api/challenge/OtherBot", data=BLITZ).json()["id"]
    theirs = other.post("/api/challenge/bot88", data=BLITZ).json()["id"]
    fake.reach_bot_day("bot88", wait_s=7200)
    refused = {
        "we challenge": (bot.post("/api/challenge/OtherBot", data=BLITZ), 429),
        "we accept": (bot.post(f"/api/challenge/{theirs}/accept"), 429),
        "they challenge": (other.post("/api/challenge/bot88", data=BLITZ), 400),
        "they accept": (other.post(f"/api/challenge/{ours}/accept"), 400),
    }
    for what, (answer, status) in refused.items():
        assert answer.status_code == status, what
        assert answer.json()["error"] == "bot88 played 100 games against other bots today", what
        assert answer.json()["ratelimit"]["key"] == "bot.vsBot.day", what
        assert 7190 <= answer.json()["ratelimit"]["seconds"] <= 7200, what
    assert bot.post("/api/challenge/Alice", data=BLITZ).ok, "people are not limited"


def test_the_daily_limit_ends_at_the_second_that_was_named(make_fake: MakeFake, connect: Connect) -> None:
    limited = {"name": "OtherBot", "title": "BOT", "bot_day_left_s": 0.5}
    fake = make_fake(accounts=[{"name": "bot88", "title": "BOT"}, limited])
    bot = connect(fake, "bot88")
    refused = bot.post("/api/challenge/OtherBot", data=BLITZ)
    assert (refused.status_code, refused.json()["ratelimit"]) == (400, {"key": "bot.vsBot.day", "seconds": 1})
    fake.wait_for(lambda: bot.post("/api/challenge/OtherBot", data=BLITZ).ok, what="the end of the limit")


@pytest.mark.parametrize(("limit", "status"), [("key", 429), ("opponent", 400)])
def test_the_answers_at_the_daily_limit_without_its_games(
    fake: FakeLichess, bot: Client, limit: str, status: int
) -> None:
    rule = {"endpoint": "challenge*", "fault": "rate_limit", "limit": limit, "seconds": 7}
    set_rules(fake, FaultRule.model_validate(rule))
    refused = bot.post("/api/challenge/OtherBot", data=BLITZ)
    assert (refused.status_code, refused.json()["ratelimit"]) == (status, {"key": "bot.vsBot.day", "seconds": 7})
    assert refused.json()["error"].endswith("played 100 games against other bots today")


def test_online_bots_have_a_bio_and_are_sorted(fake: FakeLichess, connect: Connect) -> None:
    settings: dict[str, dict[str, Any]] = {
        "Silent": {"bio": ""},
        "Popular": {"played_people_s": 5000},
        "Known": {"roles": ["ROLE_VERIFIED"], "played_people_s": 10},
        "Some": {"played_people_s": 100, "bio": "I play the Sicilian"},
    }
    for name, more in settings.items():
        fake.add_account(name, title="BOT", opponent="random", **more)
    fresh = connect(fake, "Fresh")
    assert fresh.post("/api/bot/account/upgrade").ok
    fresh.stream("/api/stream/event")
    online = [json.loads(line) for line in fresh.get("/api/bot/online").iter_lines()]
    assert [one["username"] for one in online] == ["Known", "Popular", "Some"], "no bio, no place in the list"
    assert online[2]["profile"] == {"bio": "I play the Sicilian"}
    assert online[1]["playTime"] == {"total": 5000, "tv": 0, "human": 5000}


def test_two_hundred_online_bots_are_listed_at_most(fake: FakeLichess, bot: Client) -> None:
    for number in range(201):
        fake.add_account(f"Bot{number:03}", title="BOT", opponent="random", played_people_s=number)
    names = [json.loads(line)["username"] for line in bot.get("/api/bot/online?nb=512").iter_lines()]
    assert (len(names), names[0], names[-1]) == (200, "Bot200", "Bot001")
    assert len(bot.get("/api/bot/online").text.splitlines()) == 100


def test_a_file_can_name_all_of_them(make_fake: MakeFake, connect: Connect, tmp_path: Path) -> None:
    path = tmp_path / "outages.yml"
    path.write_text(RULES, encoding="utf-8")
    fake = make_fake(faults=str(path))
    bot, game_id = connect(fake, "bot88"), fake.start_game("bot88", "Alice")
    with pytest.raises(requests.ReadTimeout):
        bot.session.get(f"{bot.url}/api/stream/event", stream=True, timeout=0.2)
    assert took_s(bot, "GET", f"/game/export/{game_id}") >= 0.3
    assert took_s(bot, "POST", f"/api/bot/game/{game_id}/move/e2e4") >= 0.2
