"""BotLi's sections `challenge` and `matchmaking` in our words."""

from __future__ import annotations

import re
from typing import Any

from bot.migration import common
from bot.migration.common import VARIANTS, Values, put
from bot.migration.reader import Section

_LEAST = {"min_increment": "min_increment_s", "min_initial": "min_limit_s"}
_MOST = {"max_increment": "max_increment_s", "max_initial": "max_limit_s"}
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\+(\d+)")


def challenges(challenge: Section, target: Values) -> None:
    """Carry over which challenges are taken. Ours has one set of limits: what BotLi takes of both kinds of players."""
    kinds = [kind for kind in ("human", "bot") if kind in challenge]
    put(target, "challenges.opponents", kinds)
    sections = {kind: challenge.section(kind) for kind in kinds}
    lists: dict[str, list[list[str]]] = {"variants": [], "speeds": [], "modes": []}
    for section in sections.values():
        lists["variants"].append(common.variants(section, "variants"))
        lists["speeds"].append(common.speeds(section, "time_controls"))
        lists["modes"].append(section.texts("modes"))
    for name, found in lists.items():
        put(target, f"challenges.{name}", _common(challenge, name, found))
    for names, pick in ((_LEAST, max), (_MOST, min)):
        for theirs, ours in names.items():
            values = [value for section in sections.values() if (value := section.whole(theirs)) is not None]
            put(target, f"challenges.{ours}", pick(values) if values else None)
    for section in sections.values():
        section.drop("bullet_with_increment_only", "use challenges.min_increment_s", unless=False)
        section.drop("max_estimated_game_duration", "use challenges.max_limit_s and max_increment_s")
        section.close()
    challenge.close()


def _common(challenge: Section, name: str, found: list[list[str]]) -> list[str] | None:
    if not found:
        return None
    if any(words != found[0] for words in found):
        challenge.note("bot", f"people and bots have one list of {name} here: what both lists have was kept")
    return [word for word in found[0] if all(word in words for words in found)]


def matchmaking(section: Section, target: Values) -> None:
    """Carry matchmaking over, switched off: BotLi's begins when it is told to."""
    if section.keys():
        section.note("types", "matchmaking begins by itself here; switch it on with matchmaking.enabled")
    put(target, "matchmaking.idle_s", section.number("delay"))
    timeout = section.number("timeout")
    put(target, "matchmaking.cancel_after_s", max(5, timeout) if timeout is not None else None)
    section.drop("selection", "profiles are drawn by their weight", unless="weighted_random")
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
    kind.drop("multiplier", "pauses grow by themselves")
    for key in ("min_rating_diff", "target_rating_diff"):
        kind.drop(key, "use min_rating, max_rating and max_rating_difference", unless=0)
    kind.close()
    return profile
