"""Scenarios: what is challenged, what is checked, and the exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import requests

from bot.fake_lichess import FakeLichess, FaultPlan, FaultRule
from bot.fake_lichess.cli import main
from bot.fake_lichess.scenario import (
    Scenario,
    check_names,
    load_scenario,
    refused_moves,
    scenario_names,
    unfinished,
)
from tests.fake_lichess.conftest import Connect

GOOD = """
bot: Robot
server:
  allow_any_clock: true
  seed: 3
  accounts:
    - {name: Robot, title: BOT, opponent: random}
    - {name: Greedy, opponent: greedy}
    - {name: Trainer, opponent: greedy}
challenges:
  - {by: Greedy, clock: [60, 0], color: white, times: 2}
  - {by: Trainer, clock: [30, 0], variant: atomic, after_s: 0.1}
"""


def run(tmp_path: Path, text: str, *options: str) -> int:
    """The exit status of a scenario."""
    path = tmp_path / "scenario.yml"
    path.write_text(text, encoding="utf-8")
    return main(["--scenario", str(path), *options])


def test_a_scenario_that_goes_well_exits_with_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, GOOD) == 0
    out = capsys.readouterr().out
    assert out.count("plies") == 3
    assert "everything went as expected" in out


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        ("expect: {finished: 4}", "3 games ended, 4 were expected"),
        ("expect: {statuses: [aborted]}", "ended by"),
        ("timeout_s: 0.01", "challenges are unfinished"),
    ],
)
def test_a_failed_expectation_exits_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: str, word: str
) -> None:
    assert run(tmp_path, GOOD + extra) == 1
    assert word in capsys.readouterr().err


@pytest.mark.parametrize("name", scenario_names())
def test_every_packaged_scenario_says_what_a_good_bot_does(name: str) -> None:
    scenario = load_scenario(name)
    assert "good bot" in scenario.about
    check_names(scenario, [account.name for account in scenario.server.accounts])
    hits = scenario.incident.rules + scenario.incident.restarts if scenario.incident else ()
    assert scenario.expect.faults == sum(getattr(rule, "times", None) or 1 for rule in hits)


def test_an_incident_hits_the_bot_and_the_scenario_counts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    incident = "about: A good bot waits.\nincident: {restarts: [{after_s: 0.01, down_s: 0.01}]}\n"
    assert run(tmp_path, GOOD + incident + "expect: {faults: 1}") == 0
    assert run(tmp_path, GOOD + incident + "expect: {faults: 2}") == 1
    error = capsys.readouterr().err
    assert "1 faults hit the bot, 2 were expected" in error
    assert "scenario: A good bot waits." in error


BOT = """
import os, signal, sys, urllib.request
request = urllib.request.Request(os.environ["LICHESS_URL"] + "/api/stream/event")
request.add_header("Authorization", "Bearer " + os.environ["LICHESS_TOKEN"])
def accept(line):
    start = line.index(b'"id":"') + 6
    path = "/api/challenge/" + line[start : start + 8].decode() + "/decline"
    post = urllib.request.Request(os.environ["LICHESS_URL"] + path, data=b"", headers=request.headers)
    urllib.request.urlopen(post)
for line in urllib.request.urlopen(request):
    if b'"challenge"' in line[:24]:
        accept(line)
"""


def test_the_bots_command_is_started_with_address_and_token_and_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    plan = GOOD.replace(", opponent: random", "") + "expect: {finished: 0}"
    command = f"{sys.executable} {tmp_path / 'bot.py'} & wait; true"
    assert run(tmp_path, plan, "--bot-command", command) == 0
    assert capsys.readouterr().out.count(": declined") == 3
    listing = subprocess.run(["ps", "-ef"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path / "bot.py") not in listing


def test_a_bot_that_ends_early_ends_the_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = GOOD.replace(", opponent: random", "")
    assert (
        run(tmp_path, plan, "--bot", "Mine=lip_mine", "--bot-command", 'test "$LICHESS_TOKEN" = lip_mine && exit 7')
        == 1
    )
    assert "the bot's command ended with status 7" in capsys.readouterr().err
    assert main(["--bot-command", "true"]) == 2
    assert "give a --scenario" in capsys.readouterr().err


def test_a_bot_that_stays_away_or_declines_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "refuses.yml"
    script.write_text("challenge: noBot", encoding="utf-8")
    assert run(tmp_path, GOOD.replace("opponent: random", f"opponent: 'scripted:{script}'")) == 1
    assert "0 games ended, 3 were expected" in capsys.readouterr().err
    assert run(tmp_path, GOOD.replace(", opponent: random", "") + "online_within_s: 0.1") == 1
    assert "Robot to open its event stream" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("bot: Robot", "challenges"),
        (GOOD.replace("atomic", "bughouse"), "unknown variant 'bughouse'"),
        (GOOD.replace("bot: Robot", "bot: Stranger"), "no account 'Stranger'"),
        (GOOD + "expects: {}", "expects"),
        ("bot: [", "scenario.yml"),
    ],
)
def test_a_wrong_scenario_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, word: str
) -> None:
    assert run(tmp_path, text) == 2
    error = capsys.readouterr().err
    assert word in error
    assert "Traceback" not in error


def test_what_is_unfinished_is_reported_game_by_game(fake: FakeLichess) -> None:
    playing = fake.start_game("Alice", "bot88", clock=(60, 0))
    fake.player("Alice", playing).move("e2e4")
    waiting = fake.challenge("Alice", "bot88")
    scenario = Scenario.model_validate({"bot": "bot88", "challenges": [{"by": "Alice"}], "timeout_s": 5})
    assert unfinished(fake, scenario, 1, [playing, waiting]) == (
        f"after 5 s 3 challenges are unfinished; {playing}: bot88 to move after 1 plies; "
        f"{waiting}: bot88 has not answered"
    )


def test_a_move_sent_again_after_a_fault_is_no_refused_move(fake: FakeLichess, connect: Connect) -> None:
    game_id, bot = fake.start_game("bot88", "Alice"), connect(fake, "bot88")
    fake.set_faults(FaultPlan(rules=(FaultRule(endpoint="move", fault="lost_answer", times=1),)))
    path = f"/api/bot/game/{game_id}/move/"
    with pytest.raises(requests.ConnectionError):
        bot.post(f"{path}e2e4")
    assert bot.post(f"{path}e2e4").status_code == 400
    assert refused_moves(fake.requests("move"), []) == []
    assert bot.post(f"{path}d2d4").status_code == 400
    assert [seen.path for seen in refused_moves(fake.requests("move"), [])] == [f"{path}d2d4"]


def test_a_move_that_crosses_the_end_is_no_refused_move(fake: FakeLichess, connect: Connect) -> None:
    game_id, bot = fake.start_game("bot88", "Alice"), connect(fake, "bot88")
    path = f"/api/bot/game/{game_id}/move/"
    assert bot.post(f"{path}e2e5").status_code == 400
    fake.player("Alice", game_id).resign()
    assert bot.post(f"{path}e2e4").status_code == 400
    report = fake.game(game_id)
    assert [seen.path for seen in refused_moves(fake.requests("move"), [report])] == [f"{path}e2e5"]
