"""Challenges that get lost, declined or accepted by nobody."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.app.signals import StopSignals
from bot.fake_lichess import AccountConfig, FakeLichess
from bot.offline.match import MOST_CHALLENGES, Match, Running
from bot.offline.options import OfflineOptions
from tests.helpers.fake import make_fake

__all__ = ["make_fake"]


@pytest.fixture
def server(make_fake: Callable[..., FakeLichess]) -> FakeLichess:
    return make_fake(
        accounts=(AccountConfig(name="bot88", title="BOT"), AccountConfig(name="Greedy", opponent="greedy"))
    )


def test_a_declined_game_is_asked_for_again_and_then_given_up(server: FakeLichess) -> None:
    declined: list[str] = []

    def decline(running: list[Running]) -> None:
        for game in running:
            if game.game_id not in declined:
                declined.append(game.game_id)
                server.decline("bot88", game.game_id, "later")

    match = Match(server, OfflineOptions(games=1), "Greedy", on_look=decline)
    match.play(StopSignals())
    assert len(declined) == MOST_CHALLENGES
    assert match.outcomes == []


def test_games_are_watched_to_their_end_with_colours_in_turn(server: FakeLichess) -> None:
    def resign(running: list[Running]) -> None:
        for game in running:
            if game.report is None and server.challenge_status(game.game_id) == "created":
                server.accept("bot88", game.game_id)
            elif game.report is not None and len(game.report.moves) < 2:
                server.player("bot88", game.game_id).abort()

    match = Match(server, OfflineOptions(games=3, concurrency=2), "Greedy", on_look=resign)
    match.play(StopSignals())
    assert [outcome.report.status for outcome in match.outcomes] == ["aborted"] * 3
    assert sorted(outcome.bot_color for outcome in match.outcomes) == ["black", "white", "white"]
    assert not any(outcome.ended_well for outcome in match.outcomes)


def test_a_signal_ends_the_match(server: FakeLichess) -> None:
    signals = StopSignals()
    match = Match(server, OfflineOptions(games=5), "Greedy", on_look=lambda _running: signals.ask())
    match.play(signals)
    assert match.outcomes == []
