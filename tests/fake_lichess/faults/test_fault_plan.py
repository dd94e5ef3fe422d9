"""Fault plans: profiles and files, and clear words for wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from bot.fake_lichess.app import all_specs
from bot.fake_lichess.config import ConfigError
from bot.fake_lichess.faults.fault_plan import Kind, load_plan
from bot.fake_lichess.faults.injector import MatchedRequest, _matches


@pytest.mark.parametrize("name", ["calm", "crash", "deploy", "flaky", "storm"])
def test_every_rule_of_a_profile_can_match_an_endpoint(name: str) -> None:
    names = [spec.name for spec in all_specs()]
    for rule in load_plan(name).rules:
        assert any(_matches(rule, MatchedRequest("POST", endpoint, "abcdefgh", "bot88")) for endpoint in names), rule


def test_flaky_is_an_ordinary_bad_day_and_storm_has_everything_but_a_revoked_token() -> None:
    calm, flaky, storm = (load_plan(name) for name in ("calm", "flaky", "storm"))
    assert calm.rules == ()
    ordinary = {"delay", "cut", "reset", "lost_answer", "status", "rate_limit"}
    assert {rule.fault for rule in flaky.rules} <= ordinary, "no junk and no line twice"
    assert {rule.fault for rule in storm.rules} == set(get_args(Kind))
    assert any(rule.fault == "silence" and rule.at == "open" for rule in storm.rules)
    assert any(rule.fault == "delay" and rule.endpoint == "export" for rule in storm.rules)
    assert any(rule.fault == "delay" and rule.method == "POST" for rule in storm.rules)
    assert {rule.status for rule in storm.restarts} == {None, 502}
    assert 401 not in {rule.status for rule in storm.rules}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rules: [{fault: explode}]", "explode|Input should be"),
        ("rules: [{fault: cut, chanse: 1}]", "chanse"),
        ("rules: [{fault: delay, delay_s: [2, 1]}]", "shortest"),
        ("rules: [{fault: cut", "plan.yml"),
    ],
)
def test_a_wrong_plan_is_reported_with_its_file(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "plan.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=word) as wrong:
        load_plan(str(path))
    assert "plan.yml" in str(wrong.value)


def test_an_unknown_profile_lists_the_known() -> None:
    with pytest.raises(ConfigError, match="calm, crash, deploy, flaky, storm"):
        load_plan("hurricane")
