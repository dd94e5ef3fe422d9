"""`bot88 run` as a function: what runs beside the service, and that all of it ends with it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from bot.control.client import find_bot, send
from bot.control.server import ControlServer
from bot.control.wire import Reply
from bot.errors import StartUpError
from bot.fake_lichess import AccountConfig, FakeLichess
from bot.service import notifications as notifier
from bot.service import run as run_command
from bot.service.command_handler import CommandHandler
from bot.service.run import run_bot
from bot.service.service import Service
from bot.service.signals import ExitCode, StopSignals
from bot.settings import Settings
from tests.bot.service.test_service import settings_for
from tests.bot.service.test_webhook import Receiver, receiver
from tests.helpers.ending import closed_at_end
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake, make_fake
from tests.helpers.processes import wait_until

__all__ = ["fake", "make_fake", "receiver"]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_command, "_owns_terminal", lambda: False)


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Service]]:
    """The services that are built, to be ended where a test fails."""
    built: list[Service] = []

    class Kept(Service):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            built.append(self)

    monkeypatch.setattr(run_command, "Service", Kept)
    yield built
    for service in built:
        service.close()


def settings_in(fake: FakeLichess, folder: Path, **more: Any) -> Settings:
    """A bot with a store, beside which its socket lies."""
    return settings_for(fake, tiny_entry(), **({"store": folder / "bot.sqlite3"} | more))


def run_while(services: list[Service], settings: Settings, work: Callable[[Settings], object], **how: Any) -> int:
    """Run the bot on this thread and the work on another; the work's failure ends the bot and is raised."""
    failures: list[BaseException] = []

    def target() -> None:
        try:
            work(settings)
        except BaseException as error:  # noqa: BLE001 -- raised again by the thread that waits
            failures.append(error)
            for service in services:
                service.end("leave")

    thread = threading.Thread(target=target)
    thread.start()
    code = run_bot(settings, lambda: settings, None, **how)
    thread.join()
    if failures:
        raise failures[0]
    return code


def tell(settings: Settings, *words: str) -> Reply:
    """A command over the socket, as `bot88 ctl` sends it."""
    assert wait_until(lambda: send(("status",), find_bot(settings, os.environ)).text.count("playing"))
    return send(words, find_bot(settings, os.environ))


def test_it_takes_commands_and_leaves_nothing_behind(
    fake: FakeLichess, tmp_path: Path, services: list[Service]
) -> None:
    threads, played = set(threading.enumerate()), list[str]()
    settings = settings_in(fake, tmp_path, dashboard={"port": 0, "password": "correct horse"})

    def work(settings: Settings) -> None:
        assert wait_until(lambda: fake.is_online("bot88"))
        played.append(fake.challenge("Alice", "bot88", clock=(600, 0), color="black"))
        fake.wait_for_moves(played[0], 1)
        (service,) = services
        assert service.dashboard is not None
        assert service.dashboard._command(("games",))[1].startswith(played[0])
        assert service.search_notes.of(played[0])
        assert tell(settings, "quit").ok

    assert run_while(services, settings, work) == ExitCode.OK
    assert not (tmp_path / "bot.sock").exists()
    assert [thread.name for thread in set(threading.enumerate()) - threads if not thread.daemon] == []


def test_a_second_bot_at_the_same_socket_is_refused_before_it_plays(
    fake: FakeLichess, tmp_path: Path, services: list[Service]
) -> None:
    other = closed_at_end(ControlServer(tmp_path / "other.sock", lambda _words: Reply(True, "still here")))
    assert other.start()
    settings = settings_in(fake, tmp_path, control={"socket": tmp_path / "other.sock"})
    with pytest.raises(StartUpError, match="another bot answers at") as refused:
        run_bot(settings, lambda: settings, None)
    assert refused.value.exit_code == ExitCode.FAILED
    assert "ctl quit" in refused.value.remedy
    assert not fake.is_online("bot88")
    assert send(("status",), tmp_path / "other.sock").text == "still here"


