"""Checks before the first game; each failure names its remedy in one line."""

from __future__ import annotations

import time
from dataclasses import dataclass

import structlog

from bot.backoff import Backoff
from bot.errors import LichessError, NotFound, RateLimited, StartUpError, Unauthorized
from bot.lichess.server import Server
from bot.lichess.values import Account
from bot.service.signals import ExitCode, Stopped, StopSignals
from bot.settings import TOKEN_VARIABLE, Settings

SCOPE = "bot:play"
PAUSES_S = (0.5, 30.0)  # first and longest, between questions to a server that does not answer
LONGEST_LIMIT_S = 900.0  # a limit that the server gives is waited for no longer than this
SAY_EVERY_S = 60.0  # a server that stays away is named so often
COMMAND_GIVES_UP_AFTER_S = 60.0  # commands at a terminal do not wait indefinitely

log = structlog.get_logger(__name__)


def check_account(
    server: Server, settings: Settings, signals: StopSignals, *, give_up_after_s: float | None = None
) -> Account:
    """Return the account after checking token, scope and title; see ask_account."""
    account = ask_account(server, settings, signals, give_up_after_s=give_up_after_s)
    if account.disabled:
        raise StartUpError(f"the account {account.username} is closed", "use another account", ExitCode.ACCOUNT)
    if not account.is_bot:
        raise StartUpError(
            f"{account.username} is not a bot account", "turn it into one with `bot88 upgrade`", ExitCode.ACCOUNT
        )
    return account


@dataclass(frozen=True, slots=True)
class ScopedFeature:
    """A key of the configuration whose feature is off for a token without this scope."""

    key: str
    scope: str
    consequence: str


ARENAS = ScopedFeature("tournaments.arenas", "tournament:write", "no arena is joined")
TEAMS = ScopedFeature("tournaments.teams", "team:write", "no team is joined")


def missing_scopes(server: Server, settings: Settings) -> list[ScopedFeature]:
    """Return the configured features that the token does not allow, after logging each with the remedy.

    If the server does not answer or does not send the scopes, everything is allowed: the requests will show.
    """
    wanted = [ARENAS] * bool(settings.tournaments.arenas) + [TEAMS] * bool(settings.tournaments.teams)
    if not wanted:
        return []  # the one scope that every token must have is enough
    try:
        scopes = server.test_token()
    except LichessError as error:
        log.info("scopes_not_known", error=str(error))
        return []
    missing = [one for one in wanted if scopes and one.scope not in scopes]
    for one in missing:
        log.warning(
            "scope_missing",
            key=one.key,
            scope=one.scope,
            consequence=one.consequence,
            remedy=f"create a token that has it too at {settings.lichess.url}/account/oauth/token",
        )
    return missing


def ask_account(
    server: Server, settings: Settings, signals: StopSignals, *, give_up_after_s: float | None = None
) -> Account:
    """Return the account of the token, which must have the scope to play.

    If the server does not answer, retry for `give_up_after_s` seconds, None: indefinitely. Raises StartUpError, and
    Stopped on a signal.
    """
    if not settings.token:
        raise StartUpError(
            "there is no token",
            f"create one with the scope {SCOPE} at {settings.lichess.url}/account/oauth/token and put it into "
            f"{TOKEN_VARIABLE} or lichess.token_file",
            ExitCode.ACCOUNT,
        )
    backoff = Backoff(*PAUSES_S)
    began_s = time.monotonic()
    said_s: float | None = None
    while True:
        try:
            return signals.run(lambda: _ask(server, settings))
        except LichessError as error:
            failure = error
        limit_s = failure.retry_after_s if isinstance(failure, RateLimited) else 0.0
        wait_s = backoff.next_s(least_s=min(limit_s, LONGEST_LIMIT_S))
        now = time.monotonic()
        if give_up_after_s is not None and now + wait_s - began_s > give_up_after_s:
            raise StartUpError(
                f"{settings.lichess.url} does not answer: {failure}",
                "check the network and `lichess.url`, then start again",
                ExitCode.UNREACHABLE,
            ) from failure
        if said_s is None or now - said_s >= SAY_EVERY_S:
            said_s = now
            log.warning("server_not_ready", url=settings.lichess.url, error=str(failure), waited_s=round(now - began_s))
        if signals.wait(wait_s):
            raise Stopped("a signal came") from failure


def _ask(server: Server, settings: Settings) -> Account:
    """Make one attempt. A LichessError may be retried, a StartUpError not."""
    _check_token(server, settings)
    try:
        return server.account()
    except Unauthorized as error:
        raise _bad_token(settings, str(error)) from error
    except NotFound as error:
        raise StartUpError(
            f"{settings.lichess.url} is not a Lichess server: {error}", "correct `lichess.url`", ExitCode.UNREACHABLE
        ) from error


def _check_token(server: Server, settings: Settings) -> None:
    try:
        scopes = server.test_token()
    except (Unauthorized, NotFound):
        return  # a server without this endpoint: the account itself will show
    if scopes is None:
        raise _bad_token(settings, "the server does not know it")
    if scopes and SCOPE not in scopes:
        raise StartUpError(
            f"the token lacks the scope {SCOPE} (it has: {', '.join(sorted(scopes))})",
            f"create one with {SCOPE} at {settings.lichess.url}/account/oauth/token",
            ExitCode.ACCOUNT,
        )


def _bad_token(settings: Settings, reason: str) -> StartUpError:
    return StartUpError(
        f"the token is not valid: {reason}",
        f"create a new one at {settings.lichess.url}/account/oauth/token and put it into {TOKEN_VARIABLE}",
        ExitCode.ACCOUNT,
    )
