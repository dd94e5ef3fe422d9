"""`bot88 upgrade`: turn an account into a bot account after asking, since it cannot be undone."""

from __future__ import annotations

import typer

from bot.errors import LichessError, Rejected, StartUpError
from bot.lichess.gateway import Gateway
from bot.lichess.values import Account
from bot.service.signals import ExitCode, StopSignals
from bot.service.startup_checks import ask_account
from bot.settings import Settings

WARNING = """{name} will become a bot account on {url}.

This cannot be undone: the account can never again be used by a person. It plays challenges only, over the API;
it can join no pools and no ordinary tournaments.
"""


def upgrade_account(settings: Settings, *, confirmed: bool) -> int:
    """Upgrade after the user has typed the account's name, or at once if `confirmed`; return the exit code."""
    gateway = Gateway(settings.lichess.url, settings.token)
    try:
        account = ask_account(gateway, settings, StopSignals(), give_up_after_s=0.0)
        if account.is_bot:
            typer.echo(f"{account.username} is a bot account already.")
            return ExitCode.OK
        _refuse_if_played(account)
        if not confirmed and not _user_agrees(account, gateway.url):
            typer.echo("Nothing was changed.", err=True)
            return ExitCode.FAILED
        gateway.upgrade()
    except Rejected as error:
        raise StartUpError(
            f"Lichess refuses to upgrade {account.username}: {error.message or error}",
            "an account that has begun a game, even an aborted one, cannot become a bot: make a new account and a "
            "token for it",
            ExitCode.ACCOUNT,
        ) from error
    except LichessError as error:
        raise StartUpError(
            f"the upgrade got no answer: {error}",
            "see with `bot88 check --start-up` whether it was done, else try again",
            ExitCode.UNREACHABLE,
        ) from error
    finally:
        gateway.close()
    typer.echo(f"{account.username} is a bot account now. Start it with `bot88 run`.")
    return ExitCode.OK


def _refuse_if_played(account: Account) -> None:
    if account.games:
        raise StartUpError(
            f"{account.username} has played {account.games} games: Lichess upgrades only accounts without any",
            "make a new account and a token for it",
            ExitCode.ACCOUNT,
        )


def _user_agrees(account: Account, url: str) -> bool:
    typer.echo(WARNING.format(name=account.username, url=url))
    try:
        answer: str = typer.prompt(
            "Type the account's name to go on, anything else to stop", default="", show_default=False
        )
    except typer.Abort:
        return False
    return answer.strip().lower() == account.username.lower()
