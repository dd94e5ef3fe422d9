"""What a server that refuses, fails or limits does to an arena: said once, tried again, no slot kept for it."""

from __future__ import annotations

import pytest
import structlog

from bot.account.tournaments.arena_player import RETRY_S
from bot.account.tournaments.arena_rules import LOOK_EVERY_S
from bot.errors import LichessError, NetworkError, NotFound, RateLimited, Rejected, Unauthorized
from tests.bot.account.tournaments.test_arena_player import Hall


@pytest.mark.parametrize(
    ("error", "least_s", "most_s"),
    [
        (NetworkError("gone"), 0.5 * RETRY_S[0], 1.5 * RETRY_S[0]),
        (RateLimited(100.0), 100.0, 100.0),
        (RateLimited(86_400.0), 10 * LOOK_EVERY_S, 10 * LOOK_EVERY_S),
    ],
)
def test_a_limit_is_waited_for_but_no_arena_is_missed_for_it(
    error: LichessError, least_s: float, most_s: float
) -> None:
    hall = Hall()
    hall.server.error = error
    hall.look(1000.0)
    assert least_s <= hall.player.arenas[0].look_at_s - 1000.0 <= most_s
    assert hall.slots.free() == 1


def test_another_reason_of_the_same_arena_is_said_again_and_again_after_it_was_joined() -> None:
    hall = Hall()
    one = hall.player.arenas[0]
    with structlog.testing.capture_logs() as lines:
        for reason in (
            "Wrong entry code",
            "Wrong entry code",
            "You are not in the team",
            "",
            "You are not in the team",
        ):
            hall.server.error = Rejected(400, reason) if reason else None
            one.look_at_s, one.joined = 0.0, False
            hall.look(1000.0)
    assert [line["event"] for line in lines] == ["arena_refused", "arena_refused", "arena_joined", "arena_refused"]


@pytest.mark.parametrize(
    ("error", "event", "remedy"),
    [
        (Rejected(400, "Wrong entry code"), "arena_refused", "look at the arena's conditions"),
        (NotFound(404, "not found"), "arena_refused", "correct the id"),
        (Unauthorized(403, "Missing scope"), "arena_refused", "create a token with the scope tournament:write"),
        (NetworkError("gone"), "arena_not_reached", ""),
        (RateLimited(60.0), "arena_not_reached", ""),
    ],
)
def test_a_refusal_is_said_once_and_tried_again_ever_more_rarely(error: LichessError, event: str, remedy: str) -> None:
    hall = Hall(password="sesame")
    hall.server.error = error
    with structlog.testing.capture_logs() as lines:
        tries = sum(len(hall.look(float(second))) for second in range(0, 3600, 1))
    assert 3 <= tries <= 40
    assert hall.slots.free() == 1
    said = [line for line in lines if line["event"] == event]
    assert len(said) == (1 if event == "arena_refused" else tries)
    assert said[0].get("remedy", "").startswith(remedy)
    assert (remedy == "") is ("remedy" not in said[0])
    assert "sesame" not in str(lines)
    hall.server.error = None
    assert sum(len(hall.look(float(second))) for second in range(3600, 5000, 100)) >= 1
    assert hall.player.arenas[0].joined
