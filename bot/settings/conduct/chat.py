"""What the bot says in the two chat rooms of a game, and to whom it answers."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from bot.errors import did_you_mean
from bot.settings.base import Closed, Count, Flag, Seconds, Text, _listed, _unique

#: Words in braces that are filled in when a text is sent.
PLACEHOLDERS = ("me", "opponent", "engine", "cpu", "ram")
MAX_CHARACTERS = 140  # of one chat line; Lichess refuses more
MAX_LINES = 3  # of one text

Room = Literal["player", "spectator"]
Command = Literal["help", "name", "engine", "queue", "wait", "level", "stats", "eval", "pv", "book"]
SpectatorCommand = Literal["help", "name", "engine", "queue", "level", "stats", "eval", "pv", "book"]
COMMANDS: tuple[Command, ...] = get_args(Command)
SPECTATOR_COMMANDS: tuple[SpectatorCommand, ...] = get_args(SpectatorCommand)

_FIELD = re.compile(r"\{([^{}]*)\}")
_COMMAND_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}")


def _known_placeholders(text: str) -> str:
    for word in _FIELD.findall(text):
        if word not in PLACEHOLDERS:
            known = [f"{{{name}}}" for name in PLACEHOLDERS]
            hint = did_you_mean(word, PLACEHOLDERS)
            raise ValueError(f"{{{word}}} is no placeholder{hint and f'; {hint}'} (known: {', '.join(known)})")
    return text


ChatText = Annotated[Text, Field(max_length=MAX_CHARACTERS * MAX_LINES), AfterValidator(_known_placeholders)]


class ChatSettings(Closed):
    """What is said, empty texts are not; `{me}`, `{opponent}`, `{engine}`, `{cpu}` and `{ram}` are filled in.

    The texts that begin with `bot_` are said in games with bots; left out, they are the same as with people.
    `custom`: commands of one's own and what they answer.
    """

    rooms: Annotated[tuple[Room, ...], BeforeValidator(_listed), AfterValidator(_unique)] = ("player", "spectator")
    greeting: ChatText = ""
    spectator_greeting: ChatText = ""
    farewell: ChatText = ""
    spectator_farewell: ChatText = ""
    bot_greeting: ChatText | None = None
    bot_spectator_greeting: ChatText | None = None
    bot_farewell: ChatText | None = None
    bot_spectator_farewell: ChatText | None = None
    long_texts: Literal["split", "cut"] = "split"
    answer_commands: Flag = True
    player_commands: Annotated[tuple[Command, ...], BeforeValidator(_listed), AfterValidator(_unique)] = COMMANDS
    spectator_commands: Annotated[tuple[SpectatorCommand, ...], BeforeValidator(_listed), AfterValidator(_unique)] = (
        SPECTATOR_COMMANDS
    )
    advice_in_casual_games: Flag = False
    custom: dict[str, ChatText] = Field(default_factory=dict)
    answers_per_user: Count = 10
    wait_s: Seconds = 60.0
    after_game_s: Seconds = 60.0

    @field_validator("custom")
    @classmethod
    def _new_names(cls, commands: dict[str, str]) -> dict[str, str]:
        for name in commands:
            if name in COMMANDS or name == "commands":
                raise ValueError(f"!{name} is a command of the bot itself; choose another name")
            if not _COMMAND_NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name for a command: up to 20 small letters, digits, - and _")
        return commands
