"""The grammar of commands to a running bot, for `bot88 ctl`, the prompt and the dashboard. Pure."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn, get_args

from pydantic import SecretStr, ValidationError

from bot.control.command_list import COMMANDS, CommandError
from bot.errors import ConfigurationError, did_you_mean
from bot.lichess.values import ChallengeTerms
from bot.settings import ArenaEntry, Variant, parse_clock

DEFAULT_CLOCK = (180, 2)


@dataclass(frozen=True)
class Command:
    """A parsed command; fields that it does not have keep their defaults."""

    name: str
    user: str = ""
    json: bool = False
    terms: ChallengeTerms | None = None
    level: str = ""
    arena: ArenaEntry | None = None


def parse_command(words: Sequence[str]) -> Command:
    """Parse the words of a command. Raises CommandError."""
    if not words:
        raise CommandError(f"no command; give one of {', '.join(COMMANDS)}")
    name, *rest = words
    if name not in COMMANDS:
        hint = did_you_mean(name, COMMANDS) or f"there are {', '.join(COMMANDS)}"
        raise CommandError(f"{name!r} is not a command; {hint}")
    found = _parser(name).parse_args(rest)
    if name == "tournament":
        password = SecretStr(found.password) if found.password is not None else None
        return Command(name, arena=ArenaEntry(id=found.arena, team=found.team, password=password))
    if name != "challenge":
        given = vars(found)
        user, level = given.get("user", "").lower(), given.get("level", "")
        return Command(name, user=user, json=given.get("json", False), level=level)
    clock = found.clock or DEFAULT_CLOCK
    terms = ChallengeTerms(
        username=found.user,
        limit_s=None if found.days else clock[0],
        increment_s=0 if found.days else clock[1],
        days=found.days,
        rated=found.rated,
        variant=found.variant,
        color=found.color,
    )
    return Command(name, user=found.user.lower(), terms=terms)


class _Parser(ArgumentParser):
    """Raises CommandError where argparse would end the program."""

    def error(self, message: str) -> NoReturn:
        """Raise, with the usage as the remedy."""
        raise CommandError(f"{self.prog}: {message}; write: {self.prog} {COMMANDS[self.prog][0]}".rstrip())


def _parser(name: str) -> _Parser:
    parser = _Parser(prog=name, add_help=False, allow_abbrev=False)
    if name in ("status", "games"):
        parser.add_argument("--json", action="store_true")
    if name in ("challenge", "block", "unblock", "level"):
        parser.add_argument("user", metavar="USER", type=_user)
    if name == "tournament":
        parser.add_argument("arena", metavar="ID", type=_arena_id)
        parser.add_argument("--team")
        parser.add_argument("--password")
    if name == "level":
        parser.add_argument("level", metavar="LEVEL")
    if name == "challenge":
        pace = parser.add_mutually_exclusive_group()
        pace.add_argument("--clock", type=_clock)
        pace.add_argument("--days", type=int, choices=(1, 2, 3, 5, 7, 10, 14))
        parser.add_argument("--rated", action="store_true")
        parser.add_argument("--variant", choices=[one for one in get_args(Variant) if one != "fromPosition"])
        parser.add_argument("--color", choices=("white", "black", "random"))
        parser.set_defaults(variant="standard", color="random")
    return parser


def _arena_id(text: str) -> str:
    try:
        return ArenaEntry(id=text).id
    except ValidationError as error:
        raise ArgumentTypeError(error.errors()[0]["msg"].removeprefix("Value error, ")) from error


def _user(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{2,30}", text):
        raise ArgumentTypeError(f"{text!r} is not a user name: use letters, digits, _ and -")
    return text


def _clock(text: str) -> tuple[int, int]:
    try:
        limit_s, increment_s = parse_clock(text)
    except ConfigurationError as error:
        raise ArgumentTypeError(str(error).removeprefix("--clock ")) from error
    if limit_s % 1 or increment_s % 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number of seconds")
    return int(limit_s), int(increment_s)
