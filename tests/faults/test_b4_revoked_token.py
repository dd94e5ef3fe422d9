"""B4: the token is revoked while games run; every answer is 401."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.faults.fault_plan import FaultPlan, FaultRule
from tests.helpers.playing import PlayingBot, check_end, resigning_at
from tests.helpers.processes import wait_until

REVOKED_S = 12.0
REVOKED = FaultPlan(rules=(FaultRule(at="open", fault="status", status=401, body="json"),))


@pytest.mark.slow
def test_a_revoked_token_is_tried_slowly_and_logged_once(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot]
) -> None:
    names = ["Shorty", "Shorter"]
    for name in names:
        fake.add_account(name, script=resigning_at(24))
    bot = make_bot(fake, stream_silence_s=4.0)
    games = [fake.challenge(name, bot.name, clock=(180, 0), color="white") for name in names]
    for game_id in games:
        fake.wait_for_moves(game_id, 4)
    before = len(fake.requests())
    with capture_logs() as lines:
        fake.set_faults(REVOKED)
        began_s = time.monotonic()
        fake.drop_streams()
        assert wait_until(lambda: time.monotonic() - began_s > REVOKED_S, REVOKED_S + 5)
        refused = [request for request in fake.requests()[before:] if request.status == 401 or request.fault]
        fake.set_faults("calm")
    assert len(refused) <= 10  # one of each class and those under way, then one after each of ever longer pauses
    about_token = [line for line in lines if "token" in line["event"] or "401" in str(line.get("error", ""))]
    assert [line["event"] for line in about_token if line["log_level"] in ("error", "warning")] == ["token_rejected"]
    for game_id in games:  # a server that errs does not cost a game
        check_end(bot, fake.wait_for_end(game_id))
