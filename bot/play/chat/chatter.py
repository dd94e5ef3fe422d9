"""All that the bot says in one game: greetings, answers to commands, farewells."""

from __future__ import annotations

import re
import textwrap
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bot.events.game import ChatLine
from bot.play.chat.commands import (
    REFUSAL,
    Asker,
    ChosenMoves,
    Verdict,
    answered_now,
    argument_of,
    book_text,
    command_in,
    cpu_text,
    eval_text,
    help_text,
    pv_text,
    queue_text,
    ram_text,
    stats_text,
    verdict,
)
from bot.play.game import Game
from bot.play.game_context import GameContext
from bot.play.levels import GameLevel
from bot.settings import MAX_CHARACTERS, MAX_LINES

_FIELD = re.compile(r"\{(\w+)\}")
_CUT = "…"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace `{name}` by its value, nothing where there is none, and runs of blanks by one."""
    return " ".join(_FIELD.sub(lambda found: values.get(found.group(1), ""), text).split())


def lines_of(text: str) -> list[str]:
    """Return a text as up to three lines of at most 140 characters; a longer text is cut off with "…".

    Lines are broken between words, and within a word only if it is too long for a line.
    """
    if not text.strip():
        return []
    lines = textwrap.wrap(text, MAX_CHARACTERS, break_on_hyphens=False)
    if len(lines) <= MAX_LINES:
        return lines
    last = lines[MAX_LINES - 1]
    while len(last) + len(_CUT) > MAX_CHARACTERS:
        last = last.rpartition(" ")[0] or last[: MAX_CHARACTERS - len(_CUT)]
    return [*lines[: MAX_LINES - 1], last + _CUT]


SERVER_LINES, SERVER_SPAN_S = 4, 10.0  # Lichess takes so many lines of one user within this time in a room
SPAN_S = SERVER_SPAN_S + 1.0  # a little longer than the server's, whose watch is another
REPEATS_SEEN = 2  # a line like one of the last two is dropped by the server
MAX_ANSWERS_PER_USER = 10  # in one game
MAX_ANSWERS = 40  # in one game, to all users together


class FloodGuard:
    """The lines said in one game and the answers given; `now_s` in monotonic seconds."""

    def __init__(self) -> None:
        self._said: dict[str, deque[tuple[float, str]]] = {}
        self._answers: Counter[str] = Counter()

    def may_answer(self, username: str) -> bool:
        """Whether a user has asked no more than is answered in one game; counts this answer if so."""
        user = username.lower()
        if self._answers[user] >= MAX_ANSWERS_PER_USER or self._answers.total() >= MAX_ANSWERS:
            return False
        self._answers[user] += 1
        return True

    def takes(self, room: str, lines: Sequence[str], now_s: float) -> bool:
        """Whether the server would take these lines in a room now; remembers them if so."""
        said = self._said.setdefault(room, deque(maxlen=SERVER_LINES + MAX_LINES))
        lately = [at_s for at_s, _ in said if now_s - at_s < SPAN_S]
        repeated = {line for _, line in list(said)[-REPEATS_SEEN:]}
        if len(lately) + len(lines) > SERVER_LINES or repeated.intersection(lines):
            return False
        said.extend((now_s, line) for line in lines)
        return True


GREETING_PATIENCE_S = 5.0  # for the engine's name, if a greeting contains it
WAIT_S = 60  # how much longer `!wait` makes us wait for the first move
AFTER_GAME_S = 60.0  # commands are answered this long after the end
MAX_WAITS = 3  # how often an opponent may ask us to wait
SERVER_NAME = "lichess"

Text = str | Callable[[], str]


class Chatter:
    """The chat of one game. Called by the game loop under its lock, and after the end by the reader of the chat.

    `level` is that of the engine that plays; `now_s()` gives monotonic seconds.
    """

    def __init__(
        self,
        game_id: str,
        context: GameContext,
        level: GameLevel,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game_id = game_id
        self._heard: list[ChatLine] = []  # the players' room while the game ran
        self.notes = ChosenMoves()
        self.wait_until_s: float | None = None  # an opponent has asked us to be patient so long
        self._settings = context.settings.conduct.chat
        self._chat = context.chat
        self._account = context.account
        self._review = context.review
        self._my_name = context.my_name
        self._level = level
        self._now_s = now_s
        self._guard = FloodGuard()
        self._greeted = False
        self._greet_by_s: float | None = None  # when a greeting is sent though the engine's name is not known yet
        self._waits = 0

    def greet(self, game: Game, now_s: float) -> None:
        """Say hello once, in a game that has just begun; call it again and again.

        A greeting that names the engine waits for the name, though not for long.
        """
        if self._greeted:
            return
        if self._greet_by_s is None:
            self._greet_by_s = now_s + GREETING_PATIENCE_S
            self._greeted = game.ply >= 2  # resumed in the middle
        chat = self._settings
        texts = (chat.greeting, chat.spectator_greeting)
        unknown = "{engine}" in "".join(texts) and not self._level.engine_name
        if not self._greeted and (not unknown or now_s >= self._greet_by_s):
            self._greeted = True
            self._say_both(game, texts)

    def tell_level(self, game: Game) -> None:
        """Report to the opponent a level that has been set; call it again and again."""
        if news := self._level.news():
            self._say_both(game, (news, ""))

    def end(self, game: Game) -> None:
        """Say goodbye after a game that was played, and answer the opponent's commands for a while."""
        if game.ply < 2:
            return
        chat = self._settings
        self._say_both(game, (chat.farewell, chat.spectator_farewell))
        if chat.review_after_game and game.opponent.kind == "human":
            self._review(game, self.notes.scores, partial(self._say, game, "player"))
        if self._settings.player_commands and game.opponent.kind == "human":
            self._chat.after_game.watch(self.game_id, partial(self.answer, game), AFTER_GAME_S, self._heard)

    def _say_both(self, game: Game, texts: tuple[str, str]) -> None:
        for room, text in zip(("player", "spectator"), texts, strict=True):
            if text and not (room == "player" and game.opponent.is_ai):
                self._say(game, room, text)

    def answer(self, game: Game, line: ChatLine) -> None:
        """Answer a command, if this user may get an answer."""
        if line.room == "player" and not game.over:
            self._heard.append(line)
        user, command = line.username.lower(), command_in(line.text)
        if not command or user in (self._my_name.lower(), SERVER_NAME):
            return
        by_player = line.room == "player" or user in (game.opponent.id, game.opponent.name.lower())
        asker = Asker(line.room, by_player, game.over, game.full.rated)
        decided = verdict(command, self._settings, asker)
        if decided is Verdict.IGNORE or not self._guard.may_answer(user):
            return
        refused = decided is Verdict.REFUSE
        self._say(game, line.room, REFUSAL if refused else self._answer(game, line, command, asker))

    def _answer(self, game: Game, line: ChatLine, command: str, asker: Asker) -> Text:
        """The answer to a command; one that may have to wait for a disk is made on the thread of the chat."""
        told = answered_now(self._settings, asker)
        custom = self._settings.custom.get(command)
        if custom is not None:
            return custom
        notes, account, opponent = self.notes, self._account, game.opponent
        texts: dict[str, Callable[[], Text]] = {
            "help": lambda: help_text(told),
            "name": lambda: f"I am {self._my_name}, a bot.",
            "engine": lambda: f"My engine is {self._level.engine_name or 'still starting'}.",
            "wait": lambda: self._wait(game),
            "level": lambda: self._level_text(game, argument_of(line.text) if asker.by_player else ""),
            "eval": lambda: eval_text(notes),
            "pv": lambda: pv_text(notes),
            "book": lambda: book_text(notes),
            "queue": lambda: lambda: queue_text(account),
            "stats": lambda: lambda: stats_text(account, opponent.id, opponent.label),
        }
        return texts[command]()

    def _wait(self, game: Game) -> str:
        if not game.abortable or game.my_turn:
            return "The game has begun: your clock decides."
        if self._waits >= MAX_WAITS:
            return "I wait no longer for the first move."
        self._waits += 1
        self.wait_until_s = self._now_s() + WAIT_S
        return f"I wait {WAIT_S} seconds more for your first move."

    def _level_text(self, game: Game, wanted: str) -> str:
        return self._level.ask(game, wanted) if wanted else self._level.text(game)

    def _say(self, game: Game, room: str, text: Text) -> None:
        values = {"me": self._my_name, "opponent": game.opponent.label, "engine": self._level.engine_name}
        self._chat.say(self.game_id, room, lambda: self._lines(room, text, values))

    def _lines(self, room: str, text: Text, values: dict[str, str]) -> Sequence[str]:
        """The lines to send; only the thread of the chat makes them."""
        machine = {"cpu": cpu_text(), "ram": ram_text()}
        filled = fill(text if isinstance(text, str) else text(), machine | values)
        lines = lines_of(filled)
        return lines if self._guard.takes(room, lines, self._now_s()) else ()
