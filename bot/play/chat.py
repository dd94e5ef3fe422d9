"""What the bot says: greetings and answers to commands. Pure; nothing here is worth delaying a move for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bot.events import ChatLine

MAX_CHARACTERS = 140  # Lichess refuses more
MAX_ANSWERS = 10  # a game is no conversation; Lichess drops floods silently
_FIELD = re.compile(r"\{(\w+)\}")
HELP = "Commands: !name, !engine, !eval (spectators), !help"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace {name} fields, drop unknown ones, keep to what Lichess takes."""
    filled = " ".join(_FIELD.sub(lambda match: values.get(match.group(1), ""), text).split())
    return filled if len(filled) <= MAX_CHARACTERS else filled[: MAX_CHARACTERS - 1] + "…"


def answer_to(line: ChatLine, my_name: str, facts: Mapping[str, str]) -> str | None:
    """The answer to a chat line, None for everything that is no command of somebody else's.

    `facts`: "name", "engine", "eval". The evaluation is told to spectators alone: the opponent must not be advised.
    """
    if line.username.lower() in (my_name.lower(), "lichess") or not line.text.startswith("!"):
        return None
    command = line.text[1:].split(maxsplit=1)[0].lower() if line.text[1:].strip() else ""
    if command in ("help", "commands"):
        return HELP
    if command == "eval" and line.room != "spectator":
        return "I tell my evaluation to spectators only."
    text = facts.get(command)
    return fill(text, {}) if text else None
