"""Sign-in, sessions, and the commands of a signed-in operator, which do the same as those of `bot88 ctl`."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from html import escape
from typing import get_args
from urllib.parse import parse_qsl

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from bot.backoff import exponential_s
from bot.dashboard.layout import HEADERS, HTML, document, message_page, respond
from bot.settings import Variant

COOKIE = "bot88_session"
LASTS_S = 12 * 3600
FREE_FAILURES = 3  # wrong passwords of a client before there are pauses
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
FORGOTTEN_AFTER_S = 900.0
MOST_CLIENTS = 1000
LARGEST_FORM = 4096  # bytes
#: What the form offers; the command understands other clocks too.
CLOCKS = ("1+0", "1+1", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+20")
COLORS = ("random", "white", "black")
VARIANTS = tuple(name for name in get_args(Variant) if name != "fromPosition")
_READ_ONLY = "The dashboard is read-only: dashboard.password is not set."

log = structlog.get_logger(__name__)


class Sessions:
    """Who is signed in: a session lasts twelve hours and ends with the bot. Times are monotonic seconds."""

    def __init__(self, password: str) -> None:
        """Start without sessions."""
        self._digest = _digest(password)
        self._ends_s: dict[str, float] = {}  # by cookie
        self.failures = Failures()

    def sign_in(self, password: str, client: str, now_s: float) -> str | None:
        """Return a cookie's value, or None for a wrong password; ask `failures.pause_s` first."""
        if not hmac.compare_digest(_digest(password), self._digest):
            self.failures.note(client, now_s)
            return None
        self.failures.forget(client)
        cookie = secrets.token_urlsafe()
        self._ends_s = {one: ends_s for one, ends_s in self._ends_s.items() if ends_s > now_s}
        self._ends_s[cookie] = now_s + LASTS_S
        return cookie

    def is_signed_in(self, cookie: str | None, now_s: float) -> bool:
        """Return whether a cookie is ours, has not expired and was not signed out; may be called from any thread."""
        return now_s < self._ends_s.get(cookie or "", 0.0)

    def sign_out(self, cookie: str | None) -> None:
        """End a session, also for copies of its cookie."""
        self._ends_s.pop(cookie or "", None)


class Failures:
    """Wrong passwords by client; after a few, each costs a longer pause. Clients never slow one another down.

    Used by the server's event loop alone.
    """

    def __init__(self) -> None:
        """Start without failures."""
        self._clients: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def note(self, client: str, now_s: float) -> None:
        """Count a wrong password."""
        self._clients[client] = (self._count(client, now_s) + 1, now_s)
        self._clients.move_to_end(client)
        while len(self._clients) > MOST_CLIENTS:
            self._clients.popitem(last=False)

    def forget(self, client: str) -> None:
        """Reset the count after a right password."""
        self._clients.pop(client, None)

    def pause_s(self, client: str, now_s: float) -> float:
        """Return how long this client must wait before its next attempt."""
        beyond = self._count(client, now_s) - FREE_FAILURES
        if beyond < 0:
            return 0.0
        pause_s = exponential_s(FIRST_PAUSE_S, LONGEST_PAUSE_S, beyond)
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


#: Carries out the words of a command; returns whether it was carried out, and the answer for the operator.
Handle = Callable[[tuple[str, ...]], tuple[bool, str]]


