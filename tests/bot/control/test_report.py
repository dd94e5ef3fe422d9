"""What happens in the bot, as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.control.report import Status, clock_in_words, games_json, games_text, status_json, status_text
from bot.dashboard.games import Side
from bot.dashboard.log_tail import LoggedError
from bot.dashboard.picture import Health, Waiting
from tests.bot.dashboard.pictures import game, picture


def status(paused: bool = False, ending: bool = False, blocked: tuple[str, ...] = (), **fields: Any) -> Status:
    """A status of a made-up picture."""
    return Status(picture(**fields), 2, paused, ending, blocked)


def test_a_quiet_bot() -> None:
    assert status_text(status()).splitlines() == [
        "me on http://server: playing; well",
        "games    0 running, 2 of 2 slots free",
        "queue    0 waiting",
        "limits   none",
        "today    1 won, 0 drawn, 0 lost",
    ]


def test_a_busy_and_troubled_bot() -> None:
    busy = status(
        paused=True,
        blocked=("ann", "bob"),
        games=(game(last_move="12.Nf3"), game(game_id="zz", variant="atomic", rated=False, score=None)),
        waiting=(Waiting("Carl", "3+2 standard rated"),),
        uses={"playing": 2, "parked": 3, "accepted": 0, "outgoing": 1},
        free_slots=-1,
        limits={"challenge": 61.4},
        results=None,
        health=Health(("no engine answers",), ready=False),
        last_error=LoggedError("engine_died", "signal 9", 1.0),
    )
    assert status_text(busy).splitlines() == [
        "me on http://server: PAUSED, takes no challenges and seeks no games; no engine answers",
        "games    2 running, 0 of 2 slots free, 1 challenged, 3 correspondence games wait for their opponents",
        "         abcdefgh  rated blitz          BOT me (2000) 1:05*  -  Alice (1700) 1:00  12.Nf3  +0.25",
        "         zz        casual blitz atomic  BOT me (2000) 1:05*  -  Alice (1700) 1:00",
        "queue    1 waiting",
        "         Carl: 3+2 standard rated",
        "limits   challenge for 61 s",
        "today    unknown: the store cannot be read",
        "blocked  ann, bob",
        "error    engine_died signal 9",
    ]


@pytest.mark.parametrize(
    ("made", "state"),
    [
        (status(), "playing"),
        (status(paused=True), "paused"),
        (status(paused=True, ending=True), "ending"),
        (status(account=""), "starting"),
    ],
)
def test_the_state_in_a_word_and_as_json(made: Status, state: str) -> None:
    found = json.loads(status_json(made))
    assert (found["state"], found["slots"], found["results_today"]) == (state, 2, {"won": 1, "drawn": 0, "lost": 0})


def test_games() -> None:
    assert games_text(()) == "no games are running"
    assert games_text((game(white=Side("me", None, None, False)),)).split() == [
        "abcdefgh", "rated", "blitz", "me", "-", "-", "Alice", "(1700)", "1:00", "+0.25",
    ]  # fmt: skip
    (told,) = json.loads(games_json((game(),)))
    assert (told["white"]["clock_ms"], told["score"]) == (65_000, {"cp": 25, "mate": None})


def test_names_are_written_as_they_are_in_json() -> None:
    games = (game(white=Side("Jürgen", None, None, False)),)
    assert '"Jürgen"' in games_json(games)
    assert '"Jürgen"' in status_json(status(games=games))


@pytest.mark.parametrize(
    ("clock_ms", "words"),
    [(None, "-"), (0, "0:00.0"), (9_540, "0:09.5"), (10_000, "0:10"), (3_599_999, "59:59"), (3_723_000, "1:02:03")],
)
def test_clocks(clock_ms: int | None, words: str) -> None:
    assert clock_in_words(clock_ms) == words


def test_one_game_that_waits_is_one() -> None:
    text = status_text(status(uses={"playing": 0, "parked": 1, "accepted": 0, "outgoing": 0}))
    assert "1 correspondence game waits for its opponent" in text


def test_all_that_a_program_may_want_to_know() -> None:
    busy = status(
        blocked=("ann",),
        games=(game(),),
        waiting=(Waiting("Carl", "3+2 standard rated"),),
        limits={"challenge": 61.4},
        results=None,
        health=Health(("no engine answers",), ready=False),
        last_error=LoggedError("engine_died", "signal 9", 1.0),
    )
    found = json.loads(status_json(busy))
    assert found.pop("games")[0]["game_id"] == "abcdefgh"
    assert found == {
        "state": "playing",
        "paused": False,
        "ending": False,
        "account": "me",
        "url": "http://server",
        "well": False,
        "reasons": ["no engine answers"],
        "slots": 2,
        "free_slots": 2,
        "uses": {"playing": 0, "parked": 0, "accepted": 0, "outgoing": 0},
        "queue": [{"challenger": "Carl", "terms": "3+2 standard rated"}],
        "limits_s": {"challenge": 61.4},
        "results_today": None,
        "blocked": ["ann"],
        "last_error": {"event": "engine_died", "text": "signal 9", "at_s": 1.0},
        "visibility": None,
    }
    assert json.loads(status_json(status()))["last_error"] is None


def test_a_bot_that_starts_or_ends_says_so() -> None:
    assert status_text(status(account="")).startswith("the bot on http://server: starting; ")
    assert status_text(status(ending=True)).startswith("me on http://server: ENDING, takes no challenges; ")
    two = {"playing": 0, "parked": 0, "accepted": 2, "outgoing": 1}
    assert "2 of 2 slots free, 2 about to begin, 1 challenged\n" in status_text(status(uses=two))
    silent = status(last_error=LoggedError("fault", "", 1.0))
    assert status_text(silent).splitlines()[-1] == "error    fault"
