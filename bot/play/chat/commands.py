"""Commands of chat: who may ask what, where and when; what the answers are made of, and their words."""

from __future__ import annotations

import functools
import platform
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import chess
import chess.engine

from bot.engine_pool.options import usable_cores, usable_memory_bytes
from bot.engine_pool.values import Answer, score_text
from bot.events.game import Outcome
from bot.play.game_log import numbered_san
from bot.settings import ChatSettings

LINE_PLIES = 8  # of the variation that is shown
_CPU_INFO = Path("/proc/cpuinfo")
_GIB = 1024**3


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """What was thought of one move of ours: `board` is the position before it."""

    board: chess.Board
    uci: str
    answer: Answer

    @property
    def san(self) -> str:
        """The move as on a score sheet, such as "12...Nf6"."""
        return numbered_san(self.board, self.uci)

    @property
    def line(self) -> str:
        """The expected moves from ours on, as far as they are legal; "" if the engine sent none."""
        board, moves = self.board.copy(), []
        for uci in self.answer.info.pv[:LINE_PLIES]:
            try:
                moves.append(board.push_uci(uci))
            except ValueError:
                break
        return self.board.variation_san(moves) if moves else ""


@dataclass(frozen=True, slots=True)
class AccountFacts:
    """Facts about the account; both are asked on the thread of the chat and may wait for a disk.

    `waiting()`: the names of those whose challenges wait, the next first; `results(user_id)`: the finished games with a
    user by outcome, None where no games are kept.
    """

    waiting: Callable[[], tuple[str, ...]] = tuple
    results: Callable[[str], Counter[Outcome | None] | None] = lambda _user_id: None


NO_ACCOUNT_FACTS = AccountFacts()


@functools.cache
def cpu_text() -> str:
    """The processor in words, such as "8 cores of AMD EPYC 7B13"."""
    cores = max(1, int(usable_cores()))
    name = _cpu_name() or platform.machine() or "an unknown processor"
    return f"{cores} {'core' if cores == 1 else 'cores'} of {name}"


@functools.cache
def ram_text() -> str:
    """The memory in words, such as "16 GiB"."""
    memory = usable_memory_bytes()
    return "unknown memory" if memory is None else f"{max(1, round(memory / _GIB))} GiB"


def _cpu_name(path: Path = _CPU_INFO) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return platform.processor()
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    if found is None:
        return platform.processor()
    return " ".join(re.sub(r"\((?:R|TM|C)\)|\bCPU\b|@.*$", " ", found[1]).split())


ADVICE = ("eval", "pv", "book")


class Verdict(Enum):
    """What is done about a line of chat."""

    ANSWER = "answer"
    REFUSE = "refuse"  # say that this is answered after the game
    IGNORE = "ignore"


def command_in(text: str) -> str:
    """Return the command of a line such as "!Eval please" in small letters; "" where there is none."""
    words = text.split(maxsplit=1)
    if not words or not words[0].startswith("!"):
        return ""
    name = words[0][1:].lower()
    return "help" if name == "commands" else name


def argument_of(text: str) -> str:
    """Return the first word after the command; "" where there is none."""
    words = text.split(maxsplit=2)
    return words[1] if len(words) > 1 else ""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, and where: `by_player`: of this game; `over`: the game has ended."""

    room: str
    by_player: bool
    over: bool
    rated: bool


def verdict(command: str, settings: ChatSettings, asker: Asker) -> Verdict:
    """Decide about a command."""
    allowed = settings.player_commands if asker.room == "player" else settings.spectator_commands
    if command in settings.custom:
        return Verdict.ANSWER
    if command not in allowed:
        return Verdict.IGNORE
    if command == "wait":
        return Verdict.ANSWER if asker.by_player and asker.room == "player" and not asker.over else Verdict.IGNORE
    is_spectator = asker.room == "spectator" and not asker.by_player
    is_public = settings.advice_in_casual_games and not asker.rated and is_spectator
    if command in ADVICE and not asker.over and not is_public:
        return Verdict.REFUSE
    return Verdict.ANSWER


def answered_now(settings: ChatSettings, asker: Asker) -> list[str]:
    """Return the commands that this asker gets an answer to at the moment, the bot's own first."""
    own = settings.player_commands if asker.room == "player" else settings.spectator_commands
    return [name for name in (*own, *settings.custom) if verdict(name, settings, asker) is Verdict.ANSWER]


REFUSAL = "I answer that when the game is over."
NAMES_TOLD = 5
Scores = dict[int, chess.engine.Score]


@dataclass
class ChosenMoves:
    """Our moves of one game as they were chosen; `from_sources` counts those that no engine searched.

    `scores` are those of the others, by ply.
    """

    searched: ChosenMove | None = None  # the latest move that an engine searched
    latest_source: tuple[str, str] | None = None  # (move, source) of the latest that was not
    from_sources: Counter[str] = field(default_factory=Counter)
    scores: Scores = field(default_factory=dict)

    def add(self, note: ChosenMove, ply: int = 0) -> None:
        """Take note of a move."""
        source = note.answer.source.partition(" ")[0]  # "book" without the name of its file
        if source:
            self.latest_source = (note.san, source)
            self.from_sources[source] += 1
        elif note.answer.move is not None and (score := note.answer.info.score) is not None:
            self.searched, self.scores[ply] = note, score


def help_text(commands: Sequence[str]) -> str:
    """Name the commands."""
    return "Commands: " + ", ".join(f"!{name}" for name in commands)


def eval_text(notes: ChosenMoves) -> str:
    """Report the score of the latest move that was searched."""
    one = notes.searched
    if one is None:
        return "No evaluation yet."
    info = one.answer.info
    depth = "" if info.depth is None else f", depth {info.depth}"
    return f"{score_text(info.score)} for me with {one.san}{depth}."


def pv_text(notes: ChosenMoves) -> str:
    """Report the expected moves."""
    line = notes.searched.line if notes.searched else ""
    return f"I expect {line}" if line else "No variation yet."


def book_text(notes: ChosenMoves) -> str:
    """Report how many moves came from books and tables, and which was the latest."""
    if notes.latest_source is None:
        return "No move of mine came from a book or a table."
    total = notes.from_sources.total()
    counts = ", ".join(f"{number} {source}" for source, number in notes.from_sources.most_common())
    move, source = notes.latest_source
    return f"{total} {_plural(total, 'move')} without a search ({counts}); the latest was {move} ({source})."


def queue_text(account: AccountFacts) -> str:
    """Report who waits for a game."""
    waiting = account.waiting()
    if not waiting:
        return "Nobody is waiting for a game."
    more = f" and {len(waiting) - NAMES_TOLD} more" if len(waiting) > NAMES_TOLD else ""
    return f"Waiting for a game: {', '.join(waiting[:NAMES_TOLD])}{more}."


def stats_text(account: AccountFacts, opponent_id: str, opponent: str) -> str:
    """Report the results against the opponent of this game."""
    counts = account.results(opponent_id) if opponent_id else None
    if counts is None:
        return "I keep no statistics of these games."
    won, drawn, lost = (counts[outcome] for outcome in (Outcome.WIN, Outcome.DRAW, Outcome.LOSS))
    games = won + drawn + lost
    if not games:
        return f"This is my first game with {opponent}."
    return f"{games} {_plural(games, 'game')} with {opponent}: {won} won by me, {drawn} drawn, {lost} lost."


def _plural(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"
