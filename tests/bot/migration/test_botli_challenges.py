"""What BotLi takes of people and of bots is taken after the migration, each by their own limits."""

from __future__ import annotations

from typing import Any

import pytest

from bot.account.challenges.challenge_rules import OpponentActivity, judge
from bot.events import CLOCK, TimeControl
from tests.bot.account.challenges.test_challenge_rules import BOT, HUMAN, challenge, every_variant
from tests.bot.migration.test_botli import SAMPLE, carried

BOT_MODES = "time_controls: [rapid, 25+0]\n    modes: casual"


@pytest.mark.parametrize(
    ("opponent", "fields", "expected"),
    [
        ("human", {"variant": "chess960"}, None),
        ("bot", {"variant": "chess960"}, "variant"),
        ("bot", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 2)}, "timeControl"),
        ("human", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 1)}, None),
        ("human", {"speed": "bullet", "time_control": TimeControl(CLOCK, 60, 0)}, "tooFast"),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 1)}, "tooFast"),
        ("bot", {"speed": "classical", "time_control": TimeControl(CLOCK, 1500, 0)}, "tooFast"),
        ("human", {"speed": "rapid", "time_control": TimeControl(CLOCK, 901, 1)}, "tooSlow"),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 901, 2)}, None),
        ("human", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5), "rated": True}, None),
        ("bot", {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5), "rated": True}, "casual"),
    ],
)
def test_people_and_bots_keep_their_own_limits(opponent: str, fields: dict[str, Any], expected: str | None) -> None:
    text = SAMPLE.replace("time_controls: [rapid, 25+0]\n    modes: [casual, rated]", BOT_MODES)
    challenger = {"human": HUMAN, "bot": BOT}[opponent]
    usual = {"speed": "rapid", "time_control": TimeControl(CLOCK, 600, 5)}
    one = challenge(challenger=challenger, **(usual | fields))
    assert judge(one, every_variant(carried(text)[0].challenges), OpponentActivity()).reason == expected


def test_limits_alike_for_people_and_bots_are_keys_and_no_rules() -> None:
    limits = (
        "{variants: standard, time_controls: blitz, modes: rated, max_increment: 5, max_estimated_game_duration: 15}"
    )
    text = f"engines: {{standard: {{name: a}}}}\nchallenge: {{human: {limits}, bot: {limits}}}"
    challenges = carried(text)[0].challenges
    assert (challenges.max_increment_s, challenges.max_duration_s, challenges.rules) == (5, 900, ())
