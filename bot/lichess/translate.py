"""Translates the errors of requests, urllib3, berserk and the server into ours."""

from __future__ import annotations

import http.client
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import berserk
import requests
import urllib3

from bot.errors import (
    LichessError,
    NetworkError,
    NotFound,
    OpponentLimited,
    Rejected,
    ServerError,
    StreamBroken,
    Unauthorized,
)
from bot.events.reading import MalformedJson, clean, mapping, read_json, text
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.session import RedirectRefused

#: Errors of requests, urllib3 and http.client when no answer arrives; AttributeError if another thread closes the
#: connection meanwhile.
NO_ANSWER = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, AttributeError)
#: The same while a body is read.
FOREIGN = (*NO_ANSWER, ValueError)
_TIMEOUTS = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
_CUT = (http.client.IncompleteRead, http.client.RemoteDisconnected, urllib3.exceptions.IncompleteRead)
_CUT_TEXT = "the connection was cut"
_MOST_LAYERS = 8
_LONGEST_MESSAGE = 300
_LONGEST_LIMIT_S = 86_400.0  # of an opponent; Lichess counts by the day
_LONGEST_BODY = 65_536
_HOST_WAIT_S = 60.0


@contextmanager
def translated(source: str, refusal: Callable[[requests.Response], LichessError]) -> Iterator[None]:
    """Run one request to `source`, an endpoint or a host, and translate foreign errors into ours.

    `refusal` makes the error for an answer with a status of 300 or more.
    """
    try:
        yield
    except berserk.exceptions.ApiError as error:
        cause = error.__cause__
        if isinstance(cause, requests.HTTPError):
            raise refusal(cause.response) from error
        raise _no_answer(cause or error, source) from error
    except MalformedJson as error:
        raise ServerError(200, f"the answer from {source} is not JSON") from error
    except NO_ANSWER as error:
        raise _no_answer(error, source) from error


def _no_answer(error: BaseException, source: str) -> LichessError:
    if isinstance(error, RedirectRefused):
        return ServerError(error.status, f"{source} {error}")
    return NetworkError(f"no answer from {source}: {brief(error)}")


def refused(response: requests.Response, endpoint: Endpoint, limits: RateLimits) -> LichessError:
    """Return the error for a refusal by Lichess. Its body may be anything."""
    body = _body_of(response)
    status, data = response.status_code, _json_object(body)
    if status == 429:
        limit = mapping(data.get("ratelimit"))
        wait_s = _seconds(limit.get("seconds"))
        return limits.note_limited(
            endpoint,
            retry_after_s=_seconds(response.headers.get("Retry-After")) if wait_s is None else wait_s,
            key=text(limit, "key"),
            network_wide=not data,
        )
    message = _message(data, body)
    if status >= 500:
        return ServerError(status, message)
    if status in (401, 403):
        return Unauthorized(status, message)
    if status == 404:
        return NotFound(status, message)
    wait_s = _seconds(mapping(data.get("ratelimit")).get("seconds"))
    return (
        Rejected(status, message) if wait_s is None else OpponentLimited(status, message, min(wait_s, _LONGEST_LIMIT_S))
    )


def refused_by_host(response: requests.Response, host: str, limits: RateLimits) -> LichessError:
    """Return the error for a refusal by another host; a 429 limits further requests to that host alone."""
    response.close()
    if response.status_code == 429:
        wait_s = _seconds(response.headers.get("Retry-After"))
        return limits.note_limited(Endpoint.OTHER, retry_after_s=_HOST_WAIT_S if wait_s is None else wait_s, key=host)
    if response.status_code >= 500:
        return ServerError(response.status_code, host)
    return Rejected(response.status_code, host)


def _body_of(response: requests.Response) -> bytes:
    """Return the first part of an error's body. Of a stream it has not been read yet, and could be endless."""
    try:
        first: bytes = next(response.iter_content(_LONGEST_BODY), b"")
    except FOREIGN:
        return b""
    finally:
        response.close()
    return first


def stream_broken(error: BaseException, source: str) -> StreamBroken:
    """Return the error for an open stream that ended."""
    if isinstance(error, _TIMEOUTS):
        return StreamBroken(f"the {source} fell silent")
    if isinstance(error, ValueError):
        return StreamBroken(f"the {source} carried garbage: {brief(error)}")
    reason = brief(error)
    return StreamBroken(f"the {source} was cut" + (f": {reason}" if reason != _CUT_TEXT else ""))


def brief(error: BaseException | None) -> str:
    """Describe an error in one line, without headers or URL query, which may carry secrets.

    The libraries wrap the system's error in several layers; the innermost says most.
    """
    layers = list(_layers(error))
    named = (one.strerror for one in reversed(layers) if isinstance(one, OSError))
    told = next((name for name in named if name and isinstance(name, str)), "")
    if not told and any(isinstance(one, _TIMEOUTS) for one in layers):
        told = "it took too long"
    elif not told and any(isinstance(one, _CUT) for one in layers):
        told = _CUT_TEXT
    line = clean(told or f"{type(error).__name__}: {error}".splitlines()[0])
    return line[:_LONGEST_MESSAGE]


def _layers(error: object) -> Iterator[BaseException]:
    """Yield an error and the errors that it wraps, outermost first."""
    for _ in range(_MOST_LAYERS):
        if not isinstance(error, BaseException):
            return
        yield error
        inner = getattr(error, "reason", None)
        wrapped = [one for one in error.args if isinstance(one, BaseException)]
        error = inner if isinstance(inner, BaseException) else wrapped[-1] if wrapped else error.__cause__


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        data = read_json(body)
    except MalformedJson:
        return {}
    return data if isinstance(data, dict) else {}


def _message(data: Mapping[str, Any], body: bytes) -> str:
    error = data.get("error", data or None)
    if error is None:
        page = body[: 4 * _LONGEST_MESSAGE].decode("utf-8", "replace").strip()
        return "" if page.startswith("<") else clean(page)[:_LONGEST_MESSAGE]
    return clean(error if isinstance(error, str) else _by_field(error))[:_LONGEST_MESSAGE]


def _by_field(error: object) -> str:
    """Return the errors of a form by field, as in "clock.limit: Invalid value"; anything else as JSON."""
    if isinstance(error, dict) and all(isinstance(value, list) for value in error.values()):
        return "; ".join(f"{field}: {', '.join(map(str, value))}" for field, value in error.items())
    return json.dumps(error)


def _seconds(value: object) -> float | None:
    """Return a wait in seconds, or None. Lichess does not send dates, the other form of Retry-After."""
    try:
        seconds = float(value)  # type: ignore[arg-type]  # any other type raises
    except (TypeError, ValueError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
