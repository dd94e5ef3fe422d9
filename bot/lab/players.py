"""Engines as the command line names them: my_engine.py, my_engine.py:Class, engine88:1600, stockfish, "lc0 --quiet"."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from bot.engine_pool.python_engine.author_file import split_spec
from bot.errors import ConfigurationError
from bot.settings import EngineEntry

_LEVEL = re.compile(r"(?P<command>.+?):(?P<elo>\d{3,4})")
_OWN = "engine88"


@dataclass(frozen=True, slots=True)
class Contestant:
    """An engine that can be started, and the Elo that it is limited to, None for full strength."""

    name: str
    entry: EngineEntry
    elo: int | None = None
    version: str = ""  # of a Python file: changes with each edit

    @property
    def command(self) -> str:
        """The command, as one line for a shell."""
        return shlex.join(self.entry.argv)


def parse_player(spec: str, **entry: int) -> Contestant:
    """Return the engine that a word of the command line names; `entry` are keys such as slots and spares.

    Raises ConfigurationError if there is no such file or program.
    """
    level = _LEVEL.fullmatch(spec)
    text, elo = (level["command"], int(level["elo"])) if level else (spec, None)
    path, class_name = split_spec(text)
    if path.suffix == ".py":
        if not path.is_file():
            raise ConfigurationError(f"{path}: there is no such file; `bot88 new-engine` writes one")
        name = class_name or path.stem
        found = {"python": f"{path.resolve()}:{class_name}" if class_name else str(path.resolve())}
    elif text == _OWN:
        name, found = _OWN, {}
    else:
        words = shlex.split(text)
        if not words or shutil.which(words[0]) is None:
            raise ConfigurationError(
                f"{text!r}: no such program; give a Python file, engine88, or the command of a UCI engine"
            )
        name, found = Path(words[0]).name, {"command": text}
    name = f"{name}-{elo}" if elo else name
    options = {"options": {"Hash": 16, "Threads": 1}} if text == _OWN else {}
    made = EngineEntry.model_validate({**found, **options, "name": name, **entry})
    return Contestant(name, made, elo, file_version(made))


def file_version(entry: EngineEntry) -> str:
    """Return what changes when the file of a Python engine is edited, "" for other engines."""
    if entry.python is None:
        return ""
    path, _class_name = split_spec(str(entry.python))
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else "missing"


def parse_players(specs: list[str], **entry: int) -> list[Contestant]:
    """Return the engines; one that is named twice gets a number. Raises ConfigurationError."""
    players: list[Contestant] = []
    for spec in specs:
        player = parse_player(spec, **entry)
        same = sum(other.name.partition("#")[0] == player.name for other in players)
        if same:
            name = f"{player.name}#{same + 1}"
            player = replace(player, name=name, entry=player.entry.model_copy(update={"name": name}))
        players.append(player)
    return players
