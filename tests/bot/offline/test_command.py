"""The parts of the command that need no server: names, exit codes, the score shown, the wait for people."""

from __future__ import annotations

import itertools
import json
import signal
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.app.signals import ExitCode, Stopped, StopSignals
from bot.fake_lichess import FakeLichess
from bot.offline import command
from bot.offline.command import opponent_account
from bot.offline.options import BOT_NAME, OfflineOptions


@pytest.mark.parametrize(
    ("spec", "name"),
    [("greedy", "Greedy"), ("level:3", "Level3"), ("level:12", "Level"), ("uci:/usr/bin/x", "Uci"), ("", "Opponent")],
)
def test_the_opponent_is_named_after_its_kind_and_level(spec: str, name: str) -> None:
    account = opponent_account(spec)
    assert (account.name, account.opponent) == (name, spec)


def service(*loops: SimpleNamespace) -> Any:
    """A bot with these games."""
    return SimpleNamespace(dispatcher=SimpleNamespace(snapshot=lambda: SimpleNamespace(loops=loops)))


def test_the_score_is_that_of_the_game_itself() -> None:
    games = [SimpleNamespace(game_id=name, last_score_cp=cp) for name, cp in (("bbb", 20), ("aaa", 10))]
    assert command._score(service(*games), "aaa") == 10
    assert command._score(service(*games), "ccc") is None
    assert command._score(cast(Any, SimpleNamespace(dispatcher=None)), "aaa") is None


class QuietService:
    """A bot without games."""

    dashboard = None

    def __init__(self, *_arguments: object, **_more: object) -> None:
        self.closed = False

    def start(self) -> None:
        """Start nothing."""

    def close(self) -> None:
        """End nothing."""


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`_play` with a bot and games that take no time, by a clock that shows 1000, 1002, ..."""
    monkeypatch.setattr(command, "Service", QuietService)
    monkeypatch.setattr(command, "start_log", lambda _settings: None)
    monkeypatch.setattr(command, "_play_games", lambda *_arguments: [])
    ticks = itertools.count(1000.0, 2.0)
    monkeypatch.setattr(command, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    server = cast(FakeLichess, SimpleNamespace(url="http://127.0.0.1:1", token=lambda _name: "lip_fake"))
    return lambda options, signals: command._play(server, options, "Greedy", signals)


@pytest.mark.parametrize(("games", "code"), [(0, ExitCode.OK), (1, ExitCode.FAILED)])
def test_the_sum_tells_how_long_the_games_took(
    play: Any, capsys: pytest.CaptureFixture[str], games: int, code: ExitCode
) -> None:
    assert play(OfflineOptions(games=games, json=True), StopSignals()) == code
    assert json.loads(capsys.readouterr().out)["wall_s"] == 2.0


def test_a_signal_amid_the_games_decides_the_exit_code(play: Any) -> None:
    signals = StopSignals()
    signals.ask(signal.SIGINT)
    assert play(OfflineOptions(games=1, json=True), signals) == 128 + signal.SIGINT


def test_a_signal_before_the_games_decides_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_fake: object, _options: object, _opponent: str, signals: StopSignals) -> int:
        signals.ask(signal.SIGINT)
        raise Stopped("asked to end")

    monkeypatch.setattr(command, "_play", stopped)
    assert command.play_offline(OfflineOptions()) == 128 + signal.SIGINT


def test_people_are_waited_for_until_a_signal_comes(capsys: pytest.CaptureFixture[str]) -> None:
    online, signalled = iter([False, False, True]), iter([False, False, False, False, True])
    server = cast(FakeLichess, SimpleNamespace(url="http://127.0.0.1:1", is_online=lambda _name: next(online)))
    signals = cast(StopSignals, SimpleNamespace(wait=lambda _seconds: next(signalled)))
    command._wait_for_people(server, OfflineOptions(), signals)
    assert list(online) == list(signalled) == []  # the bot was there, then hours passed before the signal
    assert f"to play against {BOT_NAME}" in capsys.readouterr().out
