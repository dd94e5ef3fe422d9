"""Who may ask what, where and when, and the words of the answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import chess
import pytest
from chess.engine import Cp, Mate
from hypothesis import given
from hypothesis import strategies as st

from bot.engine_pool.values import Answer
from bot.events.game import Outcome
from bot.play.chat import commands
from bot.play.chat import commands as answers
from bot.play.chat.commands import (
    ADVICE,
    AccountFacts,
    Asker,
    ChosenMove,
    ChosenMoves,
    Verdict,
    _cpu_name,
    answered_now,
    argument_of,
    command_in,
    cpu_text,
    ram_text,
    verdict,
)
from bot.settings import ChatSettings
from bot.settings.conduct import COMMANDS, SPECTATOR_COMMANDS

DEFAULT, PUBLIC = ChatSettings(), ChatSettings(advice_in_casual_games=True)
ANSWER, REFUSE, IGNORE = Verdict.ANSWER, Verdict.REFUSE, Verdict.IGNORE


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("!eval", "eval"),
        ("!EVAL please", "eval"),
        ("  !help", "help"),
        ("!commands", "help"),
        ("!book", "book"),
        ("!", ""),
        ("! eval", ""),
        ("", ""),
        ("eval", ""),
        ("so !eval", ""),
    ],
)
def test_commands_are_the_first_word_of_a_line(text: str, command: str) -> None:
    assert command_in(text) == command


@pytest.mark.parametrize(
    ("text", "argument"), [("!level", ""), ("!level 1600", "1600"), ("!level  easy please", "easy"), ("", "")]
)
def test_the_word_after_a_command(text: str, argument: str) -> None:
    assert argument_of(text) == argument


CASES = [
    # command, room, by a player of the game, over, what is done
    ("eval", "spectator", False, False, REFUSE),  # a spectator could pass it on
    ("pv", "spectator", False, False, REFUSE),
    ("book", "spectator", False, False, REFUSE),
    ("eval", "player", True, False, REFUSE),
    ("pv", "player", True, False, REFUSE),
    ("book", "player", True, False, REFUSE),
    ("eval", "spectator", True, False, REFUSE),  # a player who asks among the spectators
    ("eval", "player", False, False, REFUSE),
    ("eval", "player", True, True, ANSWER),
    ("pv", "player", True, True, ANSWER),
    ("book", "spectator", True, True, ANSWER),
    ("help", "player", True, False, ANSWER),
    ("stats", "spectator", False, False, ANSWER),
    ("wait", "player", True, False, ANSWER),
    ("wait", "player", True, True, IGNORE),
    ("wait", "spectator", False, False, IGNORE),
    ("unknown", "player", True, False, IGNORE),
    ("unknown", "spectator", False, True, IGNORE),
]


@pytest.mark.parametrize(("command", "room", "by_player", "over", "expected"), CASES)
def test_what_is_told_to_whom(command: str, room: str, by_player: bool, over: bool, expected: Verdict) -> None:
    decided = verdict(command, DEFAULT, Asker(room, by_player, over, rated=False))
    assert decided is expected


@pytest.mark.parametrize("by_player", [False, True])
@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("command", ADVICE)
def test_spectators_of_a_casual_game_get_advice_if_the_owner_allows_it(
    command: str, rated: bool, by_player: bool
) -> None:
    decided = verdict(command, PUBLIC, Asker("spectator", by_player, over=False, rated=rated))
    assert decided is (REFUSE if rated or by_player else ANSWER)


@pytest.mark.parametrize(
    ("settings", "command", "room", "expected"),
    [
        ({"player_commands": ["name"]}, "help", "player", IGNORE),
        ({"player_commands": ["name"]}, "help", "spectator", ANSWER),
        ({"spectator_commands": []}, "eval", "spectator", IGNORE),
        ({"custom": {"rules": "None."}}, "rules", "player", ANSWER),
        ({"custom": {"rules": "None."}}, "rules", "spectator", ANSWER),
    ],
)
def test_what_the_settings_switch_off(settings: dict[str, object], command: str, room: str, expected: Verdict) -> None:
    chosen = ChatSettings.model_validate(settings)
    assert verdict(command, chosen, Asker(room, room == "player", over=False, rated=True)) is expected


def test_help_names_what_is_answered_now() -> None:
    settings = ChatSettings.model_validate({"custom": {"rules": "None."}})
    running = answered_now(settings, Asker("player", True, over=False, rated=True))
    assert running == ["help", "name", "engine", "queue", "wait", "level", "stats", "rules"]
    watching = answered_now(settings, Asker("spectator", False, over=False, rated=True))
    assert watching == ["help", "name", "engine", "queue", "level", "stats", "rules"]
    after = answered_now(settings, Asker("player", True, over=True, rated=True))
    assert after == ["help", "name", "engine", "queue", "level", "stats", "eval", "pv", "book", "rules"]


CHOICES = st.builds(
    ChatSettings,
    player_commands=st.lists(st.sampled_from(COMMANDS), unique=True).map(tuple),
    spectator_commands=st.lists(st.sampled_from(SPECTATOR_COMMANDS), unique=True).map(tuple),
    advice_in_casual_games=st.booleans(),
)
ROOMS = st.sampled_from(["player", "spectator", ""])


@given(CHOICES, st.one_of(st.sampled_from(COMMANDS), st.text()), ROOMS, st.booleans())
def test_no_settings_advise_a_player_of_a_running_game(
    settings: ChatSettings, command: str, room: str, rated: bool
) -> None:
    for where, by_player in ((room, True), ("player", False), *([(room, False)] if rated else [])):
        decided = verdict(command, settings, Asker(where, by_player, over=False, rated=rated))
        assert not (command in ADVICE and decided is ANSWER)


E4 = chess.Move.from_uci("e2e4")


def notes_of(*given: Answer) -> ChosenMoves:
    """Notes of moves that were all 1.e4."""
    notes = ChosenMoves()
    for answer in given:
        notes.add(ChosenMove(chess.Board(), "e2e4", answer))
    return notes


SEARCHED = Answer(E4, info_line="info depth 18 score cp 31 pv e2e4 e7e5", engine="engine88")
MATE = Answer(E4, info_line="info depth 30 score mate 3", engine="engine88")
BOOK = Answer(E4, source="book main.bin")
TABLE = Answer(E4, source="syzygy", wdl=2)
SILENT = Answer(E4, engine="silent")  # an engine that gives no score


@pytest.mark.parametrize(
    ("given", "evaluation", "line", "book"),
    [
        ((), "No evaluation yet.", "No variation yet.", "No move of mine came from a book or a table."),
        (
            (SEARCHED,),
            "+0.31 for me with 1.e4, depth 18.",
            "I expect 1. e4 e5",
            "No move of mine came from a book or a table.",
        ),
        (
            (BOOK, SEARCHED),
            "+0.31 for me with 1.e4, depth 18.",
            "I expect 1. e4 e5",
            "1 move without a search (1 book); the latest was 1.e4 (book).",
        ),
        (
            (BOOK, BOOK, MATE, TABLE),
            "#3 for me with 1.e4, depth 30.",
            "No variation yet.",
            "3 moves without a search (2 book, 1 syzygy); the latest was 1.e4 (syzygy).",
        ),
        (
            (SILENT,),
            "No evaluation yet.",
            "No variation yet.",
            "No move of mine came from a book or a table.",
        ),
    ],
)
def test_what_is_told_of_the_moves(given: tuple[Answer, ...], evaluation: str, line: str, book: str) -> None:
    notes = notes_of(*given)
    assert answers.eval_text(notes) == evaluation
    assert answers.pv_text(notes) == line
    assert answers.book_text(notes) == book


def test_the_queue_is_told_in_short() -> None:
    assert answers.queue_text(AccountFacts()) == "Nobody is waiting for a game."
    assert answers.queue_text(AccountFacts(waiting=lambda: ("Bob", "Cy"))) == "Waiting for a game: Bob, Cy."
    five = AccountFacts(waiting=lambda: tuple("abcde"))
    assert answers.queue_text(five) == "Waiting for a game: a, b, c, d, e."
    many = AccountFacts(waiting=lambda: tuple("abcdefgh"))
    assert answers.queue_text(many) == "Waiting for a game: a, b, c, d, e and 3 more."


def test_the_results_with_this_opponent_are_told() -> None:
    counts = Counter({Outcome.WIN: 5, Outcome.DRAW: 3, Outcome.LOSS: 2, None: 1})
    facts = AccountFacts(results=lambda user: counts if user == "bob" else Counter())
    assert answers.stats_text(facts, "bob", "Bob") == "10 games with Bob: 5 won by me, 3 drawn, 2 lost."
    assert answers.stats_text(facts, "cy", "Cy") == "This is my first game with Cy."
    assert answers.stats_text(facts, "", "Anonymous") == "I keep no statistics of these games."
    assert answers.stats_text(AccountFacts(), "bob", "Bob") == "I keep no statistics of these games."
    one = AccountFacts(results=lambda _user: Counter({Outcome.LOSS: 1}))
    assert answers.stats_text(one, "bob", "Bob") == "1 game with Bob: 0 won by me, 0 drawn, 1 lost."


def judged(info_line: str = "", uci: str = "g8f6") -> ChosenMove:
    """What was thought of a move of Black."""
    board = chess.Board()
    board.push_uci("e2e4")
    return ChosenMove(board, uci, Answer(chess.Move.from_uci(uci), info_line=info_line))


def test_moves_are_written_as_on_a_score_sheet() -> None:
    assert judged().san == "1...Nf6"
    assert ChosenMove(chess.Board(), "e2e4", Answer(None)).san == "1.e4"


@pytest.mark.parametrize(
    ("pv", "line"),
    [
        ("g8f6 e4e5 f6d5", "1...Nf6 2. e5 Nd5"),
        ("g8f6 e4e5 a1a8 f6d5", "1...Nf6 2. e5"),  # an engine's mistake ends the line
        ("nonsense", ""),
        ("", ""),
    ],
)
def test_the_expected_moves_are_told_as_far_as_they_are_legal(pv: str, line: str) -> None:
    assert judged(f"info depth 9 score cp 31 pv {pv}").line == line


def test_a_long_line_is_told_in_part() -> None:
    moves = "g8f6 g1f3 f6g8 f3g1 " * 4
    assert judged(f"info score cp 0 pv {moves}").line.count(".") == len(["1...", "2.", "3.", "4.", "5."]) + 2


def test_the_machine_is_named() -> None:
    assert re.fullmatch(r"\d+ cores? of \S.*", cpu_text())
    assert re.fullmatch(r"\d+ GiB|unknown memory", ram_text())


@pytest.fixture
def _unknown_machine() -> Iterator[None]:
    """Forget what was found out about the machine, before and after."""
    for known in (cpu_text, ram_text):
        known.cache_clear()
    yield
    for known in (cpu_text, ram_text):
        known.cache_clear()


@pytest.mark.usefixtures("_unknown_machine")
@pytest.mark.parametrize(
    ("cores", "name", "machine", "text"),
    [
        (8.0, "AMD EPYC", "x86_64", "8 cores of AMD EPYC"),
        (1.0, "AMD EPYC", "x86_64", "1 core of AMD EPYC"),
        (0.5, "", "aarch64", "1 core of aarch64"),
        (2.9, "", "", "2 cores of an unknown processor"),
    ],
)
def test_the_processor_is_looked_up_once(
    cores: float, name: str, machine: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Mock(return_value=cores)
    monkeypatch.setattr(commands, "usable_cores", look)
    monkeypatch.setattr(commands, "_cpu_name", lambda: name)
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert [cpu_text(), cpu_text()] == [text, text]
    assert look.call_count == 1


@pytest.mark.usefixtures("_unknown_machine")
@pytest.mark.parametrize(
    ("memory", "text"), [(16 * 1024**3, "16 GiB"), (100 * 1024**2, "1 GiB"), (None, "unknown memory")]
)
def test_the_memory_is_looked_up_once(memory: int | None, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Mock(return_value=memory)
    monkeypatch.setattr(commands, "usable_memory_bytes", look)
    assert [ram_text(), ram_text()] == [text, text]
    assert look.call_count == 1


def test_a_processor_is_named_without_its_trade_marks(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz\nflags: x\n")
    assert _cpu_name(info) == "Intel Xeon E5-2680 v4"
    info.write_text("Hardware: none\n")
    assert isinstance(_cpu_name(info), str)
    assert isinstance(_cpu_name(tmp_path / "missing"), str)


def test_scores_are_kept_by_ply_of_moves_that_an_engine_searched() -> None:
    notes, move = ChosenMoves(), chess.Move.from_uci("e2e4")
    answers = [
        Answer(move, info_line="info score cp 10"),
        Answer(move, source="book"),
        Answer(None, info_line="info score cp -900"),
        Answer(move),
        Answer(move, info_line="info score mate 3"),
    ]
    for number, answer in enumerate(answers):
        notes.add(ChosenMove(chess.Board(), "e2e4", answer), 2 * number)
    assert notes.scores == {0: Cp(10), 8: Mate(3)}
