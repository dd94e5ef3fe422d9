"""Fault plans: profiles and files, and clear words for wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.fake_lichess.app import all_specs
from bot.fake_lichess.config import ConfigError
from bot.fake_lichess.faults.fault_plan import PROFILES, load_plan
from bot.fake_lichess.faults.injector import Target, _matches


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_of_a_profile_can_match_an_endpoint(name: str) -> None:
    names = [spec.name for spec in all_specs()]
    for rule in load_plan(name).rules:
        assert any(_matches(rule, Target("POST", endpoint, "abcdefgh", "bot88")) for endpoint in names), rule


def test_calm_is_calm_and_storm_is_worse_than_flaky() -> None:
    assert load_plan("calm").rules == ()
    assert len(load_plan("storm").rules) > len(load_plan("flaky").rules) > 5
    assert load_plan("storm").restarts


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
    with pytest.raises(ConfigError, match="calm, flaky, storm"):
        load_plan("hurricane")
