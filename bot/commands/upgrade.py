"""`bot88 upgrade`: turn an account into a bot account."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.commands.options import ConfigOption, load_configuration

YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def upgrade(config: ConfigOption = None, yes: YesOption = False) -> None:
    """Turn the token's account into a bot account, permanently. Asks first."""
    from bot.service.build import start_log
    from bot.service.upgrade import upgrade_account

    settings = load_configuration(config)
    start_log(settings)
    raise typer.Exit(upgrade_account(settings, confirmed=yes))
