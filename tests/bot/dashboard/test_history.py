"""Finished games: read now and then, bounded, newest first."""

from __future__ import annotations

import time

import pytest

from bot.archive.game_record import GameRecord
from bot.dashboard import history as module
from bot.dashboard.history import READ_EVERY_S, SHOWN_S, History, ratings
from bot.errors import StoreError
from tests.bot.dashboard.pictures import kept

NOW_S = time.time()


class Shelf:
    """A store that counts how often, and from when on, it is read."""

    def __init__(self, *games: GameRecord) -> None:
        self.games = list(games)
        self.asked: list[float] = []
        self.broken = False

    def __call__(self, since_s: float) -> list[GameRecord]:
        self.asked.append(since_s)
        if self.broken:
            raise StoreError("disk I/O error")
        return [game for game in self.games if game.ended_s > since_s]


def ids(history: History, now_s: float) -> list[str]:
    """The games in order."""
    return [game.game_id for game in history.look(now_s) or ()]


def test_games_come_newest_first_and_once() -> None:
    shelf = Shelf(kept("first", NOW_S - 50), kept("second", NOW_S - 20))
    history = History(shelf)
    assert ids(history, 0.0) == ["second", "first"]
    shelf.games.append(kept("third", NOW_S - 10))
    assert ids(history, READ_EVERY_S) == ["third", "second", "first"]


def test_the_store_is_read_now_and_then_and_only_what_is_new() -> None:
    shelf = Shelf(kept("first", NOW_S - 5000), kept("second", NOW_S - 4000))
    history = History(shelf)
    for now_s in (0.0, 1.0, READ_EVERY_S - 0.1, READ_EVERY_S):
        history.look(now_s)
    assert len(shelf.asked) == 2
    assert shelf.asked[0] == pytest.approx(time.time() - SHOWN_S, abs=100)
    assert NOW_S - 5000 < shelf.asked[1] < NOW_S - 4000


@pytest.mark.parametrize("set_s", [-3600.0, 3600.0])
def test_a_clock_that_is_set_between_two_readings_hides_no_game(set_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(kept("before", NOW_S - 10))
    history = History(shelf)
    monkeypatch.setattr(time, "time", lambda: NOW_S)
    assert ids(history, 0.0) == ["before"]
    shelf.games += [kept("soon", NOW_S + 200 if set_s > 0 else NOW_S + set_s + 200), kept("late", NOW_S + set_s + 1700)]
    monkeypatch.setattr(time, "time", lambda: NOW_S + set_s + 1800)  # nobody has looked for half an hour
    assert set(ids(history, 1800.0)) == {"before", "soon", "late"}


def test_a_store_that_cannot_be_read_is_said_and_read_again() -> None:
    shelf = Shelf(kept())
    shelf.broken = True
    history = History(shelf)
    assert history.look(0.0) is None
    shelf.broken = False
    assert ids(history, READ_EVERY_S) == ["abcdefgh"]


def test_old_games_and_too_many_games_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 3)
    shelf = Shelf(*(kept(f"game{number}", NOW_S - number) for number in range(5)))
    assert ids(History(shelf), 0.0) == ["game0", "game1", "game2"]
    old = Shelf(kept("old", NOW_S - SHOWN_S - 10))
    assert ids(History(old), 0.0) == []


def test_ratings_are_told_apart_and_in_order() -> None:
    history = History(
        Shelf(
            kept("one", NOW_S - 3),
            kept("two", NOW_S - 2, my_rating=2020),
            kept("three", NOW_S - 1, speed="rapid"),
            kept("four", NOW_S, variant="atomic"),
            kept("five", NOW_S, variant="fromPosition"),
        )
    )
    assert history.look(0.0) is not None
    assert list(history.ratings) == ["blitz", "atomic", "rapid"]
    assert [rating for _, rating in history.ratings["blitz"]] == [2010, 2020]


def test_many_ratings_are_thinned_and_the_last_stays() -> None:
    games = [kept(f"game{n}", n, my_rating=1000 + n) for n in range(1, 1001)]
    points = ratings(games)["blitz"]
    assert len(points) <= module.MOST_POINTS
    assert points[-1] == (1000.0, 2000)


def test_as_many_ratings_as_a_chart_can_show_all_stay() -> None:
    games = [kept(f"game{n}", n, my_rating=1000 + n) for n in range(module.MOST_POINTS)]
    assert len(ratings(games)["blitz"]) == module.MOST_POINTS


def test_a_rating_that_is_not_known_is_no_point() -> None:
    assert ratings([kept(my_rating=None)]) == {}
