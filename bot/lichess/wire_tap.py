"""Somebody who listens to what goes over the wire about a game, in both directions."""

from __future__ import annotations

import re
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import requests

_GAME_PATH = re.compile(r"/api/bot/game/(?:stream/)?(\w+)/?(.*)")


class WireTap(Protocol):
    """Told at once, on the thread that does the work: every method must return at once and raise nothing."""

    def opened(self, game_id: str) -> None:
        """The game's stream was opened."""

    def line(self, game_id: str, line: bytes) -> None:
        """A line of the stream came; b"" for a keep-alive."""

    def ended(self, game_id: str, error: str) -> None:
        """The stream ended; `error` "" for a clean end."""

    def posted(self, game_id: str, path: str, form: str) -> None:
        """A request is about to be sent; `path` is what follows the game's id, such as "move/e2e4"."""

    def answered(self, game_id: str, path: str, status: int, text: str) -> None:
        """Its answer came; status 0 for none, `text` then says why. `path` "stream" for a stream that was refused."""


class StreamTap:
    """Listens to the stream of one game on behalf of a tap."""

    def __init__(self, tap: WireTap, game_id: str) -> None:
        self._tap = tap
        self._game_id = game_id

    def line(self, line: bytes) -> None:
        """A line came."""
        self._tap.line(self._game_id, line.strip())

    def ended(self, error: str) -> None:
        """The stream ended."""
        self._tap.ended(self._game_id, error)


def subject_of(url: str | None) -> tuple[str, str] | None:
    """Return the game that a request is about and its path after the game's id, with the query; None for others."""
    parts = urlsplit(url or "")
    found = _GAME_PATH.fullmatch(unquote(parts.path))
    if found is None:
        return None
    return found[1], found[2] + (f"?{parts.query}" if parts.query else "") or "stream"


def form_of(request: requests.PreparedRequest) -> str:
    """Return the body of a request as text."""
    body: Any = request.body
    return body.decode("utf-8", "replace") if isinstance(body, bytes) else body or ""
