"""What must be so before the first game; each failure says what to do about it in one line."""

from __future__ import annotations

from typing import Protocol

import structlog

from bot.app.signals import ExitCode, Stopped, StopSignals
from bot.errors import LichessError, NotFound, RateLimited, StartUpError, Unauthorized
from bot.lichess import Account, TokenInfo
from bot.lichess.rate_limits import Backoff
from bot.settings import TOKEN_VARIABLE, Settings

SCOPE = "bot:play"
PATIENCE = 8
"""How often an unreachable server is asked, with growing pauses (about a minute in all)."""

log = structlog.get_logger(__name__)


class AccountServer(Protocol):
    """The part of the gateway that the checks need."""

    def account(self) -> Account:
        """The account of the token."""

    def test_token(self) -> TokenInfo | None:
        """What the token is good for."""


def check_account(server: AccountServer, settings: Settings, signals: StopSignals) -> Account:
    """The account, once token, scope and title are found right. Raises StartUpError, or Stopped on a signal."""
    if not settings.token:
        raise StartUpError(
            "there is no token",
            f"create one with the scope {SCOPE} at {settings.lichess.url}/account/oauth/token and put it into "
            f"{TOKEN_VARIABLE} or lichess.token_file",
            ExitCode.ACCOUNT,
        )
    account = _patiently(server, settings, signals)
    if account.disabled:
        raise StartUpError(f"the account {account.username} is closed", "use another account", ExitCode.ACCOUNT)
    if not account.is_bot:
        raise StartUpError(
            f"{account.username} is no bot account", "turn it into one with `bot88 upgrade`", ExitCode.ACCOUNT
        )
    return account


def _patiently(server: AccountServer, settings: Settings, signals: StopSignals) -> Account:
    backoff = Backoff(0.5, 15.0)
    failure: LichessError | None = None
    for _ in range(PATIENCE):
        try:
            return signals.run(lambda: _ask(server, settings))
        except LichessError as error:
            failure = error
            wait_s = max(backoff.next_s(), error.retry_after_s if isinstance(error, RateLimited) else 0.0)
            log.warning("server_not_ready", url=settings.lichess.url, error=str(error), again_in_s=round(wait_s, 1))
            if signals.wait(wait_s):
                raise Stopped("a signal came") from error
    raise StartUpError(
        f"{settings.lichess.url} does not answer: {failure}",
        "check the network and `lichess.url`, then start again",
        ExitCode.UNREACHABLE,
    )


def _ask(server: AccountServer, settings: Settings) -> Account:
    """One attempt; LichessError is worth another one, StartUpError is not."""
    _check_token(server, settings)
    try:
        return server.account()
    except Unauthorized as error:
        raise _bad_token(settings, str(error)) from error
    except NotFound as error:
        raise StartUpError(
            f"{settings.lichess.url} is no Lichess: {error}", "correct `lichess.url`", ExitCode.UNREACHABLE
        ) from error


def _check_token(server: AccountServer, settings: Settings) -> None:
    try:
        info = server.test_token()
    except (Unauthorized, NotFound):
        return  # a server without this question: the account tells
    if info is None:
        raise _bad_token(settings, "the server does not know it")
    if info.scopes and SCOPE not in info.scopes:
        raise StartUpError(
            f"the token lacks the scope {SCOPE} (it has: {', '.join(sorted(info.scopes))})",
            f"create one with {SCOPE} at {settings.lichess.url}/account/oauth/token",
            ExitCode.ACCOUNT,
        )


def _bad_token(settings: Settings, reason: str) -> StartUpError:
    return StartUpError(
        f"the token is not valid: {reason}",
        f"create a new one at {settings.lichess.url}/account/oauth/token and put it into {TOKEN_VARIABLE}",
        ExitCode.ACCOUNT,
    )
