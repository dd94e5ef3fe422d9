"""Each mistake in a file becomes one line: file, line, path, what is wrong and what to do."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import ConfigurationError
from bot.settings import parse_settings
from tests.helpers.examples import scaled

MISTAKES = [
    pytest.param("lichess:\n  tokn: x", 'f.yml:2: lichess.tokn: unknown key; did you mean "token"?', id="typo"),
    pytest.param("Concurrency: 2", 'f.yml:1: Concurrency: unknown key; did you mean "concurrency"?', id="capital"),
    pytest.param("greeting: hi", 'unknown key here; it belongs to "conduct.chat"', id="wrong section"),
    pytest.param("clock:\n  zzz: 1", "possible here: max_move_s, min_move_share, min_o", id="no idea"),
    pytest.param("concurrency: true", "f.yml:1: concurrency: must be a whole number", id="bool for a number"),
    pytest.param("concurrency: '2'", "must be a whole number", id="text for a number"),
    pytest.param("concurrency: 0", "must be greater than or equal to 1", id="too small"),
    pytest.param("concurrency: 2.5", "must be a whole number", id="fraction"),
    pytest.param("concurrency: 1000", "must be less than or equal to 200", id="too big"),
    pytest.param("clock:\n  ponder: 1", "f.yml:2: clock.ponder: must be true or false", id="number for a bool"),
    pytest.param("clock:\n  max_move_s: .nan", "must be a", id="nan"),
    pytest.param("clock:\n  max_move_s: -1", "must be greater than or equal to 0", id="negative"),
    pytest.param("clock: 5", "f.yml:1: clock: must be a section", id="number for a section"),
    pytest.param("challenges:\n  variants: [standrd]", 'did you mean "standard"? (possible: standard, ', id="word"),
    pytest.param(
        "challenges:\n  variants:\n    - standard\n    - 5", "f.yml:4: challenges.variants[2]:", id="place in a list"
    ),
    pytest.param("challenges:\n  speeds: [blitz, blitz]", "'blitz' appears twice", id="twice in a list"),
    pytest.param("challenges:\n  min_days: 5\n  max_days: 2", "min_days (5) is greater than max_days (2)", id="order"),
    pytest.param("log:\n  level: inf", "'inf' is not known; did you mean \"info\"?", id="level"),
    pytest.param("engines: []", "f.yml:1: engines:", id="no engine"),
    pytest.param("engines:\n- name: a\n- name: a", "two engines are named 'a'", id="same name"),
    pytest.param("engines:\n- slots: 0", "f.yml:2: engines[1].slots: must be greater than or equal to 1", id="slots"),
    pytest.param("engines:\n- options: {Hash: [1]}", "Hash: must be true, false, a number or text", id="option"),
    pytest.param(
        "rules:\n- engines: x", "f.yml:2: rules[1].engines: there is no engine 'x' (possible: engine88)", id="rule"
    ),
    pytest.param(
        "rules:\n- level: easy\n- level: esay", "f.yml:3: rules[2].level: there is no level 'esay'; did", id="name"
    ),
    pytest.param("rules:\n- move_time_s: 0", "must be more than 0", id="no time"),
    pytest.param("challenges:\n  reserved_for_humans: 9", "is greater than concurrency", id="reserved"),
    pytest.param("lichess:\n  url: lichess.org", "must start with http:// or https://", id="url"),
    pytest.param("lichess:\n  url: https://a:b@c", "must not carry a user name or password", id="url with password"),
    pytest.param("lichess:\n  url: https://lichess.org/api", "without a path", id="url with path"),
    pytest.param("x: 1\nx: 2", "f.yml:2: x: duplicate key, first in line 1", id="key twice"),
    pytest.param("a: [", "f.yml:1: this is not YAML", id="no yaml"),
    pytest.param("a: b: c", "f.yml:1: wrong indentation, no colon", id="two colons"),
    pytest.param("\tx: 1", "f.yml:1: a tab; indent", id="tab"),
    pytest.param("- a", "the file must consist of `key: value` lines, not list", id="list"),
    pytest.param("on: 1", "every key must be text; put it in quotes", id="yaml's booleans"),
    pytest.param("a: !!python/object:os.system x", "this is not YAML", id="python object"),
    pytest.param("store: 5", "f.yml:1: store: must be a path", id="path"),
    pytest.param("conduct: {chat: {greeting: %s}}" % ("x" * 421), "at most 420 characters", id="long text"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(text, "f.yml")
    assert message in str(refused.value)
    assert str(refused.value).startswith("f.yml:")
    assert "pydantic" not in str(refused.value)


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings("clock: {ponder: 3}\nlichess:\n  tokn: x\nconcurrency: x\n", "f.yml")
    lines = str(refused.value).splitlines()
    assert [line.split(":")[1] for line in lines] == ["1", "3", "4"]


def test_a_very_bad_file_is_cut_short() -> None:
    text = "\n".join(f"key{number}: 1" for number in range(30))
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(text, "f.yml")
    assert str(refused.value).endswith("... and 20 more")


@pytest.mark.parametrize(
    ("keys", "told", "more"), [(9, 9, ""), (10, 10, ""), (11, 10, "... and 1 more"), (12, 10, "... and 2 more")]
)
def test_ten_mistakes_are_told(keys: int, told: int, more: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings("\n".join(f"key{number}: 1" for number in range(keys)), "f.yml")
    lines = str(refused.value).splitlines()
    assert len([line for line in lines if "unknown key" in line]) == told
    assert (lines[-1] if len(lines) > told else "") == more


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("clock: {ponder-: 1}", 'f.yml:1: clock.ponder-: unknown key; did you mean "ponder"?'),
        ("clock: {pondering: 1}", 'f.yml:1: clock.pondering: unknown key; did you mean "ponder"?'),
        ("Pgn-Folder: x", 'f.yml:1: Pgn-Folder: unknown key; did you mean "pgn_folder"?'),
        ("clock: {speeds: 1}", 'f.yml:1: clock.speeds: unknown key here; it belongs to "rules"'),
        ("challenges: {ponder: true}", 'f.yml:1: challenges.ponder: unknown key here; it belongs to "rules"'),
        ("clock: {contempt: true}", 'f.yml:1: clock.contempt: unknown key here; it belongs to "conduct.draw"'),
        ("rules: [{dept: 1}]", 'f.yml:1: rules[1].dept: unknown key; did you mean "depth"?'),
        ("conduct: {rules: [{resign: {enabld: true}}]}", "f.yml:1: conduct.rules[1].resign.enabld: unknown key; did"),
        ("rules: {dept: 1}", 'f.yml:1: rules[1].dept: unknown key; did you mean "depth"?'),
        ("challenges: {modes: [rated, 5]}", "f.yml:1: challenges.modes[2]: 5 is not known (possible: rated, casual)"),
        ("challenges: {modes: [[7]]}", "f.yml:1: challenges.modes[1]: is not known (possible: rated, casual)"),
        ("challenges: {modes: rate}", "f.yml:1: challenges.modes: 'rate' is not known; did you mean \"rated\"?"),
        ("challenges: {modes: [rate]}", "f.yml:1: challenges.modes[1]: 'rate' is not known; did you mean \"rated\"?"),
        ("rules: [{options: {Hash: [1]}}]", "f.yml:1: rules[1].options.Hash: must be true, false, a number or text"),
        ("rules: [{options: {Hash: .inf}}]", "f.yml:1: rules[1].options.Hash: must be true, false, a number or text"),
        ("rules: [{level: [1]}]", "f.yml:1: rules[1].level: must be a number or text"),
        ("rules: [{level: true}]", "f.yml:1: rules[1].level: must be a number or text"),
        ("rules: [{level: 50}]", "f.yml:1: rules[1].level: must be greater than or equal to 100"),
        ("conduct: {levels: {names: {weak: x}}}", "f.yml:1: conduct.levels.names.weak: must be a whole number"),
        ("engines: [{command: []}]", "f.yml:1: engines[1].command: "),
        ("tournaments: {arenas: [{}]}", "f.yml:1: tournaments.arenas[1].id: is missing"),
        ("log: {level: 7}", "f.yml:1: log.level: 7 is not known (possible: debug, info, warning, error)"),
    ],
)
def test_the_nearest_name_or_the_section_it_belongs_to_is_told(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        parse_settings(text, "f.yml")
    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


@settings(max_examples=scaled(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(alphabet="abco: \n-[]{}'\"#&*!|>%@`019lichess.", max_size=60))
def test_any_text_gives_settings_or_one_clear_error(text: str) -> None:
    message = ""
    try:
        parse_settings(text, "f.yml")
    except ConfigurationError as error:
        message = str(error)
    assert not message or message.startswith("f.yml:")
