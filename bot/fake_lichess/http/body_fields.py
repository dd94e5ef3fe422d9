"""The fields of a request's body: urlencoded form, multipart form or JSON."""

from __future__ import annotations

import email.parser
import email.policy
import json
from collections.abc import Mapping
from urllib.parse import parse_qs

from bot.fake_lichess.errors import ApiError, FormError

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


def read_fields(body: bytes, content_type: str) -> dict[str, str]:
    """The fields as texts; JSON null is absent, nested objects are joined by dots.

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
    """The last value of each field."""
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
    """The text parts of a multipart form; files are left out."""
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
