"""The command line `bot88`; commands import what they need when they run."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, NoReturn

import typer

from bot.commands import (
    backup,
    check,
    ctl,
    fake_lichess,
    games,
    health,
    init,
    league,
    migrate_config,
    new_engine,
    offline,
    replay,
    review,
    run,
    schema,
    stats,
    upgrade,
)
from bot.errors import BotError, ConfigurationError, StartUpError, StoreError
from bot.service.signals import ExitCode

EXIT_CODES = """Exit codes: 0 ended as asked; 1 an error, or (offline) a game that did not end well; 2 wrong
configuration or command line; 3 token or account not fit; 4 server not reachable; 5 no engine runs; 130 or 143 forced
by a second signal."""

app = typer.Typer(
    name="bot88",
    help="A Lichess bot with an engine of its own.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command()(run.run)
app.command()(init.init)
app.command()(check.check)
app.command()(upgrade.upgrade)
app.command()(offline.offline)
app.command()(new_engine.new_engine)
app.command()(league.league)
app.command("fake-lichess", context_settings=fake_lichess.CONTEXT)(fake_lichess.fake_lichess)
app.command()(schema.schema)
app.command()(migrate_config.migrate_config)
app.command()(replay.replay)
app.command()(games.games)
app.command()(stats.stats)
app.command()(review.review)
app.command()(health.health)
app.command()(backup.backup)
app.command(help=ctl.CTL_HELP, context_settings={"ignore_unknown_options": True})(ctl.ctl)


def main() -> NoReturn:
    """Run a command and exit with its code. An expected error becomes one message."""
    from bot.log.console import reserve_standard_streams

    reserve_standard_streams()
    try:
        app(prog_name="bot88")
    except StartUpError as error:
        _fail(error, error.exit_code)
    except (ConfigurationError, StoreError) as error:
        _fail(error, ExitCode.CONFIGURATION)
    except BotError as error:
        _fail(error, ExitCode.FAILED)
    sys.exit(ExitCode.OK)


def _fail(error: BotError, code: int) -> NoReturn:
    print(f"bot88: {error}", file=sys.stderr)  # noqa: T201 -- the command's own output
    sys.exit(code)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            number = version("bot88")
        except PackageNotFoundError:
            number = "of a source tree that is not installed"
        typer.echo(f"bot88 {number}")
        raise typer.Exit


VersionOption = Annotated[bool, typer.Option("--version", callback=_show_version, help="Show the version and exit.")]


@app.callback()
def _options(_version: VersionOption = False) -> None:
    """A Lichess bot with an engine of its own."""
