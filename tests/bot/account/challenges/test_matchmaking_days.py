"""Ten simulated days of matchmaking with its store, restarted every day, with every key of the profiles."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.account.challenges.matchmaking import (
    ASKED_AGAIN_S,
    COOL_DOWNS_S,
    DAY_S,
    Activity,
    Matchmaker,
    Proposal,
    declined_kind,
    kinds_of,
)
from bot.archive.store import Store
from bot.lichess.values import OnlineBot
from bot.settings import MatchmakingSettings
from tests.helpers.finished_games import is_written

NOW_S = 1e9
STEP_S = 300.0
LIMIT = 20
MINE = {"bullet": 2000, "blitz": 1900, "atomic": 1800}
PROFILES = [
    {"limit_s": 60, "increment_s": 0, "mode": "rated", "weight": 3, "max_rating_difference": 300, "prefer": "near"},
    {"limit_s": 180, "increment_s": 2, "min_rating": 1500, "max_rating": 2500, "prefer": "high"},
    {"limit_s": 180, "increment_s": 0, "variant": "atomic", "min_rating_difference": 100, "prefer": "low"},
]
BOTS = [
    OnlineBot(name, name, {"bullet": bullet, "blitz": blitz, "atomic": atomic})
    for name, bullet, blitz, atomic in (
        ("me", 2000, 1900, 1800),
        ("foe", 2000, 1900, 1500),
        ("accepts", 2050, 1950, 1750),  # atomic: too near
        ("slow", 1990, 2400, 1500),
        ("casual", 1800, 1600, 1900),
        ("standard", 2300, 1500, 2400),
        ("vanishes", 2001, 2500, 1200),
        ("weak", 1000, 1499, 1701),  # fits no profile
        ("moody", 2100, 2000, 1700),
    )
]


def answer(proposal: Proposal, rng: random.Random) -> str:
    """Return the answer of a bot: "" to accept, else the reason to decline; "later" if it never answers."""
    profile = proposal.profile
    always = {"accepts": "", "slow": "toofast" if profile.speed == "bullet" else "", "vanishes": "later"}
    always |= {"casual": "casual" if profile.mode == "rated" else ""}
    always |= {"standard": "standard" if profile.variant != "standard" else ""}
    return always.get(proposal.bot.id, rng.choice(["", "later", "timecontrol", "nobot", "rated"]))


@dataclass
class Witness:
    """Checks every challenge against the answers before it; times in epoch seconds."""

    asked_s: dict[str, float] = field(default_factory=dict)
    declines: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    begun_s: list[float] = field(default_factory=list)
    used: Counter[str] = field(default_factory=Counter)

    def check(self, proposal: Proposal, now_s: float) -> None:
        """Check a challenge that is about to be sent."""
        bot, profile = proposal.bot, proposal.profile
        assert bot.id not in ("me", "foe", "weak")
        theirs, apart = bot.ratings[profile.perf], abs(bot.ratings[profile.perf] - MINE[profile.perf])
        assert (profile.min_rating or 0) <= theirs <= (profile.max_rating or 4000)
        assert (profile.min_rating_difference or 0) <= apart <= (profile.max_rating_difference or 4000)
        assert now_s - self.asked_s.get(bot.id, 0.0) >= ASKED_AGAIN_S
        for kind in kinds_of(profile):
            times, last_s = self.declines.get((bot.id, kind), (0, 0.0))
            if times:
                assert now_s - last_s >= min(COOL_DOWNS_S[0] * 2.0 ** (times - 1), COOL_DOWNS_S[1])
        assert sum(now_s - DAY_S < begun_s for begun_s in self.begun_s) < LIMIT
        self.asked_s[bot.id] = now_s
        self.used[profile.perf] += 1

    def note(self, proposal: Proposal, reason: str, now_s: float) -> None:
        """Note the answer. A game cancels all earlier declines."""
        if reason:
            key = proposal.bot.id, declined_kind(proposal.profile, reason)
            self.declines[key] = self.declines.get(key, (0, 0.0))[0] + 1, now_s
        else:
            self.begun_s.append(now_s)
            self.declines = {key: value for key, value in self.declines.items() if key[0] != proposal.bot.id}


@pytest.mark.parametrize("selection", ["weighted", "cyclic", "sequential"])
def test_ten_days_on_the_store(tmp_path: Path, selection: str) -> None:
    content: dict[str, Any] = {"enabled": True, "profiles": PROFILES, "selection": selection}
    settings = MatchmakingSettings.model_validate(content | {"games_per_day": LIMIT, "block": ["Foe"]})
    witness, rng = Witness(), random.Random(88)
    for day in range(10):
        store = Store(tmp_path / "store.sqlite3")
        matchmaker = Matchmaker(settings, "me", store, rng)
        for step in range(int(DAY_S / STEP_S)):
            now_s = NOW_S + day * DAY_S + step * STEP_S
            if not matchmaker.wants_challenge(Activity(now_s, idle_s=1e6, free_slots=1)):
                continue
            proposal = matchmaker.choose(BOTS, MINE, now_s)
            if proposal is None:
                continue
            witness.check(proposal, now_s)
            reason = answer(proposal, rng)
            matchmaker.asked(proposal, now_s)
            if reason:
                matchmaker.declined(proposal, reason, now_s)
            else:
                matchmaker.accepted(proposal, now_s)
                matchmaker.bot_games.add(f"game{len(witness.begun_s):04}", now_s)
            witness.note(proposal, reason, now_s)
            assert is_written(store, 60.0)
        store.close()
    assert len(witness.begun_s) == 10 * LIMIT
    expected = {"bullet"} if selection == "sequential" else {"bullet", "blitz", "atomic"}  # one always takes bullet
    assert set(witness.used) == expected
    assert any(times > 3 for times, _ in witness.declines.values())
