"""Every command to a whole bot that plays against the fake, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.control.command_list import COMMANDS
from bot.errors import ConfigurationError
from bot.fake_lichess import FakeLichess
from bot.service.command_handler import CommandHandler, _loggable
from bot.service.service import Service
from bot.settings import Settings
from tests.bot.service.test_service import settings_for
from tests.helpers.engines import tiny_entry
from tests.helpers.fake import fake
from tests.helpers.processes import wait_until
from tests.integration.test_arena import open_arena

__all__ = ["fake"]

CLOCK = (600, 0)


class CommandedBot:
    """A running bot and its command line; `wanted` is what a reload finds."""

    def __init__(self, fake: FakeLichess, **content: Any) -> None:
        self.fake = fake
        self.wanted: Callable[[], Settings] = lambda: settings_for(fake, tiny_entry(slots=2), **content)
        self.service = Service(self.wanted(), read_settings=lambda: self.wanted())
        self.handler = CommandHandler(self.service)

    def start(self) -> CommandedBot:
        """Go online."""
        self.service.start()
        assert wait_until(lambda: self.fake.is_online("bot88"))
        return self

    def says(self, line: str) -> str:
        """The answer to a command that is carried out."""
        answer = self.handler.handle(tuple(line.split()))
        assert answer.ok, answer.text
        return answer.text

    def refuses(self, line: str) -> str:
        """The answer to one that is not: one line."""
        answer = self.handler.handle(tuple(line.split()))
        assert not answer.ok, answer.text
        assert "\n" not in answer.text
        return answer.text

    def status(self) -> dict[str, Any]:
        """The status as JSON."""
        found = json.loads(self.says("status --json"))
        assert isinstance(found, dict)
        return found


@pytest.fixture
def make(fake: FakeLichess) -> Iterator[Callable[..., CommandedBot]]:
    with ExitStack() as stack:

        def made(**content: Any) -> CommandedBot:
            bot = CommandedBot(fake, **content)
            stack.callback(bot.service.close)
            return bot

        yield made


def begin(bot: CommandedBot) -> str:
    """A game that runs, Alice to move."""
    game_id = bot.fake.challenge("Alice", "bot88", clock=CLOCK, color="black")
    bot.fake.wait_for_moves(game_id, 1)
    assert wait_until(lambda: [game["ply"] for game in bot.status()["games"]] == [1])
    return game_id


def test_before_the_start_it_says_so(make: Callable[..., CommandedBot]) -> None:
    bot = make()
    assert "starting" in bot.says("status")
    for line in ("challenge Alice --clock 3+2", "reload"):
        assert "still starting; try again" in bot.refuses(line)
    assert bot.says("games") == "no games are running"
    assert len(bot.says("help").splitlines()) > len(COMMANDS) - 1


def test_status_and_games(make: Callable[..., CommandedBot]) -> None:
    bot = make().start()
    game_id = begin(bot)
    found = bot.status()
    assert (found["state"], found["account"], found["slots"], found["free_slots"]) == ("playing", "bot88", 2, 1)
    (line,) = bot.says("games").splitlines()
    assert line.startswith(f"{game_id}  casual rapid")
    assert "Alice (1700)" in line
    assert line in bot.says("status")
    assert json.loads(bot.says("games --json"))[0]["game_id"] == game_id


def test_a_challenge_is_sent_accepted_and_played(make: Callable[..., CommandedBot]) -> None:
    bot = make().start()
    answer = bot.says("challenge Alice --clock 10+5 --color white --rated")
    assert answer.startswith("challenged Alice to 10+5 rated standard, we have white: http")
    game_id = answer.split("/")[-1].split(";")[0]
    bot.fake.accept("Alice", game_id)
    report = bot.fake.wait_for_moves(game_id, 1)
    assert (report.white, report.black, report.rated) == ("bot88", "Alice", True)
    assert bot.status()["uses"]["playing"] == 1


def test_a_challenge_that_is_declined_frees_its_slot(make: Callable[..., CommandedBot]) -> None:
    bot = make(concurrency=1).start()
    game_id = bot.says("challenge Alice --clock 3+2").split("/")[-1].split(";")[0]
    assert "no slot is free" in bot.refuses("challenge Bobby --clock 3+2")
    bot.fake.decline("Alice", game_id)
    assert wait_until(lambda: bot.service.dispatcher is not None and bot.service.dispatcher.slots.free() == 1)
    assert "there is no user Nobody" in bot.refuses("challenge Nobody --clock 3+2")
    assert "this bot itself" in bot.refuses("challenge Bot88 --clock 3+2")


def test_pause_and_resume_with_a_reload_between(make: Callable[..., CommandedBot]) -> None:
    bot = make().start()
    game_id = begin(bot)
    assert bot.says("pause") == "paused; 1 game is running; `resume` undoes it"
    assert bot.says("pause").startswith("paused already")
    bot.wanted = lambda: settings_for(bot.fake, tiny_entry(slots=2), challenges={"queue": 3})
    assert bot.says("reload") == "taken over: challenges"
    assert bot.status()["state"] == "paused"
    late = bot.fake.challenge("Bobby", "bot88", clock=CLOCK)
    assert wait_until(lambda: bot.fake.challenge_status(late) == "declined")
    bot.fake.player("Alice", game_id).move("e7e5")
    bot.fake.wait_for_moves(game_id, 3)
    assert bot.says("resume").startswith("resumed")
    assert bot.says("resume") == "nothing was paused"
    bot.fake.wait_for_game(bot.fake.challenge("Bobby", "bot88", clock=CLOCK))


def test_block_and_unblock(make: Callable[..., CommandedBot], tmp_path: Path) -> None:
    rude = tmp_path / "rude.txt"
    rude.write_text("Dora\n", encoding="utf-8")
    bot = make(challenges={"block": ["Carl", str(rude)]}).start()
    assert bot.says("block Bobby").startswith("bobby is blocked: ")
    assert bot.says("block Bobby") == "bobby is blocked already"
    assert bot.status()["blocked"] == [str(rude), "bobby", "carl"]
    one = bot.fake.challenge("Bobby", "bot88", clock=CLOCK)
    assert wait_until(lambda: bot.fake.challenge_status(one) == "declined")
    assert bot.says("unblock bobby") == "bobby may be played again"
    assert bot.says("unblock bobby") == "bobby was not blocked"
    bot.fake.wait_for_game(bot.fake.challenge("Bobby", "bot88", clock=CLOCK))
    assert "blocked by challenges.block" in bot.refuses("unblock Carl")
    assert "dora is in a list of challenges.block" in bot.refuses("unblock Dora")


def test_an_arena_is_joined_by_command(make: Callable[..., CommandedBot], monkeypatch: pytest.MonkeyPatch) -> None:
    bot = make()
    assert "still starting" in bot.refuses("tournament AbCd1234")
    bot.start()
    assert "there is no arena AbCd1234; its id is in" in bot.refuses("tournament AbCd1234")
    arena_id = open_arena(bot.fake, password="sesame")
    with capture_logs() as logged:
        answer = bot.says(f"tournament {arena_id} --password sesame")
    assert answer.startswith(f"taking part in Cup Arena: {bot.fake.url}/tournament/{arena_id}")
    assert "sesame" not in repr(logged)
    arena = bot.fake.call(lambda: bot.fake.arenas.find(arena_id))
    assert wait_until(lambda: "bot88" in bot.fake.call(lambda: list(arena.players)))
    assert "already" in bot.says(f"tournament {arena_id}")
    bot.fake.call(lambda: bot.fake.arenas.terminate(bot.fake.world.account("Alice"), arena_id))
    assert "is over; name an arena" in bot.refuses(f"tournament {arena_id}")


def test_a_level_for_the_next_game_of_a_user(make: Callable[..., CommandedBot]) -> None:
    bot = make()
    assert bot.says("level Bobby easy") == (
        "bobby: the next game is at about 1350 if it is casual and begins within 3600 s"
    )
    asked = bot.service.levels.recall("bobby")
    assert asked is not None
    assert asked.elo == 1350
    bot.start()
    game_id = bot.fake.challenge("Bobby", "bot88", clock=CLOCK)
    assert wait_until(lambda: bot.fake.requests("chat", game_id))  # the engine says what it makes of it
    assert "at full strength if" in bot.says("level Bobby full")
    assert "'best' is not a level: give 100 to 4000, full, beginner, easy" in bot.refuses("level Bobby best")
    silent = make(conduct={"levels": {"by_chat": False}})
    assert "by_chat is false" in silent.refuses("level Bobby easy")


def test_reload_says_what_needs_a_restart_and_keeps_the_old_on_error(make: Callable[..., CommandedBot]) -> None:
    bot = make().start()
    bot.wanted = lambda: settings_for(bot.fake, tiny_entry(slots=2), clock={"ponder": True}, concurrency=5)
    assert bot.says("reload") == "taken over: clock; needs a restart: concurrency"

    def broken() -> Settings:
        raise ConfigurationError("bot.yml:3: clock.pondr: unknown key")

    bot.wanted = broken
    assert bot.refuses("reload") == "the configuration was not reloaded: bot.yml:3: clock.pondr: unknown key"
    assert bot.service.settings.clock.ponder


def test_quit_and_quit_after_games_ask_the_program_to_end(make: Callable[..., CommandedBot]) -> None:
    bot = make().start()
    begin(bot)
    assert bot.says("quit-after-games") == "ending after the games; 1 game is running; `quit` ends now"
    assert bot.service.signals.asked
    assert bot.status()["state"] == "ending"
    assert "is ending" in bot.refuses("challenge Alice --clock 3+2")
    assert "is ending" in bot.refuses("resume")
    assert bot.says("quit").startswith("ending now; 1 game is running, left to the server")
    assert not bot.service.signals.forced


def test_a_fault_of_ours_in_a_command_is_logged_and_answered(
    make: Callable[..., CommandedBot], monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    bot = make()
    monkeypatch.setattr(bot.service.admission, "pause", lambda: 1 // 0)
    assert "see its log" in bot.refuses("pause")
    assert [line["event"] for line in logs] == ["command_fault", "command"]


def test_commands_that_change_something_are_logged(make: Callable[..., CommandedBot], logs: list[EventDict]) -> None:
    bot = make()
    bot.says("status")
    bot.says("pause")
    bot.refuses("bogus")
    commands = [(line["command"], line["ok"]) for line in logs if line["event"] == "command"]
    assert commands == [("pause", True), ("?", False)]


@pytest.mark.parametrize(
    ("line", "parsed", "logged"),
    [
        ("tournament AbCd1234 --password sesame", True, "tournament AbCd1234 --password '***'"),
        ("tournament AbCd1234 --password=sesame --team ours", True, "tournament AbCd1234 '***' --team ours"),
        ("block Bobby", True, "block Bobby"),
        ("tournament AbCd1234 --pasword sesame", False, "tournament"),
        ("sesame", False, "?"),
        ("", False, "?"),
    ],
)
def test_a_password_is_never_logged(line: str, parsed: bool, logged: str) -> None:
    assert _loggable(tuple(line.split()), parsed=parsed) == logged
