"""Events of the account, players and time controls: the shapes that Lichess sends, and others that it might send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.events.account import (
    CLOCK,
    CORRESPONDENCE,
    UNLIMITED,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeReceived,
    GameFinished,
    GameInfo,
    GameStarted,
    TimeControl,
    parse_account_event,
    parse_time_control,
)
from bot.events.game import ANONYMOUS, Player, UnknownEvent, parse_game_event, parse_game_export, parse_player
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


def test_a_game_has_every_field() -> None:
    more = {"isMyTurn": True, "tournamentId": "arena123"}
    event = parse_account_event({"type": "gameStart", "game": GAME | more})
    zed = Player("zed", "Zed", "BOT", 1776)
    assert event == GameStarted(GameInfo("abcdefgh", zed, "blitz", True, 300, "arena123"))
    assert isinstance(parse_account_event({"type": "gameFinish", "game": GAME}), GameFinished)


def test_a_game_that_bots_may_not_play() -> None:
    event = parse_account_event({"type": "gameStart", "game": GAME | {"compat": {"bot": False}}})
    assert isinstance(event, GameStarted)
    assert not event.game.playable


@pytest.mark.parametrize("ids", [{"gameId": "abcdefgh"}, {"id": "abcdefgh"}, {"fullId": "abcdefgh1234"}])
def test_defaults_of_a_game(ids: dict[str, str]) -> None:
    event = parse_account_event({"type": "gameStart", "game": ids})
    assert event == GameStarted(GameInfo("abcdefgh", ANONYMOUS))
    assert isinstance(event, GameStarted)
    assert (event.game.is_my_turn, event.game.playable) == (False, True)


def test_defaults_of_a_challenge() -> None:
    event = parse_account_event({"type": "challenge", "challenge": {"id": "ijklmnop"}})
    bare = Challenge("ijklmnop", ANONYMOUS, ANONYMOUS, "standard", False, "", TimeControl())
    assert event == ChallengeReceived(bare)


def test_a_challenge_has_every_field() -> None:
    event = parse_account_event({"type": "challenge", "challenge": CHALLENGE | {"initialFen": "8/8 w"}})
    ann = Player("ann", "Ann", "BOT", 734)
    head = ("ijklmnop", ann, ANONYMOUS, "standard", True, "bullet", TimeControl(CLOCK, 60, 1))
    assert event == ChallengeReceived(Challenge(*head, "created", "8/8 w", ("noAbort",), "qrstuvwx"))


def test_challenge_canceled_and_declined() -> None:
    assert parse_account_event({"type": "challengeCanceled", "challenge": CHALLENGE}) == ChallengeCanceled("ijklmnop")
    for key, reason in ({"declineReasonKey": "tooFast"}, "toofast"), ({}, "generic"):
        event = parse_account_event({"type": "challengeDeclined", "challenge": CHALLENGE | key})
        assert event == ChallengeDeclined("ijklmnop", reason)


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
def test_an_unusable_event_is_unknown(line: dict[str, Any]) -> None:
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
def test_compat_is_in_the_event_or_in_the_challenge(
    event: dict[str, Any], in_challenge: dict[str, Any], playable: bool
) -> None:
    received = parse_account_event({"type": "challenge", "challenge": CHALLENGE | in_challenge} | event)
    assert isinstance(received, ChallengeReceived)
    assert received.challenge.playable is playable


@pytest.mark.parametrize("status", [{"id": 31, "name": "resign"}, "resign", {"name": {"key": "resign"}}])
def test_the_status_of_a_game_is_a_word_or_the_name_of_an_object(status: object) -> None:
    export = parse_game_export({"id": "abcdefgh", "status": status})
    assert export is not None
    assert export.status == "resign"


@pytest.mark.parametrize(
    ("data", "player"),
    [
        ({"id": "Ann", "name": "Ann", "title": "GM", "rating": 2500}, Player("ann", "Ann", "GM", 2500)),
        ({"username": "Ann"}, Player("ann", "Ann")),
        ({"name": "Ann", "username": "Bea"}, Player("ann", "Ann")),
        ({"id": "zed", "username": "BOT Zed"}, Player("zed", "Zed", "BOT")),
        ({"id": "zed", "username": "BOT Zed", "title": "BOT"}, Player("zed", "BOT Zed", "BOT")),
        ({"username": "BOTZed"}, Player("botzed", "BOTZed")),
        ({"aiLevel": 3}, Player("", "", ai_level=3)),
        ({"id": None, "username": "Stockfish level 1", "ai": 1}, Player("", "Stockfish level 1", ai_level=1)),
        ({"id": "x", "name": "Stockfish", "ai": 0}, Player("", "Stockfish", ai_level=0)),
        ({"aiLevel": 5, "ai": 1}, Player("", "", ai_level=5)),
        ({}, ANONYMOUS),
        (None, ANONYMOUS),
        ("Ann", ANONYMOUS),
    ],
)
def test_players(data: object, player: Player) -> None:
    assert parse_player(data) == player


@pytest.mark.parametrize(
    ("player", "kind", "label"),
    [
        (Player("ann", "Ann"), "human", "Ann"),
        (Player("ann", "Ann", "GM"), "human", "GM Ann"),
        (Player("zed", "Zed", "BOT"), "bot", "BOT Zed"),
        (Player("", "", ai_level=0), "ai", "AI level 0"),
        (Player("ann", ""), "human", "ann"),
        (ANONYMOUS, "human", "Anonymous"),
    ],
)
def test_kinds_and_labels_of_players(player: Player, kind: str, label: str) -> None:
    assert (player.kind, player.label) == (kind, label)
    assert (player.is_ai, player.is_bot) == (kind == "ai", kind == "bot")


@pytest.mark.parametrize(
    ("data", "control", "spelled", "estimate_s"),
    [
        ({"type": "clock", "limit": 30, "increment": 0}, TimeControl(CLOCK, 30, 0), "½+0", 30),
        ({"type": "clock", "limit": 90, "increment": 2}, TimeControl(CLOCK, 90, 2), "1.5+2", 170),
        ({"type": "clock", "limit": 15, "increment": 0}, TimeControl(CLOCK, 15, 0), "¼+0", 15),
        ({"type": "clock", "limit": 45, "increment": 1}, TimeControl(CLOCK, 45, 1), "¾+1", 85),
        ({"type": "clock", "limit": 180, "increment": 2}, TimeControl(CLOCK, 180, 2), "3+2", 260),
        ({"type": "clock", "limit": 100}, TimeControl(CLOCK, 100, 0), "1.66667+0", 100),
        ({"type": "correspondence", "daysPerTurn": 3}, TimeControl(CORRESPONDENCE, 0, 0, 3), "3 days a turn", 0),
        ({"type": "unlimited"}, TimeControl(), "unlimited", 0),
        ({"type": "sundial"}, TimeControl(), "unlimited", 0),
        ({"type": "abacus", "limit": 60}, TimeControl(UNLIMITED, 60), "unlimited", 60),
        ({"type": ["clock"]}, TimeControl(), "unlimited", 0),
        ([], TimeControl(), "unlimited", 0),
    ],
)
def test_time_controls(data: object, control: TimeControl, spelled: str, estimate_s: int) -> None:
    found = parse_time_control(data)
    assert (found, str(found), found.estimate_s) == (control, spelled, estimate_s)
