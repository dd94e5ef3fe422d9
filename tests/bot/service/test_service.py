"""The whole bot from its settings, against the fake, with a tiny engine."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from bot.account.slots import SlotUse
from bot.archive.pgn import played_game
from bot.archive.store import read_games
from bot.errors import StartUpError
from bot.fake_lichess import FakeLichess
from bot.service.service import Service, ending_text
from bot.service.signals import ExitCode
from bot.settings import EngineEntry, Settings
from tests.helpers.ending import closed_at_end
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.observing import GameNotes
from tests.helpers.playing import BY_THE_RULES
from tests.helpers.processes import is_running, wait_until

__all__ = ["fake"]


def settings_for(fake: FakeLichess, entry: EngineEntry, **more: Any) -> Settings:
    lichess = {"url": fake.url, "token": fake.token("bot88")}
    return Settings.model_validate({"lichess": lichess, "engines": [entry]} | more)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_game_is_played_and_kept(
    fake: FakeLichess, stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping = {"store": tmp_path / "store.sqlite3", "pgn_folder": tmp_path / "pgn"}
    service = Service(settings_for(fake, tiny_entry(), **keeping))
    notes = GameNotes()
    service.observers.add(notes)
    stack.callback(service.close)
    service.start()
    ended = list[str]()
    assert service.arenas is not None
    monkeypatch.setattr(service.arenas, "ended", lambda one: ended.append(one.tournament_id))
    game_id = fake.challenge("Random", "bot88", clock=(60, 0))
    report = fake.wait_for_end(game_id, 240)
    assert wait_until(lambda: notes.over)
    pids = [pid for entry in service.pool.snapshot() for pid in entry.pids]
    service.close()
    assert (report.status in BY_THE_RULES, set(ended)) == (True, {""})
    (record,) = read_games(tmp_path / "store.sqlite3", with_pgn=True)
    assert (record.game_id, record.plies, record.opponent_id) == (game_id, len(report.moves), "random")
    assert game_id in next((tmp_path / "pgn").iterdir()).read_text(encoding="utf-8")
    played = played_game(record)
    assert tiny_entry().name in {move.source for move in played.moves if played.is_ours(move)}
    assert played.moves[-1].clock_ms is not None
    assert wait_until(lambda: not any(map(is_running, pids)))


def test_an_engine_that_does_not_start_is_a_start_up_error(fake: FakeLichess, stack: ExitStack) -> None:
    service = Service(settings_for(fake, tiny_entry("no-start")))
    stack.callback(service.close)
    with pytest.raises(StartUpError, match="no engine runs") as failed:
        service.start()
    assert failed.value.exit_code == ExitCode.ENGINE


def test_closing_twice_or_before_the_start_is_harmless(fake: FakeLichess) -> None:
    service = Service(settings_for(fake, tiny_entry()))
    service.close()
    service.close()
    assert service.dispatcher is None


def run_while(service: Service, work: Callable[[Callable[[str], list[Any]]], object]) -> tuple[int, list[Any]]:
    """Run the service on this thread, as the program does, and `work(logged)` on another; gives exit code and log.

    `logged(event)`: the lines of an event so far. The work's failure ends the run and is raised.
    """
    failures: list[BaseException] = []

    def target() -> None:
        try:
            work(lambda event: named(lines, event))
        except BaseException as error:  # noqa: BLE001 -- raised again by the thread that waits
            failures.append(error)
            service.signals.ask()
            service.signals.ask()

    with capture_logs() as lines:
        thread = threading.Thread(target=target)
        thread.start()
        code = service.run()
        thread.join()
    if failures:
        raise failures[0]
    return code, lines


def named(lines: list[Any], event: str) -> list[Any]:
    return [line for line in lines if line["event"] == event]


def begun(fake: FakeLichess, service: Service) -> str:
    """A game that the service plays, with Alice to move."""
    assert wait_until(lambda: fake.is_online("bot88"))
    game_id = fake.challenge("Alice", "bot88", clock=(600, 0), color="black")
    fake.wait_for_moves(game_id, 1)
    assert wait_until(lambda: service.dispatcher is not None and service.dispatcher.snapshot().loops)
    return game_id


def test_the_first_signal_finishes_the_games_and_takes_no_others(fake: FakeLichess) -> None:
    service, notes = Service(settings_for(fake, tiny_entry(slots=2))), GameNotes()
    service.observers.add(notes)
    played, left = list[str](), list[str]()

    def work(logged: Callable[[str], list[Any]]) -> None:
        played.append(begun(fake, service))
        assert service.arenas is not None
        service.arenas.close = lambda: left.append("arenas")  # type: ignore[method-assign]  # only noted
        service.signals.ask(signal.SIGINT)
        assert wait_until(lambda: logged("ending"))
        late = fake.challenge("Bobby", "bot88", clock=(600, 0))
        assert wait_until(lambda: fake.challenge_status(late) == "declined")
        fake.player("Alice", played[0]).move("e7e5")
        fake.wait_for_moves(played[0], 3)
        assert (notes.over, left) == ([], ["arenas"]), "the game continues, and an arena sends no other"
        fake.player("Alice", played[0]).resign()

    code, lines = run_while(service, work)
    assert (code, notes.over_ids) == (ExitCode.OK, played)
    (ending,) = named(lines, "ending")
    assert (ending["signal"], ending["games"], ending["running"]) == ("SIGINT", "finish", 1)
    assert named(lines, "ready")[0]["account"] == "bot88"


@pytest.mark.parametrize("how", ["signal", "command", "second command"])
def test_games_are_left_to_the_server_where_that_is_wanted(fake: FakeLichess, how: str) -> None:
    more = {"shutdown": {"games": "leave"}} if how == "signal" else {}
    service, played = Service(settings_for(fake, tiny_entry(), **more)), list[str]()

    def work(_logged: Callable[[str], list[Any]]) -> None:
        played.append(begun(fake, service))
        if how == "signal":
            service.signals.ask()
        elif how == "command":
            service.end("leave")
        else:
            service.end("finish")
            service.end("leave")

    code, lines = run_while(service, work)
    assert code == ExitCode.OK
    assert not service.signals.forced, "a command is not a second signal"
    assert fake.game(played[0]).status == "started"
    assert len(named(lines, "ending")) == 1


def test_the_second_signal_ends_at_once_with_its_number(fake: FakeLichess) -> None:
    service, played = Service(settings_for(fake, tiny_entry())), list[str]()

    def work(_logged: Callable[[str], list[Any]]) -> None:
        played.append(begun(fake, service))
        service.signals.ask(signal.SIGTERM)
        service.signals.ask(signal.SIGINT)

    code, lines = run_while(service, work)
    assert code == 128 + signal.SIGINT
    assert named(lines, "forced_end")[0]["running"] == 1
    assert fake.game(played[0]).status == "started"


def test_games_that_do_not_end_in_time_are_named_and_left(fake: FakeLichess) -> None:
    service = Service(settings_for(fake, tiny_entry(), shutdown={"timeout_s": 0.0}))
    played: list[str] = []

    def work(_logged: Callable[[str], list[Any]]) -> None:
        played.append(begun(fake, service))
        service.signals.ask()

    code, lines = run_while(service, work)
    assert code == ExitCode.OK
    assert named(lines, "games_left")[0]["games"] == played
    assert fake.game(played[0]).status == "started"


def test_a_signal_while_the_server_is_waited_for_ends_the_start(fake: FakeLichess) -> None:
    settings = settings_for(fake, tiny_entry())
    fake.stop()
    service = Service(settings)

    def work(logged: Callable[[str], list[Any]]) -> None:
        assert wait_until(lambda: logged("server_not_ready"))
        service.signals.ask()

    code, lines = run_while(service, work)
    assert (code, service.dispatcher) == (ExitCode.OK, None)
    assert not named(lines, "ready")


def test_a_running_bot_reads_its_configuration_again_when_asked(fake: FakeLichess) -> None:
    wanted = settings_for(fake, tiny_entry(), challenges={"queue": 3}, concurrency=9)
    service = Service(settings_for(fake, tiny_entry()), read_settings=lambda: wanted)

    def work(_logged: Callable[[str], list[Any]]) -> None:
        assert wait_until(lambda: fake.is_online("bot88"))
        service.signals.ask_reload()
        assert wait_until(lambda: service.settings.challenges.queue == 3)
        service.signals.ask()

    code, lines = run_while(service, work)
    assert code == ExitCode.OK
    assert named(lines, "configuration_reloaded")[0]["changed"] == ("challenges",)
    assert named(lines, "restart_needed")[0]["keys"] == ("concurrency",)


def test_without_a_way_to_read_them_the_settings_stay(fake: FakeLichess, stack: ExitStack) -> None:
    service = Service(settings_for(fake, tiny_entry()))
    stack.callback(service.close)
    assert service.reload().error.startswith("the bot is still starting")
    service.start()
    assert service.reload().error
    service._read_settings = lambda: service.settings
    with capture_logs() as lines:
        assert str(service.reload()) == "nothing has changed that can be taken over"
    assert not named(lines, "restart_needed")


@pytest.mark.parametrize("use", [*SlotUse, None])
def test_only_a_game_that_has_begun_is_played(use: SlotUse | None) -> None:
    service = closed_at_end(Service(Settings()))
    assert not service._is_played("abcdefgh"), "before the start there is none"
    record = None if use is None else SimpleNamespace(use=use)
    service.dispatcher = cast("Any", SimpleNamespace(slots=SimpleNamespace(get=lambda _game_id: record)))
    assert service._is_played("abcdefgh") is (use in (SlotUse.PLAYING, SlotUse.DUE, SlotUse.PARKED))
    service.dispatcher = None


@pytest.mark.parametrize(
    ("running", "leaves", "text"),
    [
        (0, False, "Ending; no game is running."),
        (1, False, "Finishing 1 game. Press Ctrl-C again to leave it; the next start resumes it."),
        (3, False, "Finishing 3 games. Press Ctrl-C again to leave them; the next start resumes them."),
        (2, True, "Leaving 2 games; the next start resumes them."),
    ],
)
def test_the_end_is_announced_in_a_sentence(running: int, leaves: bool, text: str) -> None:
    assert ending_text(running, leaves=leaves) == text
