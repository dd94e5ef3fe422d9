"""Which bot to challenge next, and how: pure decisions over what is remembered about other bots.

A decline concerns a kind of game: who declines bullet is not asked for bullet again for a time that doubles with each
such decline, and may be asked for blitz meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.archive.store import CoolDown
from bot.backoff import exponential_s
from bot.lichess.values import OnlineBot
from bot.settings.conditions import between
from bot.settings.matchmaking import MatchmakingSettings, MatchProfile

DAY_S = 86_400.0
COOL_DOWNS_S = (3600.0, 30 * DAY_S)  # first and longest, after declines of one kind in a row
ASKED_AGAIN_S = 600.0  # a bot that was asked is left alone so long, whatever it answers
EVERYTHING = "everything"

#: What a decline reason of Lichess speaks of; reasons that are not here speak of everything.
_CONCERNS = {
    "toofast": "speed",
    "tooslow": "speed",
    "timecontrol": "speed",
    "rated": "mode",
    "casual": "mode",
    "standard": "variant",
    "variant": "variant",
}


@dataclass(frozen=True)
class Proposal:
    """A challenge to send."""

    bot: OnlineBot
    profile: MatchProfile


@dataclass(frozen=True)
class Situation:
    """What goes on in our account; `now_s` in epoch seconds, `idle_s` since the last game of ours ended."""

    now_s: float
    idle_s: float
    free_slots: int  # without those reserved for people
    own_open: int  # challenges sent and games begun by matchmaking


class MatchMemory(Protocol):
    """What survives a restart; all methods may raise StoreError."""

    def match_cool_downs(self, user_id: str) -> dict[str, CoolDown]:
        """Return what a bot is not to be asked for, by kind, lapsed ones included."""

    def save_match_cool_down(self, user_id: str, kind: str, cool_down: CoolDown) -> None:
        """Keep one."""

    def clear_match_cool_downs(self, user_id: str) -> None:
        """Forget all of one bot."""

    def match_games_since(self, since_s: float) -> int:
        """Count the games begun by matchmaking since then (epoch seconds)."""

    def note_match_game(self, game_id: str, begun_s: float) -> None:
        """Count a game begun by matchmaking."""


def kinds_of(profile: MatchProfile) -> tuple[str, ...]:
    """Return the kinds of game that a profile belongs to; a cool-down of any of them forbids it."""
    return EVERYTHING, f"speed {profile.speed}", f"mode {profile.mode}", f"variant {profile.variant}"


def declined_kind(profile: MatchProfile, reason_key: str) -> str:
    """Return the kind that a decline of such a game speaks of; `reason_key` as Lichess sends it, in lower case."""
    concern = _CONCERNS.get(reason_key, EVERYTHING)
    return next((kind for kind in kinds_of(profile) if kind.startswith(concern)), EVERYTHING)


class Matchmaker:
    """Chooses the next challenge and learns from what became of the last; not thread-safe."""

    def __init__(
        self, settings: MatchmakingSettings, my_id: str, memory: MatchMemory, rng: random.Random | None = None
    ) -> None:
        """`rng` draws profiles and bots; given by tests to repeat a choice."""
        self._settings = settings
        self._my_id = my_id
        self._memory = memory
        self._rng = rng or random.Random()
        self._next_profile = 0  # of those in a cycle

    def wants_challenge(self, situation: Situation) -> bool:
        """Whether a challenge may be sent now, whoever is online."""
        settings = self._settings
        return (
            settings.enabled
            and situation.free_slots > 0
            and situation.own_open < settings.concurrent
            and (settings.during_games or situation.idle_s >= settings.idle_s)
            and self._memory.match_games_since(situation.now_s - DAY_S) + situation.own_open < settings.games_per_day
        )

    def choose(self, bots: Iterable[OnlineBot], my_ratings: Mapping[str, int], now_s: float) -> Proposal | None:
        """Return a challenge, None where no profile finds a bot. Profiles are tried in turn, as configured."""
        online = [bot for bot in bots if bot.id != self._my_id and bot.id not in self._settings.block]
        cool_downs = {bot.id: self._memory.match_cool_downs(bot.id) for bot in online}
        for place, profile in self._profiles_in_turn():
            fitting = [
                bot
                for bot in online
                if _rating_fits(profile, bot.ratings.get(profile.perf), my_ratings.get(profile.perf))
                and not _cools_down(profile, cool_downs[bot.id], now_s)
            ]
            if fitting:
                self._next_profile = place + 1
                return Proposal(self._pick(fitting, profile, my_ratings.get(profile.perf)), profile)
        return None

    def asked(self, proposal: Proposal, now_s: float) -> None:
        """Leave a bot alone for a moment that was challenged."""
        known = self._memory.match_cool_downs(proposal.bot.id).get(EVERYTHING, CoolDown(0.0, 0))
        until_s = max(known.until_s, now_s + ASKED_AGAIN_S)
        self._memory.save_match_cool_down(proposal.bot.id, EVERYTHING, CoolDown(until_s, known.declines))

    def declined(self, proposal: Proposal, reason_key: str, now_s: float) -> None:
        """Do not ask for this kind again for a time that doubles with each decline of it in a row."""
        kind = declined_kind(proposal.profile, reason_key)
        known = self._memory.match_cool_downs(proposal.bot.id).get(kind, CoolDown(0.0, 0))
        until_s = now_s + exponential_s(*COOL_DOWNS_S, known.declines)
        self._memory.save_match_cool_down(proposal.bot.id, kind, CoolDown(until_s, known.declines + 1))

    def began(self, proposal: Proposal, game_id: str, now_s: float) -> None:
        """Count the game for the day; earlier declines of this bot are forgotten."""
        self._memory.note_match_game(game_id, now_s)
        self._memory.clear_match_cool_downs(proposal.bot.id)
        self.asked(proposal, now_s)

    def _pick(self, bots: list[OnlineBot], profile: MatchProfile, mine: int | None) -> OnlineBot:
        """Choose among bots that fit, by the profile's preference; a bot without a rating counts as rated lowest."""
        if profile.prefer == "near" and mine is not None:
            return min(bots, key=lambda bot: abs(bot.ratings.get(profile.perf, 0) - mine))
        if profile.prefer in ("high", "low"):
            ranked = sorted(bots, key=lambda bot: bot.ratings.get(profile.perf, 0), reverse=profile.prefer == "low")
            return self._rng.choices(ranked, range(1, len(ranked) + 1))[0]  # the last is the likeliest
        return self._rng.choice(bots)

    def _profiles_in_turn(self) -> Iterator[tuple[int, MatchProfile]]:
        """Yield profiles with their places in the configuration, those to try first first."""
        left = list(enumerate(self._settings.profiles))
        if self._settings.selection == "weighted":
            while left:
                (drawn,) = self._rng.choices(left, [profile.weight for _, profile in left])
                left.remove(drawn)
                yield drawn
        else:
            first = self._next_profile % len(left) if left and self._settings.selection == "cyclic" else 0
            yield from left[first:] + left[:first]


def _rating_fits(profile: MatchProfile, theirs: int | None, ours: int | None) -> bool:
    apart = None if theirs is None or ours is None else abs(theirs - ours)
    far = profile.min_rating_difference, profile.max_rating_difference
    if not between(profile.min_rating, theirs, profile.max_rating):
        return False
    return far == (None, None) or (theirs is not None and (apart is None or between(far[0], apart, far[1])))


def _cools_down(profile: MatchProfile, cool_downs: Mapping[str, CoolDown], now_s: float) -> bool:
    return any(kind in cool_downs and cool_downs[kind].until_s > now_s for kind in kinds_of(profile))
