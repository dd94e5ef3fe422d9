"""lichess-bot's sections `challenge` and `matchmaking` in our words."""

from __future__ import annotations

import itertools
from typing import Any

from bot.migration import common
from bot.migration.common import VARIANTS, Values, put
from bot.migration.reader import Section

_LIMITS = {
    "min_increment": "min_increment_s",
    "max_increment": "max_increment_s",
    "min_base": "min_limit_s",
    "max_base": "max_limit_s",
    "min_rating": "min_rating",
    "max_rating": "max_rating",
    "min_days": "min_days",
    "games_reserved_for_humans": "reserved_for_humans",
    "max_simultaneous_games_per_user": "games_per_opponent",
}


def challenges(challenge: Section, target: Values) -> None:
    """Carry over which challenges are taken; the caller closes the section."""
    for theirs, ours in _LIMITS.items():
        put(target, f"challenges.{ours}", challenge.whole(theirs))
    days = challenge.number("max_days")
    unlimited = days is None or days == float("inf")
    put(target, "challenges.unlimited", unlimited)
    put(target, "challenges.max_days", 14 if unlimited or days is None else int(days))
    put(target, "challenges.variants", common.variants(challenge, "variants") or None)
    put(target, "challenges.speeds", common.speeds(challenge, "time_controls") or None)
    put(target, "challenges.modes", challenge.texts("modes") or None)
    bots, people = challenge.flag("accept_bot"), not challenge.flag("only_bot")
    put(target, "challenges.opponents", ["human"] * people + ["bot"] * bots)
    put(target, "challenges.block", common.users(challenge, "block_list", "online_block_list") or None)
    put(target, "challenges.only", challenge.texts("allow_list") or None)
    put(target, "challenges.order", _order(challenge))
    difference = challenge.whole("rating_difference")
    if difference is not None:  # it overrides the two limits there
        put(target, "challenges.max_rating_difference", difference)
        for name in ("min_rating", "max_rating"):
            target["challenges"].pop(name, None)
    put(target, "challenges.bullet_needs_increment", ["bot"] if challenge.flag("bullet_requires_increment") else None)
    age_s, most = challenge.whole("recent_bot_challenge_age"), challenge.whole("max_recent_bot_challenges")
    if age_s is not None and most is not None:
        rule = {"opponents": "bot", "min_recent_games": most, "recent_s": float(age_s), "decline": "later"}
        put(target, "challenges.rules", [rule])


def _order(challenge: Section) -> list[str]:
    """Ours has no points for titles and rated games beside the rating: they would come before it, or after it."""
    order, preference = challenge.text("sort_by") or "best", challenge.text("preference") or "none"
    first = {"human": ["humans_first"], "bot": ["bots_first"]}.get(preference, [])
    return [*first, "rating"] if order == "best" else first or ["arrival"]


def matchmaking(section: Section, challenge: Section, target: Values) -> None:
    """Carry matchmaking over: one profile for each combination of what theirs draws by chance."""
    put(target, "matchmaking.enabled", section.flag("allow_matchmaking"))
    minutes = section.number("challenge_timeout")
    put(target, "matchmaking.idle_s", 60 * max(1, minutes) if minutes is not None else None)
    block = common.users(section, "block_list", "online_block_list")
    if section.flag("include_challenge_block_list"):
        block += common.users(challenge, "block_list", "online_block_list")
    put(target, "matchmaking.block", list(dict.fromkeys(block)) or None)
    put(target, "matchmaking.during_games", section.flag("allow_during_games"))
    if section.text("challenge_filter") in ("", "none"):
        section.drop("challenge_filter", "declines are always remembered, by kind of game")
    section.drop("challenge_decliner_file_name", "declines are remembered in `store`")
    base = _wishes(section)
    overrides = section.section("overrides")
    wishes = [base]
    for name in overrides.keys():  # noqa: SIM118 -- a section is no mapping
        override = overrides.section(name)
        wishes.append({**base, **{key: value for key, value in _wishes(override).items() if override.has(key)}})
        override.close()
    enabled_variants = target["challenges"].get("variants") or ["standard"]
    profiles = [profile for wish in wishes for profile in _profiles(wish, enabled_variants)]
    put(target, "matchmaking.profiles", profiles or None)
    section.close()


def _wishes(section: Section) -> dict[str, Any]:
    """What is asked for, under lichess-bot's names."""
    return {
        "challenge_variant": section.text("challenge_variant"),
        "challenge_initial_time": section.items("challenge_initial_time"),
        "challenge_increment": section.items("challenge_increment"),
        "challenge_days": section.items("challenge_days"),
        "challenge_mode": section.text("challenge_mode"),
        "opponent_min_rating": section.whole("opponent_min_rating"),
        "opponent_max_rating": section.whole("opponent_max_rating"),
        "rating_preference": section.text("rating_preference"),
        "opponent_rating_difference": section.whole("opponent_rating_difference"),
    }


def _profiles(wish: dict[str, Any], enabled: list[str]) -> list[Values]:
    variant = VARIANTS.get((wish["challenge_variant"] or "random").lower())
    variants = [variant] if variant else [name for name in enabled if name != "fromPosition"]
    modes = [wish["challenge_mode"]] if wish["challenge_mode"] in ("casual", "rated") else ["casual", "rated"]
    limits = {
        "min_rating": wish["opponent_min_rating"],
        "max_rating": wish["opponent_max_rating"],
        "max_rating_difference": wish["opponent_rating_difference"],
        "prefer": wish["rating_preference"] if wish["rating_preference"] in ("high", "low") else None,
    }
    clocks = itertools.product(wish["challenge_initial_time"], wish["challenge_increment"])
    paces = [{"limit_s": limit, "increment_s": increment} for limit, increment in clocks if limit or increment]
    paces += [{"days": days} for days in wish["challenge_days"]]
    bounds = {key: value for key, value in limits.items() if value is not None}
    return [
        {"variant": variant, **pace, "mode": mode, **bounds}
        for variant, pace, mode in itertools.product(variants, paces, modes)
    ]
