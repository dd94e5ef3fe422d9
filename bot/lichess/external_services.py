"""Requests to services other than the game server: opening explorer, cloud evaluation, tablebase."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from bot.errors import RateLimited, Rejected, ServerError
from bot.events.reading import MalformedJson, read_json
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.session import BotSession
from bot.lichess.translate import no_answer

_LICHESS_HOSTS = ("lichess.org", "lichess.ovh")
_WAIT_S = 60.0


def fetch_json(
    session: BotSession, base_url: str, url: str, params: dict[str, str], timeout_s: float, limits: RateLimits
) -> Any:
    """Return the JSON at `url`; a 429 limits requests to that host alone. Raises LichessError."""
    host = urlsplit(url).hostname or ""
    limits.check(Endpoint.OTHER, host)
    headers = {} if _may_see_token(url, base_url) else {"Authorization": None}
    try:
        response = session.get(url, params=params, headers=headers, timeout=(timeout_s, timeout_s))
        if response.ok:
            return read_json(response.content)
    except MalformedJson as error:
        raise ServerError(200, f"the answer of {host} is no JSON") from error
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise no_answer(error, host) from error
    if response.status_code == 429:
        wait_s = response.headers.get("Retry-After", "")
        limits.note_limited(Endpoint.OTHER, retry_after_s=float(wait_s) if wait_s.isdigit() else _WAIT_S, key=host)
        raise RateLimited(limits.seconds_left(host), key=host, endpoint=Endpoint.OTHER)
    if response.status_code >= 500:
        raise ServerError(response.status_code, host)
    raise Rejected(response.status_code, host)


def _may_see_token(url: str, base_url: str) -> bool:
    """Whether a host belongs to Lichess, or is the server we play on."""
    target, ours = urlsplit(url), urlsplit(base_url)
    if (target.scheme, target.netloc) == (ours.scheme, ours.netloc):
        return True
    host = target.hostname or ""
    return target.scheme == "https" and any(host == name or host.endswith(f".{name}") for name in _LICHESS_HOSTS)
