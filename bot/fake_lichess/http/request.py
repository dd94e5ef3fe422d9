"""One request as handlers see it, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.types import Receive, Scope

from bot.fake_lichess.errors import INVALID_VALUE, FormError
from bot.fake_lichess.http.body_fields import flatten, read_fields
from bot.fake_lichess.world.accounts import Account, Token

MAX_BODY = 4 * 1024 * 1024
TRUE_WORDS = frozenset({"1", "true", "True", "on", "yes"})


def trueish(text: str) -> bool:
    """Whether the server reads a text as true."""
    return text in TRUE_WORDS


MAX_EPOCH_MS = 1e14


class Request:
    """Path, query, headers, body and account of one request."""

    def __init__(self, scope: Scope, path_params: Mapping[str, str]) -> None:
        self.path: str = scope["path"]
        self.method: str = scope["method"]
        self.params = dict(path_params)
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self.query = flatten(parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        self.body = b""
        self.account: Account | None = None
        self.token: Token | None = None
        self._form: dict[str, str] | None = None

    @property
    def me(self) -> Account:
        """The account of the request; only for endpoints that need a token."""
        if self.account is None:
            raise RuntimeError("this endpoint was declared without authentication")
        return self.account

    @property
    def bearer(self) -> str:
        """The token of the authorization header, empty when there is none."""
        scheme, _, text = self.headers.get("authorization", "").partition(" ")
        return text.strip() if scheme.lower() == "bearer" else ""

    @property
    def game_id(self) -> str | None:
        """The game that the path names, or the challenge that becomes one."""
        return (self.params.get("game_id") or self.params.get("challenge_id") or "")[:8] or None

    @property
    def form(self) -> dict[str, str]:
        """The fields of body and query as texts; raises FormError, or ApiError for an unknown kind of body."""
        if self._form is None:
            self._form = self._read_form()
        return self._form

    def _read_form(self) -> dict[str, str]:
        return read_fields(self.body, self.headers.get("content-type", "")) | self.query

    def text(self, name: str, default: str | None = None) -> str:
        """A field's text; raises FormError when it is required and missing."""
        found = self.form.get(name, default)
        if found is None:
            raise FormError({name: ["This field is required"]})
        return found

    def number(self, name: str, most: float = 1e9) -> float | None:
        """A field's number of at most that size, None when absent; raises FormError."""
        text = self.form.get(name)
        if text is None or text == "":
            return None
        try:
            found = float(text)
        except ValueError as error:
            raise FormError({name: ["Numeric value expected"]}) from error
        if found != found or abs(found) > most:
            raise FormError({name: [INVALID_VALUE]})
        return found

    def required_number(self, name: str) -> float:
        """A field's number; raises FormError, also where it is absent."""
        found = self.number(name)
        if found is None:
            raise FormError({name: ["This field is required"]})
        return found

    def whole_number(self, name: str) -> int | None:
        """A field's number without its fraction, None when absent; raises FormError."""
        found = self.number(name)
        return None if found is None else int(found)


class ClientGoneError(Exception):
    """The client left before its request was complete."""


async def read_body(receive: Receive) -> bytes | None:
    """The request's whole body; None when it is larger than the server takes. Raises ClientGoneError."""
    chunks, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= MAX_BODY:
            chunks.append(chunk)
        if not message.get("more_body", False):
            return b"".join(chunks) if size <= MAX_BODY else None
