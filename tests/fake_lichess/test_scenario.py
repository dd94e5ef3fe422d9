"""Scenarios: what is challenged, what is checked, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
import requests

from bot.fake_lichess import FakeLichess, FaultPlan, FaultRule
from bot.fake_lichess.cli import main
from bot.fake_lichess.scenario import Scenario, refused_moves, unfinished
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
