"""Whether people find us: the place in the list of online bots, and what would raise it."""

from __future__ import annotations

import contextlib

import pytest
from structlog.testing import capture_logs

from bot.account.visibility import Visibility, VisibilityWatch, account_advice, look
from bot.control.report import Status, status_text
from bot.dashboard.overview import render
from bot.fake_lichess import AccountConfig, FakeConfig, FakeLichess
from bot.lichess.gateway import Gateway
from bot.lichess.values import Account
from tests.bot.dashboard.pictures import picture
from tests.helpers.processes import wait_until


@pytest.mark.parametrize(
    ("bio", "words", "remedy"),
    [
        ("", "not in the list of online bots; no bio, 0.0 h played against people", "write a bio"),
        (None, "place 1 of 1 in the list of online bots; a bio, 0.0 h played against people", "sorted by time"),
    ],
)
def test_bio_and_place_are_reported(bio: str | None, words: str, remedy: str) -> None:
    account = AccountConfig(name="mine", title="BOT", bio=bio)
    with FakeLichess(FakeConfig(accounts=(account,))) as fake:
        gateway = Gateway(fake.url, fake.token("mine"))
        try:
            with contextlib.closing(gateway.stream_events()), capture_logs() as logs:
                assert wait_until(lambda: fake.is_online("mine"))
                watch = VisibilityWatch(gateway, "mine", fake.url, first_s=0.0)
                watch.start()
                assert wait_until(lambda: watch.latest is not None)
                watch.close()
                assert watch.latest == look(gateway, "mine")
                assert watch.latest is not None
                assert watch.latest.in_words() == words
                assert remedy in watch.latest.remedy(fake.url)
        finally:
            gateway.close()
    assert [one["event"] for one in logs if one["event"] == "not_listed"] == ["not_listed"] * (bio == "")


def test_the_time_against_people_is_told_before_the_start() -> None:
    mine = Account(id="mine", username="Mine", has_bio=True, people_s=5400)
    words = "Mine has a bio, 1.5 h played against people: the list is sorted"
    assert account_advice(mine, "https://x").startswith(words)
    silent = Account(id="mine", username="Mine")
    assert "no bio, 0.0 h played against people: write a bio at https://x/account/profile" in account_advice(
        silent, "https://x"
    )


def test_the_place_is_part_of_status_and_page() -> None:
    found = Visibility(has_bio=True, people_s=7200, place=41, listed=300)
    one = picture(visibility=found)
    text = status_text(Status(one, 2, paused=False, ending=False, blocked=()))
    assert "found    place 41 of 300 in the list of online bots; a bio, 2.0 h" in text
    assert "place 41 of 300" in render(one)
