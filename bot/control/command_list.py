"""The list of commands to a running bot. It imports very little, so that help is quick."""

from __future__ import annotations

from bot.errors import BotError

_COLUMN = 20

#: Every command: what follows its name, and what it does.
COMMANDS = {
    "status": ("[--json]", "health, games, queue, limits and the results of the day"),
    "games": ("[--json]", "the running games: clocks, last move, score"),
    "challenge": (
        "USER [--clock 3+2 | --days 2] [--rated] [--variant V] [--color C]",
        "challenge a player or a bot, at 3+2 without --clock\n"
        "--days 1, 2, 3, 5, 7, 10 or 14; --color white, black or random\n"
        "--variant as Lichess spells it: chess960, atomic, crazyhouse, ...",
    ),
    "pause": ("", "accept no challenges and seek no games; running games continue"),
    "resume": ("", "undo pause"),
    "block": ("USER", "never play a user again, also after a restart"),
    "unblock": ("USER", "undo block"),
    "tournament": ("ID [--team TEAM] [--password WORD]", "take part in an arena; ID as in the address of its page"),
    "level": ("USER LEVEL", "play the next game with a user at 1600, easy, full, ..."),
    "reload": ("", "reload the configuration, as SIGHUP does"),
    "quit": ("", "end now; running games continue at the server"),
    "quit-after-games": ("", "accept no challenges, end when the running games are over"),
    "help": ("", "this list"),
}


class CommandError(BotError):
    """A command that cannot be understood or carried out; the message is one line that ends with the remedy."""


def command_list() -> str:
    """Return all commands with their descriptions, beside a short command and below a long one."""
    lines = []
    for name, (usage, text) in COMMANDS.items():
        head = f"{name} {usage}".rstrip()
        below = text.replace("\n", f"\n{'':{_COLUMN}}")
        lines.append(f"{head:{_COLUMN}}{below}" if len(head) < _COLUMN else f"{head}\n{'':{_COLUMN}}{below}")
    return "\n".join(lines)
