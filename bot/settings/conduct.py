"""How the bot behaves in a game: chat, levels, resignation, draws."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, Strict, field_validator

from bot.errors import did_you_mean
from bot.settings.conditions import GameConditions
from bot.settings.types import (
    Closed,
    Count,
    Flag,
    Number,
    Positive,
    Seconds,
    Text,
    listed,
    unique,
)

#: Words in braces that are filled in when a text is sent.
PLACEHOLDERS = ("me", "opponent", "engine", "cpu", "ram")
MAX_CHARACTERS = 140  # of one chat line; Lichess refuses more
MAX_LINES = 3  # of one text
MOST_PIECES = 32
MIN_LEVEL, MAX_LEVEL = 100, 4000
FULL_STRENGTH = "full"
OPPONENT = "opponent"  # as strong as the opponent, by rating

Command = Literal["help", "name", "engine", "queue", "wait", "level", "stats", "eval", "pv", "book"]
SpectatorCommand = Literal["help", "name", "engine", "queue", "level", "stats", "eval", "pv", "book"]
COMMANDS: tuple[Command, ...] = get_args(Command)
SPECTATOR_COMMANDS: tuple[SpectatorCommand, ...] = get_args(SpectatorCommand)
Elo = Annotated[int, Strict(), Field(ge=MIN_LEVEL, le=MAX_LEVEL)]

_FIELD = re.compile(r"\{([^{}]*)\}")
_COMMAND_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,19}")


def _known_placeholders(text: str) -> str:
    for word in _FIELD.findall(text):
        if word not in PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
            hint = did_you_mean(word, PLACEHOLDERS)
            raise ValueError(f"{{{word}}} is not a placeholder{hint and f'; {hint}'} (known: {known})")
    return text


ChatText = Annotated[Text, Field(max_length=MAX_CHARACTERS * MAX_LINES), AfterValidator(_known_placeholders)]


class ChatSettings(Closed):
    """What the bot says. `{me}`, `{opponent}`, `{engine}`, `{cpu}` and `{ram}` are filled in; empty texts are not sent.

    Texts have up to 420 characters and are sent in up to three lines.
    """

    greeting: ChatText = Field(default="", examples=["Good luck, have fun!"])
    """To the opponent at the start."""
    spectator_greeting: ChatText = ""
    """To the spectators at the start."""
    farewell: ChatText = ""
    """To the opponent at the end."""
    spectator_farewell: ChatText = ""
    """To the spectators at the end."""
    player_commands: Annotated[tuple[Command, ...], BeforeValidator(listed), AfterValidator(unique)] = COMMANDS
    """Commands such as `!help` that are answered in the players' room."""
    spectator_commands: Annotated[tuple[SpectatorCommand, ...], BeforeValidator(listed), AfterValidator(unique)] = (
        SPECTATOR_COMMANDS
    )
    """Commands answered in the spectators' room."""
    advice_in_casual_games: Flag = False
    """Answer `!eval`, `!pv` and `!book` in the spectators' room while a casual game runs, not only after the game."""
    review_after_game: Flag = False
    """Send the opponent, if it is a person, the turning point of the game and the better move, once no game runs."""
    custom: dict[str, ChatText] = Field(default_factory=dict, examples=[{"rules": "No takebacks, please."}])
    """Your own commands and their answers, in both rooms."""

    @field_validator("custom")
    @classmethod
    def _new_names(cls, commands: dict[str, str]) -> dict[str, str]:
        for name in commands:
            if name in COMMANDS or name == "commands":
                raise ValueError(f"!{name} is a command of the bot itself; choose another name")
            if not _COMMAND_NAME.fullmatch(name):
                raise ValueError(f"{name!r} is not a name for a command: up to 20 small letters, digits, - and _")
        return commands


class LevelSettings(Closed):
    """Levels that people choose in casual games, with `!level 1600`, `!level easy` or `!level full`.

    They may do so before their first move, or for a rematch. The bot answers with the level that it has set.
    """

    by_chat: Flag = True
    """Let people choose, except in tournaments."""
    names: dict[str, Elo] = Field(
        default_factory=lambda: {"beginner": 1000, "easy": 1350, "medium": 1600, "hard": 2000, "expert": 2300}
    )
    """Names of levels, each with its Elo (100 to 4000)."""

    @field_validator("names")
    @classmethod
    def _usable_words(cls, names: dict[str, int]) -> dict[str, int]:
        for name in names:
            if name in (FULL_STRENGTH, OPPONENT) or not name.isidentifier() or name != name.lower():
                raise ValueError(f"{name!r} is not a name for a level: a word of small letters, not full or opponent")
        return names


class ResignSettings(Closed):
    """Resign after `moves` own moves in a row at `score_cp` or worse.

    A position that a tablebase calls lost counts too; one that it calls drawn or won is never resigned.
    """

    enabled: Flag = False
    """Resign at all."""
    score_cp: Annotated[Number, Field(le=0)] = -1000
    """The score in hundredths of a pawn that counts as lost; 0 or less."""
    moves: Positive = 4
    """Own moves in a row at that score or worse."""


class DrawSettings(Closed):
    """Offer or accept a draw after `moves` own moves in a row within `score_cp` of 0.

    A position that a tablebase calls drawn is offered at once; one that it calls won is never given away.
    """

    offer: Flag = True
    """Offer draws."""
    accept: Flag = True
    """Accept draws in level games, and in games that we have been losing for as long."""
    score_cp: Count = 10
    """A score this close to 0, in hundredths of a pawn, counts as level."""
    moves: Positive = 8
    """Own moves in a row with such a score."""
    min_move: Positive = 35
    """Not before this move number."""
    max_pieces: Annotated[Positive, Field(ge=2, le=MOST_PIECES)] = MOST_PIECES
    """Only with this many pieces or fewer, 2 to 32."""
    contempt: Flag = True
    """No draws before move 60 against people who are rated lower by 200 or more."""


class ConductRule(GameConditions):
    """Different conduct in some games: the first rule whose conditions all hold. Omitted keys stay as they are."""

    resign: ResignSettings | None = Field(default=None, examples=[{"enabled": False}])
    """A section with keys of `conduct.resign`."""
    draw: DrawSettings | None = Field(default=None, examples=[{"moves": 4, "score_cp": 30}])
    """A section with keys of `conduct.draw`."""
    takebacks: Count | None = Field(default=None, examples=[3])
    """Takebacks granted in a game."""


class ConductSettings(Closed):
    """How the bot behaves in a game."""

    abort_after_s: Seconds = 30.0
    """Abort a game if the opponent's first move does not arrive within this time."""
    takebacks: Count = 0
    """Takebacks granted in a game."""
    chat: ChatSettings = ChatSettings()
    levels: LevelSettings = LevelSettings()
    resign: ResignSettings = ResignSettings()
    draw: DrawSettings = DrawSettings()
    rules: Annotated[tuple[ConductRule, ...], BeforeValidator(listed)] = ()
    """Different conduct in some games."""
