"""Decides which bot to challenge next, and how, from what is remembered about other bots.

A decline concerns a kind of game: a bot that declines bullet is not asked for bullet again for a time that doubles with
each such decline, but may be asked for blitz meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import structlog

from bot.archive.store import CoolDown, Store
from bot.backoff import exponential_s
from bot.errors import StoreError
from bot.lichess.values import ChallengeTerms, OnlineBot
from bot.settings import MatchmakingSettings, MatchProfile, between

DAY_S = 86_400.0
COOL_DOWNS_S = (3600.0, 30 * DAY_S)  # first and longest, after declines of one kind in a row
CHALLENGES_PER_DAY = 100  # Lichess allows 200
ASKED_AGAIN_S = 600.0  # a bot that was challenged is left alone for this long, whatever it answers
EVERYTHING = "everything"

log = structlog.get_logger(__name__)

#: The kind of game that a decline reason of Lichess concerns; reasons that are not here concern everything.
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

    @property
    def terms(self) -> ChallengeTerms:
        """The challenge as the server takes it."""
        one = self.profile
        limit_s = one.limit_s if one.days is None else None
        return ChallengeTerms(
            self.bot.name, limit_s, one.increment_s, one.days, one.mode == "rated", one.variant, one.color
        )


@dataclass(frozen=True)
class Activity:
    """The state of our account. `now_s` in epoch seconds, `idle_s` since the last game of ours ended."""

    now_s: float
    idle_s: float
    free_slots: int  # without those reserved for people
    unanswered: int = 0  # challenges of matchmaking
    games: int = 0  # games of matchmaking that run


class DayCount:
    """Counts what happened within the last 24 hours, also over restarts; each name counts once."""

    def __init__(self, store: Store, note: str) -> None:
        """`note` is the name under which the store keeps the list."""
        self._store, self._note = store, note
        try:
            entries = [entry.partition(" ") for entry in store.noted(note, str)]
            self._since_s = {name: float(at_s) for at_s, _, name in entries}
        except (StoreError, ValueError) as error:
            log.error("day_count_not_read", note=note, error=str(error), remedy="the count starts at 0")
            self._since_s = {}

    def add(self, name: str, now_s: float) -> None:
        """Count something that happens now (epoch seconds), unless its name has been counted within the day."""
        self._since_s = {one: at_s for one, at_s in self._since_s.items() if 0 <= now_s - at_s < DAY_S}
        self._since_s.setdefault(name, now_s)
        self._store.note(self._note, [f"{at_s:.3f} {one}" for one, at_s in self._since_s.items()])

    def at(self, now_s: float) -> int:
        """Return the count of the last 24 hours."""
        return sum(0 <= now_s - at_s < DAY_S for at_s in self._since_s.values())


def kinds_of(profile: MatchProfile) -> tuple[str, ...]:
    """Return the kinds of game that a profile belongs to. A cool-down of any of them forbids it."""
    return EVERYTHING, f"speed {profile.speed}", f"mode {profile.mode}", f"variant {profile.variant}"


def declined_kind(profile: MatchProfile, reason_key: str) -> str:
    """Return the kind that a decline of such a game concerns. `reason_key` as Lichess sends it, in lower case."""
    concern = _CONCERNS.get(reason_key, EVERYTHING)
    return next((kind for kind in kinds_of(profile) if kind.startswith(concern)), EVERYTHING)


class Matchmaker:
    """Chooses the next challenge, and learns from the answers. Not thread-safe."""

    def __init__(
        self, settings: MatchmakingSettings, my_id: str, store: Store, rng: random.Random | None = None
    ) -> None:
        """`rng` draws profiles and bots; tests pass one to repeat a choice."""
        self._settings = settings
        self._my_id = my_id
        self._store = store
        self._rng = rng or random.Random()
        self._next_profile = 0  # of those in a cycle
        self.bot_games = DayCount(store, "bot_games")
        self.challenges = DayCount(store, "match_challenges")

    def wants_challenge(self, activity: Activity) -> bool:
        """Return whether a challenge may be sent now, regardless of who is online."""
        settings, now_s = self._settings, activity.now_s
        return (
            settings.enabled
            and activity.free_slots > 0
            and activity.games + activity.unanswered < settings.concurrent
            and (settings.during_games or activity.idle_s >= settings.idle_s)
            and self.bot_games.at(now_s) + activity.unanswered < settings.games_per_day
            and self.challenges.at(now_s) < CHALLENGES_PER_DAY
        )

    def choose(self, bots: Iterable[OnlineBot], my_ratings: Mapping[str, int], now_s: float) -> Proposal | None:
        """Return a challenge, None if no profile finds a bot."""
        online = [bot for bot in bots if bot.id != self._my_id and bot.id not in self._settings.block]
        cool_downs = {bot.id: self._store.match_cool_downs(bot.id) for bot in online}
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
        """Count a challenge that is sent now, and leave the bot alone for a while."""
        self.challenges.add(f"{proposal.bot.id} {now_s}", now_s)
        self.leave_alone(proposal, now_s + ASKED_AGAIN_S)

    def declined(self, proposal: Proposal, reason_key: str, now_s: float) -> None:
        """Do not ask for this kind again for a time that doubles with each decline of it in a row."""
        kind = declined_kind(proposal.profile, reason_key)
        known = self._store.match_cool_downs(proposal.bot.id).get(kind, CoolDown(0.0, 0))
        until_s = now_s + exponential_s(*COOL_DOWNS_S, known.declines)
        self._store.save_match_cool_down(proposal.bot.id, kind, CoolDown(until_s, known.declines + 1))

    def accepted(self, proposal: Proposal, now_s: float) -> None:
        """Forget earlier declines of a bot, and leave it alone for a while."""
        self._store.clear_match_cool_downs(proposal.bot.id)
        self.leave_alone(proposal, now_s + ASKED_AGAIN_S)

    def leave_alone(self, proposal: Proposal, until_s: float) -> None:
        """Ask a bot for nothing until then."""
        known = self._store.match_cool_downs(proposal.bot.id).get(EVERYTHING, CoolDown(0.0, 0))
        cool_down = CoolDown(max(known.until_s, until_s), known.declines)
        self._store.save_match_cool_down(proposal.bot.id, EVERYTHING, cool_down)

    def _pick(self, bots: list[OnlineBot], profile: MatchProfile, mine: int | None) -> OnlineBot:
        """Choose among bots that fit, by the profile's preference. A bot without a rating counts as rated lowest."""
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
    """Return whether a bot's rating is within the limits; an unknown rating is within none."""
    apart = None if theirs is None or ours is None else abs(theirs - ours)
    return between(profile.min_rating, theirs, profile.max_rating) and between(
        profile.min_rating_difference, apart, profile.max_rating_difference
    )


def _cools_down(profile: MatchProfile, cool_downs: Mapping[str, CoolDown], now_s: float) -> bool:
    return any(kind in cool_downs and cool_downs[kind].until_s > now_s for kind in kinds_of(profile))
