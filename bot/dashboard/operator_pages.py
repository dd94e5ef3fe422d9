"""The operator's part: signing in and out, and commands, which do the same as those of `bot88 ctl`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from html import escape
from typing import Protocol, get_args
from urllib.parse import parse_qsl

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from bot.dashboard.layout import HEADERS, HTML, document, respond
from bot.dashboard.session import COOKIE, LASTS_S, Sessions, client_of, is_same_origin
from bot.settings import Variant

LARGEST_FORM = 4096  # bytes

log = structlog.get_logger(__name__)


class CommandResult(Protocol):
    """The result of a command."""

    @property
    def ok(self) -> bool:
        """Whether it was carried out."""

    @property
    def text(self) -> str:
        """The answer for the operator."""


Handle = Callable[[tuple[str, ...]], CommandResult]


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
            return respond(answer_page("The dashboard is read-only: dashboard.password is not set."), HTML, 404)
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
            return respond(answer_page(str(error)), HTML, error.status)
        sessions.sign_out(request.cookies.get(COOKIE), time.monotonic())
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
        outcome = await asyncio.to_thread(self._handle, words)
        text = outcome.text.partition("; write: ")[0]  # the remedy is for users of the command line
        return _answer(request, outcome.ok, text, 200 if outcome.ok else 409)

    async def _own_form(self, request: Request) -> tuple[Sessions, dict[str, str]]:
        """Return the fields of a form that our own page sent. Raises RefusedError."""
        if self._sessions is None:
            raise RefusedError(404, "The dashboard is read-only: dashboard.password is not set.")
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
    return respond(answer_page(text), HTML, status)


#: What the form offers; the command understands other clocks too.
CLOCKS = ("1+0", "1+1", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+20")
COLORS = ("random", "white", "black")
VARIANTS = tuple(name for name in get_args(Variant) if name != "fromPosition")


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
    return document("Sign in · bot88", body, style="overview")


def answer_page(text: str) -> str:
    """Return the result of a command as a page, for browsers without JavaScript."""
    body = f'<main id="content"><p class="panel said">{escape(text)}</p><p><a href="/">Back</a></p></main>'
    return document("bot88", body, style="overview")


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