class RefusedError(Exception):
    """A rejected request, with its status and the reason."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class OperatorPages:
    """`handle(words)` executes a command and may take seconds; `sessions` is None without a password."""

    def __init__(self, sessions: Sessions | None, handle: Handle) -> None:
        self._sessions, self._handle = sessions, handle

    def is_signed_in(self, request: Request) -> bool | None:
        """Return whether the user may give commands, None if nobody may."""
        if self._sessions is None:
            return None
        return self._sessions.is_signed_in(request.cookies.get(COOKIE), time.monotonic())

    async def sign_in_form(self, _request: Request) -> Response:
        """Return the form."""
        if self._sessions is None:
            return respond(message_page("Commands", _READ_ONLY), HTML, 404)
        return respond(sign_in_page(), HTML)

    async def sign_in(self, request: Request) -> Response:
        """Set a cookie for the right password."""
        try:
            sessions, form = await self._own_form(request)
        except RefusedError as error:
            return respond(sign_in_page(str(error)), HTML, error.status)
        now_s, address = time.monotonic(), request.client.host if request.client is not None else "unknown"
        client = client_of(address)
        pause_s = sessions.failures.pause_s(client, now_s)
        if pause_s > 0:
            answer = respond(sign_in_page(f"Too many attempts; try again in {pause_s:.0f} s."), HTML, 429)
            answer.headers["Retry-After"] = f"{int(pause_s) + 1}"
            return answer
        cookie = sessions.sign_in(form.get("password", ""), client, now_s)
        if cookie is None:
            log.warning(
                "dashboard_sign_in_failed",
                client=address,
                remedy="if this was not you, restrict who can reach the dashboard",
            )
            return respond(sign_in_page("That is not the password."), HTML, 401)
        log.info("dashboard_signed_in", client=address)
        home = RedirectResponse("/", 303, HEADERS)
        secure = request.url.scheme == "https"
        home.set_cookie(COOKIE, cookie, max_age=LASTS_S, httponly=True, samesite="strict", secure=secure)
        return home

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        try:
            sessions, _form = await self._own_form(request)
        except RefusedError as error:
            return respond(message_page("Commands", str(error)), HTML, error.status)
        sessions.sign_out(request.cookies.get(COOKIE))
        home = RedirectResponse("/", 303, HEADERS)
        home.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return home

    async def command(self, request: Request) -> Response:
        """Execute a command from the page's forms."""
        try:
            _sessions, form = await self._own_form(request)
            if not self.is_signed_in(request):
                raise RefusedError(401, "Sign in first.")
            words = words_of(form)
        except RefusedError as error:
            return _answer(request, False, str(error), error.status)
        ok, text = await asyncio.to_thread(self._handle, words)
        text = text.partition("; write: ")[0]  # the remedy is for users of the command line
        return _answer(request, ok, text, 200 if ok else 409)

    async def _own_form(self, request: Request) -> tuple[Sessions, dict[str, str]]:
        """Return the fields of a form that our own page sent. Raises RefusedError."""
        if self._sessions is None:
            raise RefusedError(404, _READ_ONLY)
        if not is_same_origin(request.headers):
            raise RefusedError(403, "This request was not sent by the dashboard's own page; a proxy must pass on Host.")
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_FORM:
                    raise RefusedError(413, "The form is too large.")
        except ClientDisconnect as error:  # nobody reads the answer, and it is not our error
            raise RefusedError(400, "The form did not arrive whole.") from error
        try:
            return self._sessions, dict(parse_qsl(body.decode(), max_num_fields=20))
        except ValueError as error:
            raise RefusedError(400, "This is not a form.") from error


def words_of(form: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of a form's command, as they would be typed after `bot88 ctl`. Raises RefusedError."""
    name = form.get("command", "")
    if name in ("pause", "resume"):
        return (name,)
    if name != "challenge":
        raise RefusedError(400, "There is no such command here.")
    chosen = [f"--{key}={form[key]}" for key in ("clock", "variant", "color") if form.get(key)]
    rated = ["--rated"] if form.get("rated") else []
    return (name, *chosen, *rated, "--", form.get("user", "").strip())


def _answer(request: Request, ok: bool, text: str, status: int) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"ok": ok, "text": text}, status, HEADERS)
    return respond(message_page("Commands", text), HTML, status)


def sign_in_page(problem: str = "") -> str:
    """Return the page with the form; `problem`: why the last attempt failed."""
    said = f'<p class="why" role="alert">{escape(problem)}</p>' if problem else ""
    body = (
        '<main id="content"><form class="panel sign-in" method="post" action="/login"><h1>Sign in</h1>'
        '<p class="none">The password is <code>dashboard.password</code> of the configuration.</p>'
        '<label for="password">Password</label>'
        '<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>'
        f'{said}<button type="submit">Sign in</button></form></main>'
    )
    return document("Sign in · bot88", body)


def sign_link(signed_in: bool) -> str:
    """Return the link or button for the navigation of a dashboard with a password."""
    if not signed_in:
        return '<a href="/login">Sign in</a>'
    return '<form method="post" action="/logout"><button type="submit" class="quiet">Sign out</button></form>'


def controls(paused: bool) -> str:
    """Return the controls for a signed-in user. What is typed stays when the page is updated."""
    name, words = ("resume", "Resume") if paused else ("pause", "Pause")
    title = "Accept challenges and seek games again" if paused else "Accept no challenges and seek no games"
    clocks = "".join(f'<option value="{clock}">' for clock in CLOCKS)
    return (
        '<section class="panel controls" id="controls" aria-label="Commands">'
        f'<form method="post" action="/command" data-command><input type="hidden" name="command" value="{name}">'
        f'<button type="submit" title="{title}">{words}</button></form>'
        '<form method="post" action="/command" data-command data-keep id="challenge">'
        '<input type="hidden" name="command" value="challenge">'
        '<label>Challenge <input name="user" required maxlength="30" pattern="[A-Za-z0-9_\\-]{2,30}" size="14"'
        ' placeholder="user" autocomplete="off" spellcheck="false"></label>'
        '<label>Clock <input name="clock" required value="3+2" size="6" list="clocks"'
        ' pattern="[0-9.]+\\+[0-9]+"></label>'
        f'<datalist id="clocks">{clocks}</datalist>'
        f"{_choice('Colour', 'color', COLORS)}{_choice('Variant', 'variant', VARIANTS)}"
        '<label class="check"><input type="checkbox" name="rated" value="yes"> rated</label>'
        '<button type="submit">Challenge</button></form>'
        '<p class="said" id="said" role="status" data-keep></p></section>'
    )


def _choice(label: str, name: str, values: tuple[str, ...]) -> str:
    options = "".join(f"<option>{value}</option>" for value in values)
    return f'<label>{label} <select name="{name}">{options}</select></label>'
