"""The command line: `bot88 run | offline | fake-lichess | upgrade | check | ...`; heavy imports wait until needed."""

from __future__ import annotations

import functools
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from bot import config_cli, ctl_cli, games_cli, replay_cli, service_cli
from bot.app.signals import ExitCode
from bot.config_option import DEFAULT_CONFIG, ConfigOption, load_configuration
from bot.errors import BotError, ConfigurationError, StartUpError, StoreError

EXIT_CODES = """Exit codes: 0 ended as asked; 1 an error, or (offline) a game that did not end well; 2 wrong
configuration or command line; 3 token or account not fit; 4 server not reachable; 5 no engine runs; 130 or 143 forced
by a second signal."""

OPPONENTS = "random, greedy, scripted:FILE, engine:COMMAND, or engine1:COMMAND to engine8:COMMAND by strength."

app = typer.Typer(
    name="bot88",
    help="A Lichess bot with an engine of its own.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command()(config_cli.schema)
app.command()(config_cli.migrate_config)
app.command()(replay_cli.replay)
app.command()(games_cli.games)
app.command()(games_cli.stats)
app.command()(games_cli.review)
app.command()(service_cli.health)
app.command()(service_cli.backup)
app.command(help=ctl_cli.CTL_HELP, context_settings={"ignore_unknown_options": True})(ctl_cli.ctl)

OfflineConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="Configuration file; default: config/offline.yml.")
]
GiveUpOption = Annotated[
    float | None,
    typer.Option(min=0, help="Seconds to wait for a server that does not answer at the start; default: for ever."),
]
PlainOption = Annotated[bool, typer.Option("--plain", help="Log lines alone, also on a terminal.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
CheckedPath = Annotated[Path | None, typer.Argument(help="Configuration file; the same as --config.")]
NewPath = Annotated[Path, typer.Argument(help="Where to write it.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]


def main() -> NoReturn:
    """The program: runs a command and exits with its code; errors that we raise on purpose become one message."""
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


@app.command()
def run(
    config: ConfigOption = None,
    give_up_after: GiveUpOption = None,
    plain: PlainOption = False,
) -> None:
    """Play on Lichess until SIGINT or SIGTERM: running games are finished first, a second signal ends at once.

    On a terminal it shows the games live and takes commands at a prompt; `bot88 ctl` gives the same from elsewhere.

    SIGHUP reads the configuration again: challenges, conduct, clock and rules are taken over, the rest at a restart.
    """
    from bot.app.parts import start_log
    from bot.app.run_command import run_bot

    settings = load_configuration(config)
    start_log(settings)
    read = functools.partial(load_configuration, config)
    raise typer.Exit(run_bot(settings, read, give_up_after, plain=plain))


@app.command()
def init(path: NewPath = DEFAULT_CONFIG, force: ForceOption = False) -> None:
    """Write a commented configuration to start from; an existing file is left alone."""
    from bot.app.init_command import write_configuration

    write_configuration(path, overwrite=force)
    typer.echo(f"wrote {path}; now put the token into the environment variable BOT88_TOKEN and try: bot88 check {path}")


@app.command()
def check(
    context: typer.Context,
    path: CheckedPath = None,
    config: ConfigOption = None,
    start_up: Annotated[
        bool, typer.Option("--start-up", help="Also try the token, the account and the engines.")
    ] = False,
) -> None:
    """Check the configuration and show what is in force, defaults included, without the token."""
    from bot.app.check_command import check_start_up, describe
    from bot.app.parts import start_log

    source = context.get_parameter_source("config")
    if path and source is not None and source.name == "COMMANDLINE":
        raise typer.BadParameter(f"the file is given twice, as {path} and with --config; leave one of them out")
    settings = load_configuration(path or config)
    typer.echo(describe(settings, os.environ), nl=False)
    if start_up:
        start_log(settings)
        typer.echo(check_start_up(settings))


@app.command()
def upgrade(config: ConfigOption = None, yes: YesOption = False) -> None:
    """Turn the token's account into a bot account, for ever. Asks first."""
    from bot.app.parts import start_log
    from bot.app.upgrade import upgrade_account

    settings = load_configuration(config)
    start_log(settings)
    raise typer.Exit(upgrade_account(settings, confirmed=yes))


@app.command()
def offline(
    games: Annotated[int | None, typer.Option(min=1, help="Games to play; default 1.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=200, help="Games at once.")] = 1,
    clock: Annotated[str, typer.Option(help="Minutes and increment in seconds, such as 0.5+0 or 3+2.")] = "0.5+0",
    opponent: Annotated[str, typer.Option(help=OPPONENTS)] = "greedy",
    seed: Annotated[int | None, typer.Option(help="For colours, opponents and faults.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a game on standard output.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Serve a board to play on, until Ctrl-C.")] = False,
    faults: Annotated[str, typer.Option(help="calm, flaky, storm or a YAML file.")] = "calm",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the built-in Lichess; 0: a free one.")] = 0,
    bind: Annotated[str, typer.Option(help="Address for board and dashboard; 0.0.0.0: all of them.")] = "127.0.0.1",
    config: OfflineConfigOption = None,
) -> None:
    """Play whole games against a built-in Lichess on this machine."""
    from bot.offline import OfflineOptions, parse_clock, play_offline

    options = OfflineOptions(
        games=games if games is not None else (0 if browser else 1),
        concurrency=concurrency,
        clock=parse_clock(clock),
        opponent=opponent,
        seed=seed,
        json=json,
        browser=browser,
        faults=faults,
        port=port,
        bind=bind,
        config=config,
    )
    raise typer.Exit(play_offline(options))


@app.command("fake-lichess")
def fake_lichess(
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; default: a free one.")] = None,
    bind: Annotated[str | None, typer.Option(help="Address to listen on; default 127.0.0.1.")] = None,
    faults: Annotated[str | None, typer.Option(help="calm, flaky, storm, deploy, crash or a YAML file.")] = None,
    config: Annotated[Path | None, typer.Option("--config", "-c", help="YAML file with accounts and rules.")] = None,
    seed: Annotated[int | None, typer.Option(help="For colours, ids, opponents and faults.")] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="NAME=TOKEN", help="A BOT account; repeatable.")] = None,
    people: Annotated[int | None, typer.Option(min=0, help="How many persons there are to play as.")] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]KIND",
            help="An account that the server plays: random, greedy, scripted:FILE, engine3:COMMAND; repeatable.",
        ),
    ] = None,
    scenario: Annotated[
        Path | None, typer.Option(help="YAML file: challenge a bot, check what happened, exit with 0 or 1.")
    ] = None,
) -> None:
    """Serve the built-in Lichess alone, for any bot: give it the printed address and a printed token.

    docs/fake-lichess.md has the endpoints, faults, scenarios and the pytest plugin.
    """
    from bot.fake_lichess.cli import serve

    options = {"bots": bot or (), "opponents": opponent or ()}
    raise typer.Exit(serve(port, bind, faults, config, seed, people=people, scenario=scenario, **options))
