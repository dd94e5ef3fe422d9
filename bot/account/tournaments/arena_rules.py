"""What to do about one arena now. Pure; all times in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.lichess.values import Arena
from bot.settings import TournamentSettings

LAST_CALL_S = 20.0  # no game is begun so shortly before the end
LOOK_EVERY_S = 120.0  # at an arena in which nothing is to be done
SHORTEST_S = 1.0


class Step(Enum):
    """What is done."""

    WAIT = "wait"
    JOIN = "join"
    PAIR = "pair"  # join, and ask for a game
    LEAVE = "leave"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Situation:
    """How we stand to an arena.

    `joined`: by what we have done; `playing`: a game of it runs; `has_slot`: a further game may run; `wanted`: the bot
    is neither paused nor ending; `since_asked_s`: since we last joined, None if never.
    """

    joined: bool = False
    playing: bool = False
    has_slot: bool = True
    wanted: bool = True
    since_asked_s: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A step, and when to look again."""

    step: Step
    look_in_s: float


def decide(arena: Arena, now: Situation, settings: TournamentSettings) -> Decision:
    """Decide about an arena as it was told just now."""
    if arena.finished:
        return Decision(Step.DONE, LOOK_EVERY_S)
    if not now.wanted:
        return Decision(Step.LEAVE if now.joined else Step.WAIT, _bounded(settings.ask_again_s))
    if arena.starts_in_s is not None:
        return _before_the_start(arena.starts_in_s, now, settings)
    left_s = arena.finishes_in_s
    if left_s is not None and left_s < LAST_CALL_S:
        return Decision(Step.WAIT, _bounded(left_s + SHORTEST_S))
    if now.playing or not now.has_slot:
        return Decision(Step.WAIT, _bounded(settings.ask_again_s))
    if now.since_asked_s is None or now.since_asked_s >= settings.ask_again_s or not now.joined:
        return Decision(Step.PAIR, _bounded(settings.ask_again_s))
    return Decision(Step.WAIT, _bounded(settings.ask_again_s - now.since_asked_s))


def _before_the_start(starts_in_s: float, now: Situation, settings: TournamentSettings) -> Decision:
    """Join in time; look again when it is time to join, or when it starts."""
    if now.joined:
        return Decision(Step.WAIT, _bounded(starts_in_s + SHORTEST_S))
    if starts_in_s <= settings.join_before_s:
        return Decision(Step.JOIN, _bounded(starts_in_s + SHORTEST_S))
    return Decision(Step.WAIT, _bounded(starts_in_s - settings.join_before_s))


def _bounded(seconds: float) -> float:
    return min(LOOK_EVERY_S, max(SHORTEST_S, seconds))
