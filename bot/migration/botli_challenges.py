"""BotLi's sections `challenge` and `matchmaking` in our words."""

from __future__ import annotations

import re
from typing import Any

from bot.migration import common
from bot.migration.common import VARIANTS, Values, put
from bot.migration.reader import Section

#: Theirs, ours, and the reason for what is beyond; limits of ours that begin with min_ are the least.
_LIMITS = (
    ("min_increment", "min_increment_s", "tooFast"),
    ("max_increment", "max_increment_s", "tooSlow"),
    ("min_initial", "min_limit_s", "tooFast"),
    ("max_initial", "max_limit_s", "tooSlow"),
)
_LISTS = (("variants", "variant"), ("speeds", "timeControl"))
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\+(\d+)")


def challenges(challenge: Section, target: Values) -> None:
    """Carry over which challenges are taken: keys for what holds for people and bots alike, rules for the rest."""
    kinds = [kind for kind in ("human", "bot") if kind in challenge]
    put(target, "challenges.opponents", kinds)
    wishes = {kind: _wishes(challenge.section(kind)) for kind in kinds}
    rules: list[Values] = []
    for name, reason in _LISTS:
        lists = {kind: wish[name] for kind, wish in wishes.items()}
        both = list(dict.fromkeys(word for words in lists.values() for word in words))
        put(target, f"challenges.{name}", both)
        rules += [
            {"opponents": kind, "unless": {name: words}, "decline": reason}
            for kind, words in lists.items()
            if set(words) != set(both)
        ]
    modes = {kind: wish["modes"] for kind, wish in wishes.items()}
    both = list(dict.fromkeys(mode for words in modes.values() for mode in words))
    put(target, "challenges.modes", both)
    for kind, words in modes.items():
        rules += [
            {"opponents": kind, "mode": mode, "decline": "casual" if mode == "rated" else "rated"}
            for mode in both
            if mode not in words
        ]
    put(target, "challenges.bullet_needs_increment", [kind for kind, wish in wishes.items() if wish["bullet"]] or None)
    for name, reason in [*((ours, reason) for _, ours, reason in _LIMITS), ("max_duration_s", "tooSlow")]:
        limits = {kind: wish[name] for kind, wish in wishes.items()}
        if len(set(limits.values())) == 1:
            put(target, f"challenges.{name}", next(iter(limits.values())))
        else:
            rules += [_beyond(kind, name, limit, reason) for kind, limit in limits.items() if limit is not None]
    put(target, "challenges.rules", rules or None)
    challenge.close()


def _beyond(kind: str, name: str, limit: int, reason: str) -> Values:
    """Return the rule that declines what is below a least, or above a most."""
    end, _, what = name.partition("_")
    beyond = {f"max_{what}": limit - 1} if end == "min" else {f"min_{what}": limit + 1}
    return {"opponents": kind, **beyond, "decline": reason}


def _wishes(section: Section) -> dict[str, Any]:
    """What is taken of one kind of opponent, under our names."""
    minutes = section.number("max_estimated_game_duration")
    found: dict[str, Any] = {
        "variants": common.variants(section, "variants"),
        "speeds": common.speeds(section, "time_controls"),
        "modes": section.texts("modes"),
        "bullet": section.flag("bullet_with_increment_only"),
        "max_duration_s": None if minutes is None else round(60 * minutes),
    }
    for theirs, ours, _ in _LIMITS:
        value = section.whole(theirs)
        found[ours] = value or None if ours.startswith("min_") else value  # no less than 0 is no limit
    section.close()
    return found


def matchmaking(section: Section, target: Values) -> None:
    """Carry matchmaking over, switched off: BotLi's begins when it is told to."""
    if section.keys():
        section.note("types", "matchmaking begins by itself here; switch it on with matchmaking.enabled")
    put(target, "matchmaking.idle_s", section.number("delay"))
    timeout = section.number("timeout")
    put(target, "matchmaking.cancel_after_s", max(5, timeout) if timeout is not None else None)
    selection = section.text("selection")
    put(target, "matchmaking.selection", selection if selection in ("cyclic", "sequential") else None)
    types = section.section("types")
    profiles = [_profile(types, name) for name in types.keys()]  # noqa: SIM118 -- a section is no mapping
    put(target, "matchmaking.profiles", [profile for profile in profiles if profile] or None)
    section.close()


def _profile(types: Section, name: str) -> dict[str, Any]:
    kind = types.section(name)
    clock = _CLOCK.fullmatch(kind.text("tc"))
    if clock is None:
        types.drop(name, "`tc` is no clock such as 3+2")
        return {}
    profile: dict[str, Any] = {"variant": VARIANTS.get((kind.text("variant") or "standard").lower(), "standard")}
    profile |= {"limit_s": round(60 * float(clock[1])), "increment_s": int(clock[2])}
    profile["mode"] = "rated" if kind.flag("rated", default=True) else "casual"
    profile |= {"weight": weight} if (weight := kind.whole("weight")) else {}
    difference = kind.whole("max_rating_diff")
    profile |= {} if difference is None else {"max_rating_difference": difference}
    profile |= {"min_rating_difference": least} if (least := kind.whole("min_rating_diff")) else {}
    profile["prefer"] = "near"
    kind.drop("target_rating_diff", "the bot rated most like us is asked first", unless=0)
    kind.drop("multiplier", "pauses grow by themselves")
    kind.close()
    return profile
