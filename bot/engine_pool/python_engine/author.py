"""An object of the author's class: what it declares, and the calls it accepts."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import chess
import chess.engine

from bot.engine_pool.python_engine.author_file import EngineFileError

OptionValue = str | int | bool
_LEAST, _MOST = -1_000_000_000, 1_000_000_000
STRENGTHS = (100, 4000)
#: UCI's names of the variants that python-chess knows: a homemade engine gets a board for each of them.
VARIANTS = ("antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "3check")


class Declared:
    """What a class declares: names, options, variants, levels. Raises EngineFileError for what UCI cannot express."""

    def __init__(self, engine: type[Any]) -> None:
        self.homemade = not hasattr(engine, "choose_move")
        self.name = str(getattr(engine, "name", "") or engine.__name__)
        self.author = str(getattr(engine, "author", "") or "unknown")
        options = {} if self.homemade else getattr(engine, "options", {})
        if not isinstance(options, Mapping):
            raise EngineFileError(f"{engine.__name__}.options must be a dictionary such as {{'Depth': 3}}")
        self.options = {str(name): _Option(str(name), value) for name, value in options.items()}
        self.chess960 = self.homemade or bool(getattr(engine, "chess960", False))
        self.variants = VARIANTS if self.homemade else tuple(getattr(engine, "variants", ()))
        method = getattr(engine, "choose_move", None)
        self.levels = method is not None and "strength" in inspect.signature(method).parameters
        self.strengths: tuple[int, int] = getattr(engine, "strengths", STRENGTHS)
        self.ponders = callable(getattr(engine, "ponder", None))

    def lines(self) -> list[str]:
        """Return the answer to `uci`."""
        lines = [f"id name {self.name}", f"id author {self.author}"]
        lines += [option.line for option in self.options.values()]
        if self.chess960:
            lines.append("option name UCI_Chess960 type check default false")
        if self.variants:
            words = " ".join(f"var {name}" for name in dict.fromkeys(("chess", *self.variants)))
            lines.append(f"option name UCI_Variant type combo default chess {words}")
        if self.levels:
            least, most = self.strengths
            lines.append("option name UCI_LimitStrength type check default false")
            lines.append(f"option name UCI_Elo type spin default {most} min {least} max {most}")
        if self.ponders:
            lines.append("option name Ponder type check default false")
        return [*lines, "uciok"]


class _Option:
    """One UCI option from its declaration: True, 3, (3, 1, 9), "text" or ["first", "second"]."""

    def __init__(self, name: str, declared: Any) -> None:
        self.default: OptionValue
        if isinstance(declared, bool):
            self.default, kind = declared, f"type check default {str(declared).lower()}"
        elif isinstance(declared, int):
            self.default, kind = declared, f"type spin default {declared} min {_LEAST} max {_MOST}"
        elif isinstance(declared, tuple) and len(declared) == 3 and all(isinstance(one, int) for one in declared):
            self.default, kind = declared[0], "type spin default {} min {} max {}".format(*declared)
        elif isinstance(declared, str):
            self.default, kind = declared, f"type string default {declared or '<empty>'}"
        elif isinstance(declared, list) and declared and all(isinstance(one, str) for one in declared):
            words = " ".join(f"var {one}" for one in declared)
            self.default, kind = declared[0], f"type combo default {declared[0]} {words}"
        else:
            raise EngineFileError(
                f"option {name!r}: {declared!r} is none of True, 3, (3, 1, 9) for default, least and most, "
                '"text", or ["first", "second"]'
            )
        self.line = f"option name {name} {kind}"

    def parse(self, text: str) -> OptionValue:
        """Convert the text of `setoption` to the type of the default. Raises ValueError."""
        if isinstance(self.default, bool):
            return text.strip().lower() == "true"
        return int(text) if isinstance(self.default, int) else text


class Author:
    """An object of the class. Its methods raise whatever the author's code raises."""

    def __init__(self, engine: type[Any], declared: Declared, options: Mapping[str, OptionValue]) -> None:
        self._declared = declared
        new: Any = engine.__new__
        self._engine = _homemade(engine) if declared.homemade else new(engine)
        if not declared.homemade:
            self._engine.options = dict(options)  # before __init__, which may read them
            self._engine.__init__()

    def set_option(self, name: str, value: OptionValue) -> None:
        """Change `options` of the object."""
        self._engine.options[name] = value

    @property
    def can_stop(self) -> bool:
        """Whether the class has `stop`."""
        return callable(getattr(self._engine, "stop", None))

    def stop(self) -> None:
        """Ask for the end of `choose_move` or `ponder`, from another thread."""
        if self.can_stop:
            self._engine.stop()

    def new_game(self) -> bool:
        """Call `new_game`; False if the class has none, and needs a new object for each game."""
        if not callable(getattr(self._engine, "new_game", None)):
            return False
        self._engine.new_game()
        return True

    def ponder(self, board: chess.Board) -> None:
        """Call `ponder` with the position after the expected reply."""
        self._engine.ponder(board)

    def choose(
        self, board: chess.Board, limit: chess.engine.Limit, strength: int | None, moves: list[chess.Move] | None
    ) -> Any:
        """Call `choose_move`, or `search` as lichess-bot does, and return what comes back."""
        if not self._declared.homemade:
            extra = {"strength": strength} if self._declared.levels else {}
            return self._engine.choose_move(board, limit, **extra)
        arguments = (board, limit, False, False, moves)
        return self._engine.search(*arguments[: _accepted(self._engine.search, len(arguments))])


def _homemade(engine: type[Any]) -> Any:
    """Make an object as lichess-bot does, which passes: commands, options, stderr, draw_or_resign and the game."""
    arguments: tuple[Any, ...] = ([], {}, None, {}, None)
    return engine(*arguments[: _accepted(engine, len(arguments))])


def _accepted(call: Any, most: int) -> int:
    """Return how many positional arguments a call takes, at most `most`."""
    signature = inspect.signature(call)
    for count in range(most, 0, -1):
        try:
            signature.bind(*[None] * count)
        except TypeError:
            continue
        return count
    return 0
