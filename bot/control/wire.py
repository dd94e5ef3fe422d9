"""The control socket: where it is, and its messages of one JSON line each.

With Unix sockets, the file's permissions keep others out. Elsewhere the bot listens on a loopback port, and the file at
the socket's path holds the port and a secret that each request must repeat.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.settings import Settings

SUFFIX = ".sock"


def own_path(settings: Settings, environ: Mapping[str, str]) -> Path:
    """Return where the running bot listens: as configured, else next to its store, else under its process id."""
    return configured_path(settings) or state_folder(environ) / f"{os.getpid()}{SUFFIX}"


def paths_to_try(settings: Settings, environ: Mapping[str, str]) -> list[Path]:
    """Return where a bot of this configuration may listen; without a configured path, all in the state folder."""
    path = configured_path(settings)
    return [path] if path is not None else sorted(state_folder(environ).glob(f"*{SUFFIX}"))


def configured_path(settings: Settings) -> Path | None:
    """Return the configured path, or the one next to the configured store."""
    if settings.control.socket is not None:
        return settings.control.socket
    return settings.store.with_suffix(SUFFIX) if settings.store is not None else None


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the user's folder for the sockets of bots without a store."""
    home = environ.get("HOME") or environ.get("LOCALAPPDATA") or "/"
    return Path(environ.get("XDG_STATE_HOME") or Path(home, ".local", "state")) / "bot88"


HAS_UNIX_SOCKETS = hasattr(socket, "AF_UNIX")
LONGEST_LINE = 1_000_000
CONNECT_S = 5.0
ANSWER_S = 60.0  # a challenge waits for the server


class Request(NamedTuple):
    """The words of a command; `secret` on a loopback port only."""

    words: tuple[str, ...]
    secret: str = ""


class Reply(NamedTuple):
    """The result of a command; `text` is one line or a report."""

    ok: bool
    text: str


Message = TypeVar("Message", Request, Reply)


class Malformed(ValueError):  # noqa: N818 -- the name says what happened
    """A line that is not a request or an answer."""


def line_of(message: Request | Reply) -> bytes:
    """Return the message as one line."""
    return json.dumps(message._asdict()).encode() + b"\n"


def read_request(stream: BinaryIO) -> Request:
    """Read one request. Raises Malformed, and OSError if the connection breaks."""
    return _read(stream, TypeAdapter(Request))


def read_reply(stream: BinaryIO) -> Reply:
    """Read one answer. Raises Malformed, and OSError if the connection breaks."""
    return _read(stream, TypeAdapter(Reply))


def _read(stream: BinaryIO, message: TypeAdapter[Message]) -> Message:
    line = stream.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise Malformed("not a whole line")
    try:
        return message.validate_json(line, strict=True)
    except ValidationError as error:
        raise Malformed("not a message in JSON") from error


def connect(path: Path, *, unix: bool = HAS_UNIX_SOCKETS) -> tuple[socket.socket, str]:
    """Connect to the bot that listens at `path`; returns the connection and the secret that goes with it.

    Raises OSError if nobody listens.
    """
    if unix:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(CONNECT_S)
            connection.connect(os.fspath(path))
        except BaseException:
            connection.close()
            raise
        return connection, ""
    port, secret = read_port_file(path)
    return socket.create_connection(("127.0.0.1", port), timeout=CONNECT_S), secret


def is_listened_at(path: Path, *, unix: bool = HAS_UNIX_SOCKETS) -> bool:
    """Return whether a bot may listen there: a socket that we must not open counts, one of a dead process does not."""
    try:
        connection, _secret = connect(path, unix=unix)
    except PermissionError:
        return True
    except OSError:
        return False
    connection.close()
    return True


def read_port_file(path: Path) -> tuple[int, str]:
    """Return port and secret. Raises OSError, also if the file does not hold them."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return int(data["port"]), str(data["secret"])
    except (ValueError, KeyError, TypeError) as error:
        raise OSError(f"{path} names no port") from error
