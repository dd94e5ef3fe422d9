"""Requests to services other than the game server: opening explorer, cloud evaluation, tablebase, lists of users."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from bot.errors import LichessError, RateLimited, Rejected, ServerError
from bot.events.reading import MalformedJson, read_json
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.session import BotSession
from bot.lichess.translate import no_answer

_LICHESS_HOSTS = ("lichess.org", "lichess.ovh")
_WAIT_S = 60.0
_CHUNK = 16_384
_MOST_JSON_BYTES = 1_000_000


def fetch_json(
    session: BotSession, base_url: str, url: str, params: dict[str, str], timeout_s: float, limits: RateLimits
) -> Any:
    """Return the JSON at `url`; a 429 limits requests to that host alone. Raises LichessError.

    The answer must be there within `timeout_s`. Of one in lines, each better than the one before, the last that has
    come by then counts; for the first line there is as much time again.
    """
    host = urlsplit(url).hostname or ""
    limits.check(Endpoint.OTHER, host)
    deadline_s = time.monotonic() + timeout_s
    headers = _headers(url, base_url)
    try:
        with session.get(url, params=params, headers=headers, timeout=(timeout_s, timeout_s), stream=True) as response:
            if response.ok:
                if "ndjson" in response.headers.get("Content-Type", ""):
                    return read_json(_latest_line(response, host, deadline_s, deadline_s + timeout_s))
                return read_json(_limited_body(response, host, _MOST_JSON_BYTES, deadline_s))
    except MalformedJson as error:
        raise ServerError(200, f"the answer of {host} is no JSON") from error
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise no_answer(error, host) from error
    raise _refused(response, host, limits)


def fetch_text(
    session: BotSession, base_url: str, url: str, max_bytes: int, timeout_s: float, limits: RateLimits
) -> str:
    """Return the text at `url`, of `max_bytes` at the most and within `timeout_s` in all. Raises LichessError."""
    host = urlsplit(url).hostname or ""
    limits.check(Endpoint.OTHER, host)
    deadline_s = time.monotonic() + timeout_s
    headers = {**_headers(url, base_url), "Accept": "text/plain, */*"}
    try:
        with session.get(url, headers=headers, timeout=(timeout_s, timeout_s), stream=True) as response:
            if response.ok:
                return _limited_body(response, host, max_bytes, deadline_s).decode("utf-8", "replace")
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise no_answer(error, host) from error
    raise _refused(response, host, limits)


def _limited_body(response: requests.Response, host: str, max_bytes: int, deadline_s: float) -> bytes:
    body = bytearray()
    while _read_more(response, body, host, max_bytes):
        if time.monotonic() > deadline_s:
            raise _too_slow(host)
    return bytes(body)


def _latest_line(response: requests.Response, host: str, deadline_s: float, first_line_s: float) -> bytes:
    """Return the last whole line at the end, at the deadline, or where no more comes for as long as one may take.

    `first_line_s`: how long the first line is waited for.
    """
    body = bytearray()
    while time.monotonic() < (deadline_s if _has_line(body) else first_line_s):
        try:
            if not _read_more(response, body, host, _MOST_JSON_BYTES):
                body += b"\n"
                break
        except urllib3.exceptions.ReadTimeoutError:
            if not _has_line(body):
                raise
            break
    else:
        if not _has_line(body):
            raise _too_slow(host)
    lines = [line for line in bytes(body).split(b"\n")[:-1] if line.strip()]
    if not lines:
        raise ServerError(200, f"the answer of {host} is empty")
    return lines[-1]


def _has_line(body: bytearray) -> bool:
    return b"\n" in body.lstrip()


def _read_more(response: requests.Response, body: bytearray, host: str, max_bytes: int) -> bool:
    """Add what has come to `body`; returns False at the end. Raises ServerError for more than `max_bytes`."""
    chunk = response.raw.read1(_CHUNK, decode_content=True)  # `read` would wait for a full chunk
    body += chunk
    if len(body) > max_bytes:
        raise ServerError(200, f"the answer of {host} is longer than {max_bytes} bytes")
    return bool(chunk)


def _too_slow(host: str) -> ServerError:
    return ServerError(200, f"the answer of {host} takes too long")


def _headers(url: str, base_url: str) -> dict[str, str | None]:
    """Hold the token back from hosts that are not to see it."""
    return {} if _may_see_token(url, base_url) else {"Authorization": None}


def _refused(response: requests.Response, host: str, limits: RateLimits) -> LichessError:
    """Return the error for an answer that is none; a 429 limits further requests to that host."""
    if response.status_code == 429:
        wait_s = response.headers.get("Retry-After", "")
        limits.note_limited(Endpoint.OTHER, retry_after_s=float(wait_s) if wait_s.isdigit() else _WAIT_S, key=host)
        return RateLimited(limits.seconds_left(host), key=host, endpoint=Endpoint.OTHER)
    if response.status_code >= 500:
        return ServerError(response.status_code, host)
    return Rejected(response.status_code, host)


def _may_see_token(url: str, base_url: str) -> bool:
    """Whether a host belongs to Lichess, or is the server we play on."""
    target, ours = urlsplit(url), urlsplit(base_url)
    if (target.scheme, target.netloc) == (ours.scheme, ours.netloc):
        return True
    host = target.hostname or ""
    return target.scheme == "https" and any(host == name or host.endswith(f".{name}") for name in _LICHESS_HOSTS)
