"""From the running bot to the receiver: what is seen is sent, once, and only what is wanted."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from structlog.typing import EventDict

from bot.archive.store import Store
from bot.dashboard.picture import Health, Picture
from bot.errors import LichessError
from bot.service import notifications as notifier
from bot.service.notifications import Notifier
from bot.settings import NotifySettings
from tests.bot.dashboard.pictures import picture
from tests.bot.service.test_webhook import Receiver, receiver
from tests.helpers.ending import closed_at_end
from tests.helpers.finished_games import is_written, record, record_game
from tests.helpers.processes import wait_until

__all__ = ["receiver"]

ILL = Health(("no engine answers",), ready=False)


class Bot:
    """What the notifier looks at."""

    def __init__(self) -> None:
        self.picture = picture(account="MyBot")
        self.ratings: dict[str, int] | None = {"blitz": 2000}
        self.asked = 0

    def ask_ratings(self) -> dict[str, int]:
        self.asked += 1
        if self.ratings is None:
            raise LichessError("no answer")
        return self.ratings


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return closed_at_end(Store(tmp_path / "store.sqlite3"))


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(notifier, "RATINGS_EVERY_S", 0.02)
    monkeypatch.setattr(notifier, "UNWELL_FOR_S", 0.0)


def watching(bot: Bot, receiver: Receiver, store: Store, **more: Any) -> Notifier:
    settings = NotifySettings.model_validate({"webhook": receiver.address} | more)
    one = Notifier(settings, lambda: bot.picture, bot.ask_ratings, store)
    one.start()
    return one


def taken(receiver: Receiver) -> list[str]:
    return [message["event"] for message in receiver.taken]


def test_unwell_and_well_again(receiver: Receiver, store: Store) -> None:
    bot = Bot()
    well = bot.picture.health
    one = watching(bot, receiver, store)
    bot.picture = dataclasses.replace(bot.picture, health=ILL)
    assert wait_until(lambda: taken(receiver) == ["unwell"])
    bot.picture = dataclasses.replace(bot.picture, health=well)
    assert wait_until(lambda: taken(receiver) == ["unwell", "well_again"])
    one.stop()
    first = receiver.taken[0]
    assert (first["account"], first["reasons"]) == ("MyBot", ["no engine answers"])
    assert first["content"] == first["text"] == "MyBot is unwell: no engine answers"
    assert first["title"] == "bot88: unwell"
    assert first["time"].endswith("+00:00")


def test_only_the_events_that_are_wanted(receiver: Receiver, store: Store) -> None:
    bot = Bot()
    well = bot.picture.health
    one = watching(bot, receiver, store, events=["well_again"])
    bot.picture = dataclasses.replace(bot.picture, health=ILL)
    assert wait_until(lambda: one._health._told)
    bot.picture = dataclasses.replace(bot.picture, health=well)
    assert wait_until(lambda: taken(receiver) == ["well_again"])
    one.stop()
    assert bot.asked == 0  # nobody wants to hear of ratings


def test_a_start_is_no_illness(receiver: Receiver, store: Store) -> None:
    bot = Bot()
    bot.picture = dataclasses.replace(bot.picture, stream_openings=0, health=ILL)
    one = watching(bot, receiver, store)
    assert wait_until(lambda: one._account == "MyBot")  # it has looked
    one.stop()
    assert taken(receiver) == []


def test_a_refused_start_is_told_before_the_end(receiver: Receiver, store: Store) -> None:
    one = Notifier(NotifySettings.model_validate({"webhook": receiver.address}), lambda: Bot().picture, dict, store)
    one.start_was_refused("the token is not valid")
    one.stop()
    assert taken(receiver) == ["token_refused"]
    assert receiver.taken[0]["text"] == "bot88 cannot start: the token is not valid"


def finish_game(store: Store, number: int, *, rated: bool = True) -> None:
    record_game(store, record(f"game{number:04}", rated=rated, ended_s=4e9 + number))
    assert is_written(store, 30.0)


def test_a_record_is_told_after_a_rated_game_and_remembered(receiver: Receiver, store: Store) -> None:
    bot = Bot()
    one = watching(bot, receiver, store)
    assert wait_until(lambda: bot.asked == 1)
    bot.ratings = {"blitz": 2010}
    finish_game(store, 1, rated=False)
    assert taken(receiver) == []
    assert bot.asked == 1
    finish_game(store, 2)
    assert wait_until(lambda: taken(receiver) == ["rating_record"])
    one.stop()
    assert receiver.taken[0]["rating"] == 2010
    assert store.noted("best_ratings", str) == ["blitz 2010"]

    bot.ratings = {"blitz": 2011}
    again = watching(bot, receiver, store)  # the next start of the bot knows the best one
    assert wait_until(lambda: len(receiver.taken) == 2)
    again.stop()
    assert receiver.taken[1]["before"] == 2010


def test_a_server_that_does_not_answer_about_ratings_is_asked_again(receiver: Receiver, store: Store) -> None:
    bot = Bot()
    store.note("best_ratings", ["blitz 1990"])
    bot.ratings = None
    one = watching(bot, receiver, store)
    assert wait_until(lambda: bot.asked >= 1)
    finish_game(store, 1)
    bot.ratings = {"blitz": 2000}
    assert wait_until(lambda: taken(receiver) == ["rating_record"])
    one.stop()


def test_without_an_address_nothing_is_watched(store: Store) -> None:
    one = Notifier(NotifySettings(), lambda: Bot().picture, dict, store)
    one.start()
    assert not one._loop.running
    one.start_was_refused("the token is not valid")
    one.stop()


def test_ratings_cost_a_request_now_and_then_at_most(
    receiver: Receiver, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifier, "RATINGS_EVERY_S", 3600.0)
    bot, looks = Bot(), list[int]()

    def look() -> Picture:
        looks.append(1)
        return bot.picture

    one = Notifier(NotifySettings.model_validate({"webhook": receiver.address}), look, bot.ask_ratings, store)
    one.start()
    assert wait_until(lambda: bot.asked == 1)
    finish_game(store, 1)
    seen = len(looks)
    assert wait_until(lambda: len(looks) > seen + 3)
    one.stop()
    assert bot.asked == 1
    assert not one._loop.running


@pytest.mark.parametrize(("kept", "blitz"), [("blitz 2100", 2100), ("blitz 1990 x", 2000)], ids=["whole", "damaged"])
def test_the_best_ratings_are_kept_and_a_damaged_note_is_begun_anew(
    kept: str, blitz: int, receiver: Receiver, store: Store
) -> None:
    store.note("best_ratings", [kept])
    bot = Bot()
    bot.ratings = {"rapid": 1900, "blitz": 2000}
    one = watching(bot, receiver, store)
    is_kept = wait_until(lambda: store.noted("best_ratings", str) == [f"blitz {blitz}", "rapid 1900"])
    one.stop()
    assert is_kept
    assert receiver.taken == []


def test_a_message_says_what_kind_of_news_it_is(receiver: Receiver, store: Store, logs: list[EventDict]) -> None:
    settings = NotifySettings.model_validate({"webhook": receiver.address, "events": ["token_refused"]})
    one = Notifier(settings, lambda: Bot().picture, dict, store)
    one.start_was_refused("the token is not valid")
    one.stop()
    one.stop()
    assert receiver.taken[0]["title"] == "bot88: token refused"
    assert receiver.taken[0]["reasons"] == ["the token is not valid"]
    assert [(line["event"], line["news"], line["host"]) for line in logs] == [
        ("notifying", "token_refused", "127.0.0.1")
    ]
