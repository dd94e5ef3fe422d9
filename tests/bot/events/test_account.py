"""Account events: the shapes Lichess sends, and all that it might send instead."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.events import (
    CLOCK,
    CORRESPONDENCE,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    TimeControl,
    UnknownEvent,
    parse_account_event,
    parse_game_event,
)
from bot.events.common import ANONYMOUS, Player
from tests.helpers.examples import scaled
from tests.helpers.shared import shared_data

GAME = {
    "fullId": "abcdefgh1234",
    "gameId": "abcdefgh",
    "color": "white",
    "lastMove": "e7e5",
    "source": "friend",
    "status": {"id": 31, "name": "resign"},
    "variant": {"key": "chess960", "name": "Chess960"},
    "speed": "blitz",
    "rated": True,
    "hasMoved": True,
    "opponent": {"id": "zed", "username": "BOT Zed", "rating": 1776},
    "isMyTurn": False,
    "secondsLeft": 300,
    "winner": "black",
    "ratingDiff": -9,
    "compat": {"bot": True, "board": True},
    "id": "abcdefgh",
}
CHALLENGE = {
    "id": "ijklmnop",
    "status": "created",
    "challenger": {"name": "Ann", "id": "ann", "rating": 734, "provisional": True, "title": "BOT"},
    "destUser": None,
    "variant": {"key": "standard", "name": "Standard"},
    "rated": True,
    "speed": "bullet",
    "timeControl": {"type": "clock", "limit": 60, "increment": 1, "show": "1+1"},
    "color": "random",
    "finalColor": "black",
    "rules": ["noAbort"],
    "rematchOf": "qrstuvwx",
}


def test_game_start_and_finish() -> None:
    started = parse_account_event({"type": "gameStart", "game": GAME})
    assert isinstance(started, GameStarted)
    game = started.game
    assert (game.game_id, game.color, game.variant, game.status, game.winner) == (
        "abcdefgh", "white", "chess960", "resign", "black",
    )  # fmt: skip
    assert (game.opponent.id, game.opponent.name, game.opponent.is_bot) == ("zed", "Zed", True)
    assert (game.seconds_left, game.rating_diff, game.playable) == (300, -9, True)
    assert isinstance(parse_account_event({"type": "gameFinish", "game": GAME}), GameFinished)


def test_a_game_that_bots_may_not_play() -> None:
    event = parse_account_event({"type": "gameStart", "game": GAME | {"compat": {"bot": False}}})
    assert isinstance(event, GameStarted)
    assert not event.game.playable


def test_an_ai_opponent_has_no_id() -> None:
    opponent = {"id": None, "username": "Stockfish level 1", "ai": 1}
    event = parse_account_event({"type": "gameStart", "game": GAME | {"opponent": opponent}})
    assert isinstance(event, GameStarted)
    assert event.game.opponent.is_ai
    assert event.game.opponent.id == ""
    assert event.game.opponent.label == "AI level 1"


@pytest.mark.parametrize("ids", [{"gameId": "abcdefgh"}, {"id": "abcdefgh"}, {"fullId": "abcdefgh1234"}])
def test_what_a_game_does_not_say_is_not_so(ids: dict[str, str]) -> None:
    event = parse_account_event({"type": "gameStart", "game": ids})
    assert event == GameStarted(GameInfo("abcdefgh", "", ANONYMOUS))
    assert isinstance(event, GameStarted)
    assert (event.game.is_my_turn, event.game.has_moved, event.game.rated, event.game.playable) == (
        False, False, False, True,
    )  # fmt: skip


def test_what_a_challenge_does_not_say_is_not_so() -> None:
    event = parse_account_event({"type": "challenge", "challenge": {"id": "ijklmnop"}})
    bare = Challenge("ijklmnop", ANONYMOUS, ANONYMOUS, "standard", False, "", TimeControl(), "random", "")
    assert event == ChallengeReceived(bare)


def test_challenge() -> None:
    event = parse_account_event({"type": "challenge", "challenge": CHALLENGE, "compat": {"bot": False}})
    assert isinstance(event, ChallengeReceived)
    challenge = event.challenge
    assert not event.playable
    assert challenge.challenger.is_bot
    assert challenge.challenger.provisional
    assert challenge.dest_user.label == "Anonymous"
    assert challenge.time_control == TimeControl(CLOCK, 60, 1)
    assert challenge.time_control.estimate_s == 100
    assert challenge.rules == ("noAbort",)
    assert challenge.rematch_of == "qrstuvwx"


def test_challenge_without_compat_is_playable() -> None:
    event = parse_account_event({"type": "challenge", "challenge": CHALLENGE})
    assert isinstance(event, ChallengeReceived)
    assert event.playable


def test_challenge_canceled_and_declined() -> None:
    assert parse_account_event({"type": "challengeCanceled", "challenge": CHALLENGE}) == ChallengeCanceled("ijklmnop")
    body = CHALLENGE | {"declineReasonKey": "tooFast", "declineReason": "Too fast."}
    event = parse_account_event({"type": "challengeDeclined", "challenge": body})
    assert isinstance(event, ChallengeDeclined)
    assert (event.reason_key, event.reason) == ("toofast", "Too fast.")


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ({"type": "clock", "limit": 30, "increment": 0}, "½+0"),
        ({"type": "clock", "limit": 90, "increment": 2}, "1.5+2"),
        ({"type": "clock", "limit": 180, "increment": 2}, "3+2"),
        ({"type": "clock", "limit": 150, "increment": 0}, "2.5+0"),
        ({"type": "correspondence", "daysPerTurn": 2}, "2 days a turn"),
        ({"type": "unlimited"}, "unlimited"),
        (None, "unlimited"),
    ],
)
def test_time_controls(control: object, text: str) -> None:
    event = parse_account_event({"type": "challenge", "challenge": CHALLENGE | {"timeControl": control}})
    assert isinstance(event, ChallengeReceived)
    assert str(event.challenge.time_control) == text
    if "days" in text:
        assert event.challenge.time_control.kind == CORRESPONDENCE


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"type": "tournamentReminder"},
        {"type": "gameStart"},
        {"type": "gameStart", "game": []},
        {"type": "challenge", "challenge": {}},
        {"type": "challengeAccepted", "challenge": {"id": "x"}},
        {"type": "challengeExpired", "challenge": {"id": "x"}},
        {"type": 5},
    ],
)
def test_what_cannot_be_used_is_unknown(line: dict[str, Any]) -> None:
    assert isinstance(parse_account_event(line), UnknownEvent)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=scaled(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_type_in_any_field_raises(data: st.DataObject) -> None:
    body = {**GAME, **CHALLENGE}
    for key in data.draw(st.lists(st.sampled_from(sorted(body)), max_size=6)):
        body[key] = data.draw(JSON)
    for kind in ("gameStart", "gameFinish", "challenge", "challengeCanceled", "challengeDeclined"):
        parse_account_event({"type": kind, "game": body, "challenge": body, "compat": data.draw(JSON)})
    full = body | {"type": "gameFull", "state": data.draw(JSON), "white": data.draw(JSON), "clock": data.draw(JSON)}
    parse_game_event(full)
    assert isinstance(parse_game_event(full | {"type": data.draw(JSON)}), UnknownEvent)


def test_the_official_examples_are_understood() -> None:
    examples = json.loads(shared_data("lichess-api/official_examples.json").read_text(encoding="utf-8"))
    for line in examples["event_stream"].values():
        assert not isinstance(parse_account_event(line), UnknownEvent), line
    for line in examples["game_stream"].values():
        assert not isinstance(parse_game_event(line), UnknownEvent), line


@pytest.mark.parametrize(
    ("event", "in_challenge", "playable"),
    [
        ({"compat": {"bot": False}}, {}, False),
        ({}, {"compat": {"bot": False}}, False),
        ({"compat": {"bot": True}}, {"compat": {"bot": False}}, True),
        ({"compat": {"board": True}}, {}, True),
    ],
)
def test_whether_bots_may_play_it_stands_in_the_event_or_in_the_challenge(
    event: dict[str, Any], in_challenge: dict[str, Any], playable: bool
) -> None:
    received = parse_account_event({"type": "challenge", "challenge": CHALLENGE | in_challenge} | event)
    assert isinstance(received, ChallengeReceived)
    assert received.playable is playable


def test_a_decline_without_words_has_the_general_reason_and_who_declined() -> None:
    body = CHALLENGE | {"destUser": {"id": "bea", "name": "Bea"}}
    event = parse_account_event({"type": "challengeDeclined", "challenge": body})
    assert event == ChallengeDeclined("ijklmnop", "generic", "", Player("bea", "Bea"))


@pytest.mark.parametrize("status", [{"id": 31, "name": "resign"}, "resign", {"name": {"key": "resign"}}])
def test_the_status_of_a_game_is_a_word_or_the_name_of_an_object(status: object) -> None:
    event = parse_account_event({"type": "gameFinish", "game": GAME | {"status": status}})
    assert isinstance(event, GameFinished)
    assert event.game.status == "resign"


def test_every_field_of_a_game_arrives() -> None:
    more = {"isMyTurn": True, "fen": "8/8 w", "tournamentId": "arena123"}
    event = parse_account_event({"type": "gameStart", "game": GAME | more})
    zed = Player("zed", "Zed", "BOT", 1776)
    head = ("abcdefgh", "white", zed, "chess960", "blitz", True, "friend", "resign", "black", "8/8 w", "e7e5")
    assert event == GameStarted(GameInfo(*head, True, True, 300, -9, "arena123"))
