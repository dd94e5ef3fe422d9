"""Sign-in: the password, signed cookies, and a pause after wrong passwords."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping

COOKIE = "bot88_session"
LASTS_S = 12 * 3600
FREE_FAILURES = 3  # wrong passwords of a client before there are pauses
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
FORGOTTEN_AFTER_S = 900.0
MOST_CLIENTS = 1000


class Sessions:
    """Cookies are signed with a random key, so that a restart ends all sessions. Times are monotonic seconds."""

    def __init__(self, password: str) -> None:
        """Start without sessions."""
        self._digest = _digest(password)
        self._key = secrets.token_bytes(32)
        self._ended: dict[str, int] = {}  # sessions that were signed out, and when they would have ended
        self._lock = threading.Lock()
        self.failures = Failures()

    def sign_in(self, password: str, client: str, now_s: float) -> str | None:
        """Return a cookie's value, or None for a wrong password; ask `failures.pause_s` first."""
        if not hmac.compare_digest(_digest(password), self._digest):
            self.failures.note(client, now_s)
            return None
        self.failures.forget(client)
        content = f"{int(now_s) + LASTS_S}.{secrets.token_hex(16)}"
        return f"{content}.{self._signature(content)}"

    def is_signed_in(self, cookie: str | None, now_s: float) -> bool:
        """Return whether a cookie is ours, has not expired and was not signed out."""
        ends_s = self._ends_s(cookie)
        return ends_s is not None and now_s < ends_s and cookie not in self._ended

    def sign_out(self, cookie: str | None, now_s: float) -> None:
        """End a session, also for copies of its cookie."""
        ends_s = self._ends_s(cookie)
        if cookie is not None and ends_s is not None:
            with self._lock:
                self._ended = {one: until_s for one, until_s in self._ended.items() if until_s > now_s}
                self._ended[cookie] = ends_s

    def _ends_s(self, cookie: str | None) -> int | None:
        """Return when the session of a cookie ends, None for a forged cookie."""
        content, _, signature = (cookie or "").rpartition(".")
        if not content or not hmac.compare_digest(signature.encode(), self._signature(content).encode()):
            return None
        return int(content.partition(".")[0])

    def _signature(self, content: str) -> str:
        return hmac.new(self._key, content.encode(), hashlib.sha256).hexdigest()


class Failures:
    """Wrong passwords by client; after a few, each costs a longer pause. Clients never slow one another down."""

    def __init__(self) -> None:
        """Start without failures."""
        self._lock = threading.Lock()
        self._clients: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def note(self, client: str, now_s: float) -> None:
        """Count a wrong password."""
        with self._lock:
            self._clients[client] = (self._count(client, now_s) + 1, now_s)
            self._clients.move_to_end(client)
            while len(self._clients) > MOST_CLIENTS:
                self._clients.popitem(last=False)

    def forget(self, client: str) -> None:
        """Reset the count after a right password."""
        with self._lock:
            self._clients.pop(client, None)

    def pause_s(self, client: str, now_s: float) -> float:
        """Return how long this client must wait before its next attempt."""
        with self._lock:
            beyond = self._count(client, now_s) - FREE_FAILURES
            if beyond < 0:
                return 0.0
            pause_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(beyond, 10))
            return max(0.0, self._clients[client][1] + pause_s - now_s)

    def _count(self, client: str, now_s: float) -> int:
        count, at_s = self._clients.get(client, (0, now_s))
        return count if now_s - at_s < FORGOTTEN_AFTER_S else 0


def client_of(address: str) -> str:
    """Return the client that an address counts for: itself, or the network of an IPv6 address (one customer has it)."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False)) if parsed.version == 6 else address


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a request that changes something comes from our own page, by the headers that only browsers set.

    `Sec-Fetch-Site` where the browser sends it (over HTTPS and to the own machine), else `Origin` against `Host`; a
    request with neither is refused.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin, host = headers.get("origin"), headers.get("host")
    return bool(host) and (origin or "").partition("://")[2] == host


def _digest(password: str) -> bytes:
    """Return a digest, so that a comparison does not reveal the length."""
    return hashlib.sha256(password.encode()).digest()
