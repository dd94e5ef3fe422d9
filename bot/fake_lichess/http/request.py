"""Path, query, headers, body and account of one request; bodies are forms, multipart forms or JSON."""

from __future__ import annotations

import email.parser
import email.policy
import json
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.types import Receive, Scope

from ..errors import REQUIRED, ApiError, FormError, check_field
from ..world.accounts import Account, Token

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
PAGE = "fake-lichess-page"  # X-Requested-With of the page
MAX_BODY = 4 * 1024 * 1024
TRUE_WORDS = frozenset({"1", "true", "True", "on", "yes"})
MAX_EPOCH_MS = 1e14


def read_fields(body: bytes, content_type: str) -> dict[str, str]:
    """Return the fields as texts; JSON null is absent, nested objects are joined by dots.

    Raises FormError for a broken body, ApiError 415 for a kind of body whose fields would be lost.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return {}
    if "json" in kind:
        return _read_json(body)
    if kind == MULTIPART:
        return _read_multipart(body, content_type)
    if kind in ("", FORM):
        return flatten(parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True))
    raise ApiError(415, f"Unsupported content type {kind[:60]}: send a form or JSON")


def flatten(fields: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the last value of each field."""
    return {name: values[-1] for name, values in fields.items()}


def _read_json(body: bytes) -> dict[str, str]:
    try:
        return dict(_json_fields(json.loads(body), ""))
    except (ValueError, RecursionError) as error:
        raise FormError({"body": ["Invalid Json"]}) from error


def _json_fields(value: object, prefix: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        found = []
        for key, inner in value.items():
            found += _json_fields(inner, f"{prefix}.{key}" if prefix else str(key))
        return found
    if value is None:
        return []
    if isinstance(value, list):
        return [(prefix, ",".join(str(item) for item in value))]
    return [(prefix, ("true" if value else "false") if isinstance(value, bool) else str(value))]


def _read_multipart(body: bytes, content_type: str) -> dict[str, str]:
    """Return the text parts of a multipart form; files are left out."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    found = {}
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        if isinstance(name, str) and part.get_filename() is None:
            content = part.get_payload(decode=True)
            found[name] = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
    if not found:
        raise FormError({"body": ["Invalid multipart form"]})
    return found


def trueish(text: str) -> bool:
    """Return whether the server reads a text as true."""
    return text in TRUE_WORDS


class Request:
    """Path, query, headers, body and account of one request."""

    def __init__(self, scope: Scope, path_params: Mapping[str, str]) -> None:
        self.path: str = scope["path"]
        self.method: str = scope["method"]
        self.address = str((scope.get("client") or ("",))[0])
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
    def from_page(self) -> bool:
        """Whether the server's own page sent the request."""
        return self.headers.get("x-requested-with") == PAGE

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
        """Return a field's text; raises FormError when it is required and missing."""
        found = self.form.get(name, default)
        if found is None:
            raise FormError({name: [REQUIRED]})
        return found

    def number(self, name: str, most: float = 1e9) -> float | None:
        """Return a field's number of at most that size, None when absent; raises FormError."""
        text = self.form.get(name)
        if text is None or text == "":
            return None
        try:
            found = float(text)
        except ValueError as error:
            raise FormError({name: ["Numeric value expected"]}) from error
        check_field(abs(found) <= most, name)  # nor is NaN
        return found

    def required_number(self, name: str) -> float:
        """Return a field's number; raises FormError, also where it is absent."""
        found = self.number(name)
        if found is None:
            raise FormError({name: [REQUIRED]})
        return found

    def whole_number(self, name: str) -> int | None:
        """Return a field's number without its fraction, None when absent; raises FormError."""
        found = self.number(name)
        return None if found is None else int(found)


class ClientGoneError(Exception):
    """The client disconnected before its request was complete."""


async def read_body(receive: Receive) -> bytes | None:
    """Return the request's whole body; None when it is larger than the server takes. Raises ClientGoneError."""
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
