"""Foreign errors in, ours out: the only place that knows how requests, urllib3 and the server spell trouble."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import berserk
import requests
import urllib3

from bot.errors import LichessError, NetworkError, NotFound, Rejected, ServerError, StreamBroken, Unauthorized
from bot.lichess.rate_limits import Endpoint, RateLimits

#: What requests, urllib3 and http.client have been seen to raise where there is no answer; AttributeError where
#: another thread closes the connection meanwhile.
NO_ANSWER = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, AttributeError)
#: And what reading a body has been seen to raise besides.
FOREIGN = (*NO_ANSWER, ValueError)
_LONGEST_MESSAGE = 300


@contextmanager
def translated(endpoint: Endpoint, limits: RateLimits) -> Iterator[None]:
    """Run one request; berserk's and requests' errors leave as ours, and 429 is noted."""
    try:
        yield
    except berserk.exceptions.ResponseError as error:
        raise from_response(error.response, endpoint, limits) from error
    except berserk.exceptions.ApiError as error:
        raise NetworkError(f"no answer from {endpoint}: {brief(error.__cause__ or error)}") from error
    except requests.JSONDecodeError as error:
        raise ServerError(200, f"the answer on {endpoint} is no JSON") from error
    except NO_ANSWER as error:
        raise NetworkError(f"no answer from {endpoint}: {brief(error)}") from error
    limits.note_success(endpoint)


def from_response(response: requests.Response, endpoint: Endpoint, limits: RateLimits) -> LichessError:
    """The error that an answer of status 400 or more stands for; reads the body, whatever it is."""
    try:
        body = response.content
    except FOREIGN:
        body = b""
    return from_status(response.status_code, response.headers, body, endpoint, limits)


def from_status(
    status: int, headers: Mapping[str, str], body: bytes, endpoint: Endpoint, limits: RateLimits
) -> LichessError:
    """The same from the parts of an answer."""
    data = _json_object(body)
    if status == 429:
        limit = data.get("ratelimit")
        limit = limit if isinstance(limit, dict) else {}
        wait_s = _seconds(limit.get("seconds"))
        return limits.note_limited(
            endpoint,
            retry_after_s=wait_s if wait_s is not None else _seconds(headers.get("Retry-After")),
            key=str(limit.get("key") or ""),
            network_wide=not data,
        )
    message = _message(data, body)
    if status >= 500:
        return ServerError(status, message)
    if status in (401, 403):
        return Unauthorized(status, message)
    return NotFound(status, message) if status == 404 else Rejected(status, message)


def stream_broken(error: BaseException, endpoint: Endpoint) -> StreamBroken:
    """Why an open stream ended."""
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)):
        return StreamBroken(f"the {endpoint} fell silent")
    if isinstance(error, ValueError):
        return StreamBroken(f"the {endpoint} carried garbage: {brief(error)}")
    return StreamBroken(f"the {endpoint} was cut: {brief(error)}")


def brief(error: BaseException | None) -> str:
    """One line about an error. Never a URL's query and never a header: those may carry secrets."""
    text = f"{type(error).__name__}: {error}".splitlines()[0]
    return text[:_LONGEST_MESSAGE]


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _message(data: Mapping[str, Any], body: bytes) -> str:
    error = data.get("error", data or None)
    if error is None:
        text = body.decode("utf-8", "replace").strip()
        return "" if text.startswith("<") else text[:_LONGEST_MESSAGE]
    return (error if isinstance(error, str) else json.dumps(error))[:_LONGEST_MESSAGE]


def _seconds(value: object) -> float | None:
    """A wait in seconds, or None; dates (the other form of Retry-After) are not used by Lichess."""
    try:
        seconds = float(value)  # type: ignore[arg-type]  # whatever it is, the two errors below say so
    except (TypeError, ValueError):
        return None
    return min(max(seconds, 0.0), 7 * 86400.0) if seconds == seconds else None
