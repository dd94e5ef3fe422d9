"""Commands of chat: who may ask what, where and when, and the words of the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from bot.engine_pool.values import score_text
from bot.play.chat.facts import AccountFacts, Judgement, Results
from bot.settings import ChatSettings

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


def verdict(command: str, settings: ChatSettings, *, room: str, by_player: bool, over: bool, rated: bool) -> Verdict:
    """Decide about a command in a room; `by_player`: of this game; `over`: the game has ended."""
    allowed = settings.player_commands if room == "player" else settings.spectator_commands
    if command in settings.custom:
        return Verdict.ANSWER
    if command not in allowed:
        return Verdict.IGNORE
    if command == "wait":
        return Verdict.ANSWER if by_player and room == "player" and not over else Verdict.IGNORE
    is_public = settings.advice_in_casual_games and not rated and not by_player and room == "spectator"
    if command in ADVICE and not over and not is_public:
        return Verdict.REFUSE
    return Verdict.ANSWER


def answered_now(settings: ChatSettings, *, room: str, by_player: bool, over: bool, rated: bool) -> list[str]:
    """Return the commands that this asker gets an answer to at the moment, the bot's own first."""
    own = settings.player_commands if room == "player" else settings.spectator_commands
    return [
        name
        for name in (*own, *settings.custom)
        if verdict(name, settings, room=room, by_player=by_player, over=over, rated=rated) is Verdict.ANSWER
    ]


REFUSAL = "I answer that when the game is over."
NAMES_TOLD = 5


@dataclass
class MoveNotes:
    """Our moves of one game as they were chosen; `from_sources` counts those that no engine searched."""

    judgement: Judgement | None = None  # of the latest move that was searched
    latest_source: tuple[str, str] | None = None  # (move, source) of the latest that was not
    from_sources: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement) -> None:
        """Take note of a move."""
        source = judgement.answer.source.partition(" ")[0]  # "book" without the name of its file
        if source:
            self.latest_source = (judgement.san, source)
            self.from_sources[source] += 1
        elif judgement.answer.info.score is not None:
            self.judgement = judgement


def help_text(commands: Sequence[str]) -> str:
    """Name the commands."""
    return "Commands: " + ", ".join(f"!{name}" for name in commands)


def eval_text(notes: MoveNotes) -> str:
    """Report the score of the latest move that was searched."""
    one = notes.judgement
    if one is None:
        return "No evaluation yet."
    info = one.answer.info
    depth = "" if info.depth is None else f", depth {info.depth}"
    return f"{score_text(info.score)} for me with {one.san}{depth}."


def pv_text(notes: MoveNotes) -> str:
    """Report the expected moves."""
    line = notes.judgement.line if notes.judgement else ""
    return f"I expect {line}" if line else "No variation yet."


def book_text(notes: MoveNotes) -> str:
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
    results: Results | None = account.results(opponent_id) if opponent_id else None
    if results is None:
        return "I keep no statistics of these games."
    if not results.games:
        return f"This is my first game with {opponent}."
    games = f"{results.games} {_plural(results.games, 'game')}"
    return f"{games} with {opponent}: {results.won} won by me, {results.drawn} drawn, {results.lost} lost."


def _plural(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"
