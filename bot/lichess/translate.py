"""Translating the errors of requests, urllib3, berserk and the server into ours."""

from __future__ import annotations

import http.client
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import berserk
import requests
import urllib3

from bot.errors import LichessError, NetworkError, NotFound, Rejected, ServerError, StreamBroken, Unauthorized
from bot.events.reading import MalformedJson, clean, read_json, text
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.session import RedirectRefused

#: What requests, urllib3 and http.client raise when no answer arrives; AttributeError when another thread closes the
#: connection meanwhile.
NO_ANSWER = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, AttributeError)
#: And what reading a body raises besides.
FOREIGN = (*NO_ANSWER, ValueError)
_TIMEOUTS = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
_CUT = (http.client.IncompleteRead, http.client.RemoteDisconnected, urllib3.exceptions.IncompleteRead)
_CUT_TEXT = "the connection was cut"
_MOST_LAYERS = 8
_LONGEST_MESSAGE = 300


@contextmanager
def translated(endpoint: Endpoint, limits: RateLimits) -> Iterator[None]:
    """Run one request: foreign errors leave as ours, and the rate limits learn of success and of 429."""
    try:
        yield
    except berserk.exceptions.ResponseError as error:
        raise from_response(error.response, endpoint, limits) from error
    except berserk.exceptions.ApiError as error:
        raise no_answer(error.__cause__ or error, str(endpoint)) from error
    except MalformedJson as error:
        raise ServerError(200, f"the answer on {endpoint} is no JSON") from error
    except NO_ANSWER as error:
        raise no_answer(error, str(endpoint)) from error
    limits.note_success(endpoint)


def no_answer(error: BaseException, source: str) -> LichessError:
    """Return the error for a request that got no usable answer; `source` names the endpoint or host."""
    if isinstance(error, RedirectRefused):
        return ServerError(error.status, f"{source} {error}")
    return NetworkError(f"no answer from {source}: {brief(error)}")


def from_response(response: requests.Response, endpoint: Endpoint, limits: RateLimits) -> LichessError:
    """Return the error for an answer of status 400 or more; its body may be anything."""
    try:
        body = response.content
    except FOREIGN:
        body = b""
    return from_status(response.status_code, response.headers, body, endpoint, limits)


def from_status(
    status: int, headers: Mapping[str, str], body: bytes, endpoint: Endpoint, limits: RateLimits
) -> LichessError:
    """Return the error for the parts of such an answer."""
    data = _json_object(body)
    if status == 429:
        limit = data.get("ratelimit")
        limit = limit if isinstance(limit, dict) else {}
        wait_s = _seconds(limit.get("seconds"))
        return limits.note_limited(
            endpoint,
            retry_after_s=wait_s if wait_s is not None else _seconds(headers.get("Retry-After")),
            key=text(limit, "key"),
            network_wide=not data,
        )
    message = _message(data, body)
    if status >= 500:
        return ServerError(status, message)
    if status in (401, 403):
        return Unauthorized(status, message)
    return NotFound(status, message) if status == 404 else Rejected(status, message)


def stream_broken(error: BaseException, endpoint: Endpoint) -> StreamBroken:
    """Return the error for an open stream that ended."""
    if isinstance(error, _TIMEOUTS):
        return StreamBroken(f"the {endpoint} fell silent")
    if isinstance(error, ValueError):
        return StreamBroken(f"the {endpoint} carried garbage: {brief(error)}")
    reason = brief(error)
    return StreamBroken(f"the {endpoint} was cut" + (f": {reason}" if reason != _CUT_TEXT else ""))


def brief(error: BaseException | None) -> str:
    """Describe an error in one line, without header or URL query: those may carry secrets.

    The libraries wrap what the system says in several layers; a reader wants what is inside.
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
    """An error and the errors that it wraps, outermost first."""
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
    """Return what is wrong with each field of a form, as in "clock.limit: Invalid value"; anything else as JSON."""
    if isinstance(error, dict) and all(isinstance(value, list) for value in error.values()):
        return "; ".join(f"{field}: {', '.join(map(str, value))}" for field, value in error.items())
    return json.dumps(error)


def _seconds(value: object) -> float | None:
    """A wait in seconds, or None; RateLimits caps it. Lichess sends no dates, the other form of Retry-After."""
    try:
        seconds = float(value)  # type: ignore[arg-type]  # whatever it is, the errors below say so
    except (TypeError, ValueError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