@pytest.mark.parametrize("enabled", [True, False])
def test_there_is_a_socket_unless_it_is_switched_off(
    enabled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def run(*_args: object) -> int:
        seen.append((tmp_path / "bot.sock").exists())
        return 7

    monkeypatch.setattr(run_command, "_run", run)
    settings = Settings.model_validate({"store": tmp_path / "bot.sqlite3", "control": {"enabled": enabled}})
    assert run_bot(settings, lambda: settings, None) == 7
    assert seen == [enabled]
    assert not (tmp_path / "bot.sock").exists()


@pytest.mark.parametrize("dashboard", [{}, {"port": 0}])
def test_the_operator_is_told_that_the_account_is_refused(
    dashboard: dict[str, int], fake: FakeLichess, tmp_path: Path, receiver: Receiver, services: list[Service]
) -> None:
    lichess = {"url": fake.url, "token": "lip_nobody"}
    settings = settings_in(fake, tmp_path, lichess=lichess, notify={"webhook": receiver.address}, dashboard=dashboard)
    with pytest.raises(StartUpError, match="not valid"):
        run_bot(settings, lambda: settings, None)
    assert [message["event"] for message in receiver.taken] == ["token_refused"]
    assert "not valid" in receiver.taken[0]["text"]


def test_another_trouble_at_the_start_is_no_news_for_the_operator(
    fake: FakeLichess, tmp_path: Path, receiver: Receiver, services: list[Service]
) -> None:
    settings = settings_in(fake, tmp_path, engines=[tiny_entry("no-start")], notify={"webhook": receiver.address})
    with pytest.raises(StartUpError, match="no engine runs"):
        run_bot(settings, lambda: settings, None)
    assert receiver.taken == []


@pytest.mark.parametrize("dashboard", [{}, {"port": 0}])
def test_the_running_bot_is_watched_for_the_operator(
    dashboard: dict[str, int],
    make_fake: Callable[..., FakeLichess],
    tmp_path: Path,
    receiver: Receiver,
    services: list[Service],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notifier, "LOOK_EVERY_S", 0.01)
    fake = make_fake(accounts=(AccountConfig(name="bot88", title="BOT", rating=2000, games={"blitz": 3}),))
    settings = settings_in(fake, tmp_path, notify={"webhook": receiver.address}, dashboard=dashboard)

    def work(_settings: Settings) -> None:
        assert wait_until(lambda: services and services[0].store.noted("best_ratings", str)), "ratings are asked for"
        services[0].end("leave")

    assert run_while(services, settings, work) == ExitCode.OK


class Console:
    """Replaces the live console; `seen` are all results."""

    seen: ClassVar[list[str]] = []

    def __init__(self, handler: CommandHandler) -> None:
        assert isinstance(handler, CommandHandler)

    def start(self) -> None:
        self.seen.append("start")

    def restore(self) -> None:
        self.seen.append("restore")

    def close(self) -> None:
        self.seen.append("close")


@pytest.mark.parametrize(
    ("terminal", "plain", "form", "seen"),
    [
        (True, False, "console", ["start", "restore", "close"]),
        (True, True, "console", []),
        (True, False, "json", []),
        (False, False, "console", []),
    ],
)
def test_the_live_view_is_for_a_terminal_alone(
    terminal: bool,
    plain: bool,
    form: str,
    seen: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def run(service: Service, _stack: object) -> int:
        service.signals.on_forced_exit()  # a forced end gives the terminal back
        return ExitCode.OK

    monkeypatch.setattr(run_command, "_run", run)
    monkeypatch.setattr(run_command, "_owns_terminal", lambda: terminal)
    monkeypatch.setattr(run_command, "_console", Console)
    monkeypatch.setattr(Console, "seen", [])
    settings = Settings.model_validate({"store": tmp_path / "bot.sqlite3", "log": {"format": form}})
    assert run_bot(settings, lambda: settings, None, plain=plain) == ExitCode.OK
    assert Console.seen == seen


def test_where_there_are_no_posix_terminals_there_is_no_live_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("bot.service.live_console.owns_terminal", lambda: True)
    assert run_command._owns_terminal()
    monkeypatch.setattr(run_command, "find_spec", lambda _name: None)
    assert not run_command._owns_terminal()


def test_kernels_for_this_machine_are_compiled_once_the_engines_are_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[object] = []

    def warm_up(_engines: Any, console: Any, _signals: StopSignals) -> bool:
        steps.append(console.stderr)
        return False

    native: Any = SimpleNamespace(start=lambda shipped: steps.append({"shipped": shipped}))
    monkeypatch.setattr(run_command, "warm_up", warm_up)
    run_command._prepare_engines(Settings(), native, StopSignals())
    assert steps == [True, {"shipped": False}], "reports of it go to standard error"
