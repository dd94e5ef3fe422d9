"""Judges challenges with everything that the rules need to know: slots, recent games, and the challenger's account."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

import structlog

from bot.account.admission import Admission
from bot.account.challenges.challenge_rules import (
    DAY_S,
    GENERIC,
    LATER,
    Judgement,
    Listed,
    OpponentActivity,
    by_name_alone,
    judge,
)
from bot.account.slots import Slots
from bot.errors import LichessError, NotFound
from bot.events import Challenge
from bot.lichess.server import Server
from bot.lichess.values import UserProfile
from bot.settings import Profile, Settings

PROFILE_AGE_S = 6 * 3600.0  # an older profile is fetched again
PROFILES_KEPT = 500

#: Counts the games with an opponent that ended within so many seconds. May wait for the disk.
RecentGames = Callable[[str, float], int]

log = structlog.get_logger(__name__)


def no_games(_opponent_id: str, _seconds: float) -> int:
    """Return 0."""
    return 0


class Profiles:
    """The accounts that were fetched recently. One thread fetches; others may read."""

    def __init__(self, server: Server, wall_s: Callable[[], float] = time.time) -> None:
        self._server = server
        self._wall_s = wall_s
        self._known: OrderedDict[str, tuple[float, UserProfile]] = OrderedDict()

    def known(self, user_id: str) -> Profile | None:
        """Return a profile that was fetched recently, else None."""
        fetched_s, profile = self._known.get(user_id, (0.0, None))
        if profile is None or self._wall_s() - fetched_s > PROFILE_AGE_S:
            return None
        days = None if profile.created_s is None else int((self._wall_s() - profile.created_s) // DAY_S)
        return Profile(days, profile.games)

    def fetch(self, user_id: str) -> Profile | None:
        """Fetch a profile from the server. Return None if the request fails."""
        try:
            profile = self._server.user_profile(user_id)
        except NotFound:
            profile = UserProfile()
        except LichessError as error:
            log.info("challenger_not_known", user=user_id, error=str(error))
            return None
        self._known[user_id] = (self._wall_s(), profile)
        while len(self._known) > PROFILES_KEPT:
            self._known.popitem(last=False)
        return self.known(user_id)


class ChallengeJudge:
    """Judges challenges by the current settings; `judge` may wait for the disk."""

    def __init__(
        self,
        settings: Settings,
        slots: Slots,
        profiles: Profiles,
        *,
        recent_games: RecentGames = no_games,
        admission: Admission | None = None,
        listed: Listed = by_name_alone,
    ) -> None:
        self.settings = settings
        self.profiles = profiles
        self.open = True  # False: the bot is ending
        self._slots = slots
        self._recent_games = recent_games
        self._admission = admission or Admission()
        self._listed = listed

    def not_admitted(self, challenge: Challenge) -> Judgement | None:
        """Decline a challenge that no rule may accept now, else return None."""
        if not self.open:
            return Judgement(LATER, "ending")
        if self._admission.paused:
            return Judgement(LATER, "paused")
        return Judgement(GENERIC, "blocked") if challenge.challenger.id in self._admission.blocked else None

    def judge(self, challenge: Challenge, waiting: int, *, playable: bool = True) -> Judgement:
        """Judge a challenge. `waiting` counts the other challenges of the same user that wait already."""
        if (judgement := self.not_admitted(challenge)) is not None:
            return judgement
        user_id = challenge.challenger.id
        # a rematch proves that the game before it is over, even if we do not know that yet
        records = [one for one in self._slots.records() if one.game_id != challenge.rematch_of]
        running = sum(bool(user_id) and record.opponent_id == user_id for record in records)
        activity = OpponentActivity(running, waiting, lambda seconds: self._recent_games(user_id, seconds))
        profile = self.profiles.known(user_id) if user_id else Profile()
        return judge(challenge, self.settings, activity, playable=playable, profile=profile, listed=self._listed)
