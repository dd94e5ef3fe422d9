"""The check against the official schemas notices what it is there to notice."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests

from bot.fake_lichess import FakeLichess
from tests.helpers.schema import SentMessage, StrictSchemas, allowed
from tests.helpers.schema_tap import MISSING
from tests.helpers.shared import shared_data

STATE = {"type": "gameState", "moves": "e2e4", "wtime": 1, "btime": 1, "winc": 0, "binc": 0, "status": "started"}


@pytest.fixture
def schemas() -> StrictSchemas:
    """Fresh validators that have seen nothing."""
    return StrictSchemas(shared_data("lichess-api/lichess-api-full.json"))


def message(value: Any, template: str = "/api/bot/game/stream/{game_id}", status: int = 200) -> SentMessage:
    """One line as the tap hears it."""
    return SentMessage("GET", template, status, "application/json", json.dumps(value))


@pytest.mark.parametrize(
    "change",
    [
        {"wtime": "1"},
        {"wtakebak": True},
        {"status": "begun"},
        {"moves": None},
        {"winner": "nobody"},
        {"expiration": {"idleMillis": 1}},
        {"type": "gameStates"},
    ],
)
def test_a_wrong_line_is_noticed_each_first_time(schemas: StrictSchemas, change: dict[str, Any]) -> None:
    assert schemas.problems(message(STATE)) == []
    assert schemas.problems(message(STATE | change)) != []


def test_levelled_lines_are_not_mistaken_for_each_other(schemas: StrictSchemas) -> None:
    assert schemas.problems(message(STATE | {"moves": "d2d4", "wtime": 99})) == []
    assert schemas.problems(message(STATE | {"rematch": "abcdefgh"})) == [], "on the list of what is allowed"
    assert schemas.problems(message(STATE | {"rematchs": "abcdefgh"})) != []


def test_errors_and_unknown_endpoints_are_checked_too(schemas: StrictSchemas) -> None:
    assert schemas.problems(message({"error": "No such game"}, status=404)) == []
    assert schemas.problems(message({"errors": "No such game"}, status=404)) != []
    assert schemas.problems(message({"ok": True}, "/api/nothing/of/the/kind")) != []


def test_the_official_examples_pass_in_strict_mode(schemas: StrictSchemas) -> None:
    examples = json.loads(shared_data("lichess-api/official_examples.json").read_text(encoding="utf-8"))
    for name, stream in (("event_stream", "/api/stream/event"), ("game_stream", "/api/bot/game/stream/{game_id}")):
        for event in examples[name].values():
            assert schemas.problems(message(event, stream)) == []


def test_this_very_run_is_checked(
    sent_messages: list[SentMessage], strict_schemas: StrictSchemas | None, fake: FakeLichess
) -> None:
    if strict_schemas is None:
        pytest.skip(MISSING)
    assert requests.get(fake.url + "/api/users/status?ids=bot88", timeout=60).ok
    assert [line.template for line in sent_messages] == ["/api/users/status"]


def test_the_allow_list_changes_nothing_else() -> None:
    assert allowed(STATE) == STATE
    assert allowed([STATE, 5, None]) == [STATE, 5, None]
