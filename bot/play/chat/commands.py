"""Who may ask what, where and when. Pure.

What the bot thinks of the position is advice: a spectator could pass it on to a player. So it is given after the game,
and during a casual game to spectators if the owner allows it.
"""

from __future__ import annotations

from enum import Enum

from bot.settings import ChatSettings

ADVICE = ("eval", "pv", "book")


class Verdict(Enum):
    """What is done about a line of chat."""

    ANSWER = "answer"
    REFUSE = "refuse"  # say that this is answered after the game
    IGNORE = "ignore"


def command_in(text: str) -> str:
    """Return the command of a line such as "!Eval please" in small letters; "" where there is none."""
    words = text.split(maxsplit=1)
    if not words or not words[0].startswith("!"):
        return ""
    name = words[0][1:].lower()
    return "help" if name == "commands" else name


def argument_of(text: str) -> str:
    """Return the first word after the command; "" where there is none."""
    words = text.split(maxsplit=2)
    return words[1] if len(words) > 1 else ""


def verdict(command: str, settings: ChatSettings, *, room: str, by_player: bool, over: bool, rated: bool) -> Verdict:
    """Decide about a command in a room; `by_player`: of this game; `over`: the game has ended."""
    allowed = settings.player_commands if room == "player" else settings.spectator_commands
    if not settings.answer_commands or room not in settings.rooms:
        return Verdict.IGNORE
    if command in settings.custom:
        return Verdict.ANSWER
    if command not in allowed:
        return Verdict.IGNORE
    if command == "wait":
        return Verdict.ANSWER if by_player and room == "player" and not over else Verdict.IGNORE
    is_public = settings.advice_in_casual_games and not rated and not by_player and room == "spectator"
    if command in ADVICE and not over and not is_public:
        return Verdict.REFUSE
    return Verdict.ANSWER


def answered_now(settings: ChatSettings, *, room: str, by_player: bool, over: bool, rated: bool) -> list[str]:
    """Return the commands that this asker gets an answer to at the moment, the bot's own first."""
    own = settings.player_commands if room == "player" else settings.spectator_commands
    return [
        name
        for name in (*own, *settings.custom)
        if verdict(name, settings, room=room, by_player=by_player, over=over, rated=rated) is Verdict.ANSWER
    ]
