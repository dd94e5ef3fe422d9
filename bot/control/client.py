"""Send a command to the running bot and return its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from bot.control.command_list import CommandError
from bot.control.wire import (
    ANSWER_S,
    HAS_UNIX_SOCKETS,
    Malformed,
    Reply,
    Request,
    connect,
    is_listened_at,
    line_of,
    paths_to_try,
    read_reply,
)
from bot.settings import Settings


def send(words: Sequence[str], path: Path, *, unix: bool = HAS_UNIX_SOCKETS) -> Reply:
    """Send a command to the bot at `path`. Raises CommandError if none answers."""
    try:
        connection, secret = connect(path, unix=unix)
    except PermissionError as error:
        raise CommandError(f"{path}: only the user that runs the bot may give it commands") from error
    except OSError as error:
        raise CommandError(_nobody(f"at {path}")) from error
    with closing(connection), connection.makefile("rb") as answers:
        try:
            connection.settimeout(ANSWER_S)
            connection.sendall(line_of(Request(tuple(words), secret)))
            return read_reply(answers)
        except TimeoutError as error:
            raise CommandError(f"the bot at {path} did not answer within {ANSWER_S:.0f} s; look at its log") from error
        except (OSError, Malformed) as error:
            raise CommandError(f"the bot at {path} ended before it answered; look at its log") from error


def find_bot(settings: Settings, environ: Mapping[str, str]) -> Path:
    """Return where the running bot of the configuration listens. Raises CommandError."""
    if not settings.control.enabled:
        raise CommandError("the configuration has control.enabled: false; set it to true and start the bot again")
    paths = [path for path in paths_to_try(settings, environ) if is_listened_at(path, unix=HAS_UNIX_SOCKETS)]
    if len(paths) > 1:
        raise CommandError(
            f"several bots run: {', '.join(map(str, paths))}; name one with --socket, or give its --config"
        )
    if not paths:
        named = paths_to_try(settings, environ)
        raise CommandError(_nobody(f"at {named[0]}" if len(named) == 1 else "for this configuration"))
    return paths[0]


def _nobody(where: str) -> str:
    return f"no bot is running {where}; start one with `bot88 run`, with the same --config"
