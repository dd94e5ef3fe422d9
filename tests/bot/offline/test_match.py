"""Challenges that get lost, declined or accepted by nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.fake_lichess import AccountConfig, FakeLichess, GameReport
from bot.offline.match import MOST_CHALLENGES, UNANSWERED_S, Match, Running
from bot.offline.options import OfflineOptions
from bot.service.signals import StopSignals
from tests.bot.offline.test_offline_game import report
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
    assert match.ended_games == []


def test_games_are_watched_to_their_end_with_colours_in_turn(server: FakeLichess) -> None:
    def resign(running: list[Running]) -> None:
        for game in running:
            if game.report is None and server.challenge_status(game.game_id) == "created":
                server.accept("bot88", game.game_id)
            elif game.report is not None and len(game.report.moves) < 2:
                server.player("bot88", game.game_id).abort()

    match = Match(server, OfflineOptions(games=3, concurrency=2), "Greedy", on_look=resign)
    match.play(StopSignals())
    assert [ended_game.report.status for ended_game in match.ended_games] == ["aborted"] * 3
    assert sorted(ended_game.bot_color for ended_game in match.ended_games) == ["black", "white", "white"]
    assert not any(ended_game.ended_well for ended_game in match.ended_games)


def test_a_signal_ends_the_match(server: FakeLichess) -> None:
    signals = StopSignals()
    match = Match(server, OfflineOptions(games=5), "Greedy", on_look=lambda _running: signals.ask())
    match.play(signals)
    assert match.ended_games == []


class Server:
    """Games that end as soon as they are looked at, unless their challenge has another status."""

    def __init__(self, *statuses: str, requests: Sequence[SimpleNamespace] = ()) -> None:
        self.statuses = list(statuses)
        self.asked: list[tuple[str, str, tuple[float, float], str]] = []
        self.requests = lambda game_id: [seen for seen in requests if seen.game_id == game_id]

    def challenge(self, challenger: str, opponent: str, *, clock: tuple[float, float], color: str, variant: str) -> str:
        """Ask for a game."""
        assert variant == "standard"
        self.asked.append((challenger, opponent, clock, color))
        return f"game{len(self.asked)}"

    def challenge_status(self, _challenge_id: str) -> str:
        """Return its end."""
        return self.statuses.pop(0) if self.statuses else "accepted"

    def faults_of(self, game_id: str, since_s: float) -> dict[str, int]:
        """The faults that hit it."""
        return {f"cut of {game_id}": 1} if since_s else {}

    def game(self, game_id: str) -> GameReport:
        """A game that is over."""
        return report(id=game_id)


def match(server: Server, on_look: Callable[[list[Running]], None] = lambda _running: None, **options: Any) -> Match:
    """Games against Greedy on such a server."""
    return Match(cast(FakeLichess, server), OfflineOptions(**options), "Greedy", on_look=on_look)


def test_as_many_games_run_at_once_as_are_wanted_and_no_more() -> None:
    running: list[int] = []
    server = Server(*["created"] * 3)
    games = match(server, lambda games: running.append(len(games)), games=7, concurrency=3, clock=(30.0, 1.0))
    games.play(StopSignals())
    assert running == [3, 0, 0, 0]  # all three are waited for, then three, three and one end as they are looked at
    assert [ended_game.report.id for ended_game in games.ended_games] == [f"game{number}" for number in range(1, 8)]
    assert [asked[3] for asked in server.asked] == ["black", "white"] * 3 + ["black"]
    assert {asked[:3] for asked in server.asked} == {("Greedy", "bot88", (30.0, 1.0))}


def test_the_first_colour_is_white_or_drawn_by_the_seed() -> None:
    colors = {seed: Server() for seed in (None, 1, 2)}
    for seed, server in colors.items():
        for _ in range(8 if seed is None else 1):
            match(server, games=1, seed=seed).play(StopSignals())
    theirs = {seed: {asked[3] for asked in server.asked} for seed, server in colors.items()}
    assert theirs == {None: {"black"}, 1: {"black"}, 2: {"white"}}


def test_a_challenge_that_nobody_answers_is_waited_for_some_minutes_and_then_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Others sent after it would be answered as little, or begin games that nobody watches."""
    now_s = 1000.0
    monkeypatch.setattr("bot.offline.match.time", SimpleNamespace(monotonic=lambda: now_s))
    server = Server(*["created"] * 9)
    games = match(server, games=1)
    games.running = [Running("game0", "black", begun_s=now_s)]
    for passed_s in (0.0, UNANSWERED_S - 0.1):
        now_s = 1000.0 + passed_s
        games._look_at(games.running[0])
    assert server.asked == []
    assert len(games.running) == 1
    now_s = 1000.0 + UNANSWERED_S
    games._look_at(games.running[0])
    assert (games.running, server.asked) == ([], [])


def test_a_challenge_that_was_declined_or_lost_is_asked_for_anew_with_the_same_colours() -> None:
    server = Server("declined", "canceled", "offline", "declined", "declined", "accepted")
    games = match(server, games=1)
    games.running = [Running("game0", "black")]
    for number in range(1, MOST_CHALLENGES):
        games._look_at(games.running[0])
        assert games.running[0].game_id == f"game{number}"
    assert [asked[3] for asked in server.asked] == ["white"] * (MOST_CHALLENGES - 1)  # the bot keeps its own
    games._look_at(games.running[0])
    assert games.running == []


def request(path: str, status: int = 400, account_id: str | None = "bot88", game_id: str = "game1") -> SimpleNamespace:
    """What the server saw."""
    return SimpleNamespace(path=path, status=status, account_id=account_id, game_id=game_id)


def test_moves_that_the_server_refused_the_bot_are_kept_and_nothing_else() -> None:
    seen = [
        request("/api/bot/game/game1/move/e2e4", status=200),
        request("/api/bot/game/game1/move/e7e9"),
        request("/api/bot/game/game1/move/a7a8q?offeringDraw=true"),
        request("/api/bot/game/game1/move/e7e5", status=500),
        request("/api/bot/game/game1/chat"),
        request("/api/board/game/game1/move/d2d9", account_id="greedy"),
        request("/api/board/game/game1/move/d2d9", account_id=None),
        request("/api/bot/game/other/move/h2h9", game_id="other"),
    ]
    games = match(Server(requests=seen), games=1)
    games.play(StopSignals())
    assert games.ended_games[0].refused_moves == ("e7e9", "a7a8q")


def test_the_time_of_a_game_counts_from_its_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.offline.match.time", SimpleNamespace(monotonic=lambda: 1007.5))
    games = match(Server(), games=1)
    games.running = [Running("game1", "white", begun_s=1000.0)]
    games._look_at(games.running[0])
    assert games.ended_games[0].wall_s == 7.5
    assert games.ended_games[0].faults == {"cut of game1": 1}
