"""Whether a game is over is asked of the server until it is known, never often and never on the caller's thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from structlog.typing import EventDict

from bot.archive import look_up as module
from bot.archive.look_up import NOT_FOUND_ENDS, PAUSES_S, GameLookUp
from bot.errors import LichessError, NetworkError, NotFound, Unauthorized
from bot.events.game import GameExport
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads

RUNNING, OVER = GameExport("abcdefgh", "started"), GameExport("abcdefgh", "mate", "black")


class Server:
    """Answers by a script, whose last entry holds for good."""

    def __init__(self, *script: GameExport | LichessError) -> None:
        self.script = list(script)
        self.asked: list[tuple[str, float]] = []
        self.answer_may_come = threading.Event()
        self.answer_may_come.set()

    def export(self, game_id: str) -> GameExport:
        self.asked.append((game_id, time.monotonic()))
        assert self.answer_may_come.wait(30)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, LichessError):
            raise answer
        return answer


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES_S", (0.01, 0.02))


@pytest.fixture
def looking_up() -> Iterator[Callable[..., tuple[GameLookUp, Server]]]:
    """Start a look-up over a scripted server; all are closed at the end."""
    found: list[GameLookUp] = []

    def start(*script: GameExport | LichessError, between_s: float = 0.0) -> tuple[GameLookUp, Server]:
        server = Server(*script)
        found.append(GameLookUp(server.export, between_s))
        found[-1].start()
        return found[-1], server

    yield start
    for one in found:
        one.close()


def test_what_was_asked_before_a_thread_could_be_started_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A restarted bot asks about the games that it left; for good, where the system had no thread just then."""
    asking, answers = GameLookUp(lambda game_id: GameExport(game_id, "mate"), 0.0), list[GameExport]()
    refuse_threads(monkeypatch, 2)
    asking.ask("one", answers.append)
    asking.start()
    assert wait_until(lambda: bool(answers))
    asking.close()


LookingUp = Callable[..., tuple[GameLookUp, Server]]


@pytest.mark.parametrize(
    ("script", "until_over", "answer", "requests"),
    [
        ((RUNNING,), False, RUNNING, 1),
        ((OVER,), False, OVER, 1),
        ((RUNNING, RUNNING, OVER), True, OVER, 3),
        ((NetworkError("cut"), OVER), False, OVER, 2),
        ((NotFound(404), OVER), False, OVER, 2),
        ((NotFound(404),), True, GameExport("abcdefgh", "unknownFinish"), NOT_FOUND_ENDS),
    ],
)
def test_every_question_is_answered_once(
    looking_up: LookingUp,
    script: tuple[GameExport | LichessError, ...],
    until_over: bool,
    answer: GameExport,
    requests: int,
) -> None:
    look_up, server = looking_up(*script)
    answers: list[GameExport] = []
    look_up.ask("abcdefgh", answers.append, until_over=until_over)
    assert wait_until(lambda: answers)
    look_up.close()
    assert answers == [answer]
    assert len(server.asked) == requests


def test_the_caller_does_not_wait_for_a_slow_server(looking_up: LookingUp) -> None:
    look_up, server = looking_up(OVER)
    server.answer_may_come.clear()
    answers: list[GameExport] = []
    begun_s = time.monotonic()
    for _ in range(3):  # the same question
        look_up.ask("abcdefgh", answers.append)
    assert time.monotonic() - begun_s < 20.0
    assert wait_until(lambda: server.asked)
    look_up.ask("abcdefgh", lambda export: answers.append(export))
    server.answer_may_come.set()
    assert wait_until(lambda: len(answers) == 2)
    assert len(server.asked) == 1


def test_who_waits_for_the_end_waits_on_while_others_are_answered(looking_up: LookingUp) -> None:
    look_up, _server = looking_up(RUNNING)
    at_once: list[GameExport] = []
    at_the_end: list[GameExport] = []
    look_up.ask("abcdefgh", at_the_end.append, until_over=True)
    look_up.ask("abcdefgh", at_once.append)
    assert wait_until(lambda: at_once)
    assert at_the_end == []


def test_a_later_question_makes_an_earlier_one_due(looking_up: LookingUp) -> None:
    look_up, _server = looking_up(OVER)
    answers: list[GameExport] = []
    look_up.ask("abcdefgh", answers.append, after_s=600.0)
    look_up.ask("abcdefgh", lambda export: answers.append(export))
    assert wait_until(lambda: len(answers) == 2)


def test_requests_are_paced_and_the_longest_due_comes_first(looking_up: LookingUp) -> None:
    look_up, server = looking_up(OVER, between_s=0.1)
    server.answer_may_come.clear()
    answers: list[GameExport] = []
    begun_s = time.monotonic()
    look_up.ask("first", answers.append)
    assert wait_until(lambda: server.asked)
    look_up.ask("late", answers.append, after_s=-300.0)
    look_up.ask("early", answers.append, after_s=-600.0)
    server.answer_may_come.set()
    assert wait_until(lambda: len(answers) == 3)
    assert [game_id for game_id, _at_s in server.asked] == ["first", "early", "late"]
    assert server.asked[2][1] >= begun_s + 0.2


def test_pauses_grow_from_seconds_to_minutes(looking_up: LookingUp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES_S", PAUSES_S)  # as they are outside of tests
    look_up, _ = looking_up(OVER)
    look_up.ask("abcdefgh", lambda _export: None, after_s=60.0)
    question = look_up._questions["abcdefgh"]
    look_up._postpone("abcdefgh")
    assert question.due_s < time.monotonic() + 5.0
    for _ in range(10):
        look_up._postpone("abcdefgh")
    assert question.due_s > time.monotonic() + 300.0


def test_a_rejected_token_is_not_tried_often(looking_up: LookingUp) -> None:
    look_up, server = looking_up(Unauthorized(401))
    look_up.ask("abcdefgh", lambda _export: None)
    assert wait_until(lambda: server.asked)
    assert not wait_until(lambda: len(server.asked) > 1, timeout_s=0.3)


def test_a_question_that_nobody_wants_answered_is_not_asked(looking_up: LookingUp) -> None:
    look_up, server = looking_up(RUNNING)
    answers: list[GameExport] = []
    look_up.ask("abcdefgh", answers.append, is_wanted=lambda: False)
    look_up.ask("bbbbbbbb", answers.append)
    assert wait_until(lambda: answers)
    assert [game_id for game_id, _at_s in server.asked] == ["bbbbbbbb"]


def test_a_listener_that_fails_takes_the_answer_from_nobody_else(looking_up: LookingUp, logs: list[EventDict]) -> None:
    look_up, _server = looking_up(OVER)
    answers: list[GameExport] = []

    def fail(_export: GameExport) -> None:
        raise ValueError("a fault")

    look_up.ask("abcdefgh", fail, after_s=0.05)
    look_up.ask("abcdefgh", answers.append, after_s=0.05)
    assert wait_until(lambda: answers)
    assert [line["event"] for line in logs] == ["look_up_listener_fault"]


def test_closing_drops_what_is_open(looking_up: LookingUp) -> None:
    look_up, server = looking_up(OVER)
    look_up.ask("abcdefgh", lambda _export: None, after_s=60.0)
    look_up.close()
    look_up.ask("abcdefgh", lambda _export: None)
    assert server.asked == []
    assert not look_up._loop.running
