"""The command line `bot88`; commands import what they need when they run."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from bot.commands import (
    backup,
    check,
    ctl,
    fake_lichess,
    games,
    health,
    init,
    lab,
    migrate_config,
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

PLAY, CONFIGURE, WATCH = "Play", "Configure", "Watch a running bot"
LOOK_BACK, OWN_ENGINE, OTHER = "Look back", "Your own engine", "Other programs"


class CommandsByTask(TyperGroup):
    """Lists the commands by their panels."""

    def get_command(self, context: Any, name: str) -> Any:
        """Return a command whose help shows a word for each value, not its type."""
        command: Any = super().get_command(context, name)
        for one in command.params if command is not None else ():
            if one.param_type_name == "argument":
                one.display_type_rich = lambda ctx: ""  # noqa: ARG005 -- the keyword that Typer uses
            elif one.metavar is None:
                one.metavar = _VALUES.get(one.display_type(context))
        return command

    def format_commands(self, _context: Any, formatter: Any) -> None:
        """Write a section for each panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            panel = str(getattr(command, "rich_help_panel", None) or "Commands")
            panels.setdefault(panel, []).append((name, command.get_short_help_str(limit=200)))
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(_COLUMN), text) for name, text in rows])


#: What stands for an option's value in help, by the type of the value.
_VALUES = {
    "<int>": "N",
    "<int range>": "N",
    "<float>": "SECONDS",
    "<float range>": "SECONDS",
    "<path>": "FILE",
    "<str>": "TEXT",
}
_COLUMN = 14  # the longest name of a command, so that all sections are aligned

app = typer.Typer(
    name="bot88",
    cls=CommandsByTask,
    help="A Lichess bot with an engine of its own.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command(rich_help_panel=PLAY)(run.run)
app.command(rich_help_panel=PLAY)(offline.offline)
app.command(rich_help_panel=CONFIGURE)(init.init)
app.command(rich_help_panel=CONFIGURE)(check.check)
app.command(rich_help_panel=CONFIGURE)(upgrade.upgrade)
app.command(rich_help_panel=CONFIGURE)(schema.schema)
app.command(help=ctl.CTL_HELP, context_settings={"ignore_unknown_options": True}, rich_help_panel=WATCH)(ctl.ctl)
app.command(rich_help_panel=WATCH)(health.health)
app.command(rich_help_panel=LOOK_BACK)(games.games)
app.command(rich_help_panel=LOOK_BACK)(stats.stats)
app.command(rich_help_panel=LOOK_BACK)(replay.replay)
app.command(rich_help_panel=LOOK_BACK)(review.review)
app.command(rich_help_panel=LOOK_BACK)(backup.backup)
app.command("new-engine", rich_help_panel=OWN_ENGINE)(lab.new_engine)
app.command("test-engine", rich_help_panel=OWN_ENGINE)(lab.bench)
app.command(rich_help_panel=OWN_ENGINE)(lab.league)
app.command(rich_help_panel=OTHER)(migrate_config.migrate_config)
app.command("fake-lichess", context_settings=fake_lichess.CONTEXT, rich_help_panel=OTHER)(fake_lichess.fake_lichess)


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
