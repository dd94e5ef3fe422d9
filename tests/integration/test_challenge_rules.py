"""Rules that need more than the challenge itself: lists at addresses, and what the server says about a challenger."""

from __future__ import annotations

from collections.abc import Callable

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PlayingBot
from tests.helpers.processes import wait_until
from tests.helpers.wire import Wire, answer, replies

MakeBot = Callable[..., PlayingBot]


def decided(fake: FakeLichess, challenge_id: str) -> str:
    """The end of a challenge, once that is known."""
    assert wait_until(lambda: fake.challenge_status(challenge_id) != "created")
    return fake.challenge_status(challenge_id)


def test_users_in_a_list_at_an_address_are_declined_and_the_list_is_not_shown_the_token(
    fake: FakeLichess, make_bot: MakeBot
) -> None:
    with Wire(replies(answer("200 OK", b"# not these\nbobby\n"))) as web:
        bot = make_bot(fake, challenges={"block": f"{web.url}/list", "games_per_opponent": 5})
        assert wait_until(lambda: bot.lists.contains((f"{web.url}/list",), "bobby"))
        refused = fake.challenge("Bobby", bot.name, clock=(120, 0))
        taken = fake.challenge("Alice", bot.name, clock=(120, 0))
        assert (decided(fake, refused), decided(fake, taken)) == ("declined", "accepted")
        assert b"authorization" not in web.requests[0].lower()


def test_an_account_with_too_few_games_is_declined_and_one_that_is_always_taken_is_not_looked_at(
    fake: FakeLichess, make_bot: MakeBot
) -> None:
    bot = make_bot(fake, challenges={"rules": {"max_games": 0, "decline": "generic"}, "allow": "Alice"})
    refused = fake.challenge("Fresh", bot.name, clock=(120, 0))
    taken = fake.challenge("Alice", bot.name, clock=(120, 0))
    assert (decided(fake, refused), decided(fake, taken)) == ("declined", "accepted")
    assert [request.path for request in fake.requests("user")] == ["/api/user/fresh"]
