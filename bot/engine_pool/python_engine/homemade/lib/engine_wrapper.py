"""`MinimalEngine`: the base class of homemade engines, with the attributes that such classes use."""

from __future__ import annotations

from typing import Any


class FillerEngine:
    """Stands for the engine process that a homemade engine does not have: each call becomes a `notify`."""

    def __init__(self, main_engine: MinimalEngine, name: str = "") -> None:
        self.id = {"name": name}
        self.name = name
        self.main_engine = main_engine

    def __getattr__(self, method_name: str) -> Any:
        def method(*args: Any, **kwargs: Any) -> Any:
            return self.main_engine.notify(method_name, *args, **kwargs)

        return method


class EngineWrapper:
    """The base of all engines there."""

    def __init__(self, options: Any = None, draw_or_resign: Any = None) -> None:
        self.options = options
        self.draw_or_resign = draw_or_resign
        self.scores: list[Any] = []
        self.move_commentary: list[Any] = []


class MinimalEngine(EngineWrapper):
    """An engine whose subclass implements `search`."""

    def __init__(
        self,
        commands: Any = None,
        options: Any = None,
        stderr: Any = None,
        draw_or_resign: Any = None,
        game: Any = None,
        name: str | None = None,
        **popen_args: Any,
    ) -> None:
        super().__init__(options, draw_or_resign)
        self.commands, self.stderr, self.game, self.popen_args = commands, stderr, game, popen_args
        self.engine_name = name or type(self).__name__
        self.engine = FillerEngine(self, self.engine_name)

    def get_pid(self) -> str:
        """There is no process."""
        return "?"

    def search(self, board: Any, time_limit: Any, ponder: Any, draw_offered: Any, root_moves: Any) -> Any:
        """Return a chess.engine.PlayResult; a subclass implements it."""
        raise NotImplementedError("search is not implemented")

    def notify(self, method_name: str, *args: Any, **kwargs: Any) -> None:
        """Hear of a call to the engine process; a subclass may want to."""
