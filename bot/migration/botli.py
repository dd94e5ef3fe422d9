"""Convert BotLi's configuration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bot.migration.section import (
    SELECTIONS,
    VARIANTS,
    Section,
    Values,
    carry_chat,
    carry_tablebase,
    carry_token,
    clock_of,
    engine_options,
    located,
    online_order,
    put,
)
from bot.settings import SPEEDS

_CHAT = {
    "greeting": "greeting",
    "goodbye": "farewell",
    "greeting_spectators": "spectator_greeting",
    "goodbye_spectators": "spectator_farewell",
}


def convert(root: Section, folder: Path, *, with_token: bool) -> Values:
    """Return our configuration; relative paths start from `folder`. Notes are added through the sections."""
    target: Values = {}
    carry_token(root, target, with_token=with_token)
    challenge = root.section("challenge")
    put(target, "concurrency", challenge.whole("concurrency"))
    takebacks = challenge.whole("max_takebacks")
    human: Values = {"takebacks": takebacks} if takebacks else {}
    engines(root.section("engines"), target, folder)
    books(root.section("opening_books"), root.section("books"), target, folder)
    _tables(root, target, folder)
    online(root.section("online_moves"), root.section("opening_books"), target)
    _endings(root, target, human)
    put(target, "conduct.rules", [{"opponents": "human", **human}] if human else None)
    challenges(challenge, target)
    put(target, "challenges.allow", root.texts("whitelist") or None)
    block = root.users("blacklist", "online_blacklists")
    put(target, "challenges.block", block or None)
    matchmaking(root.section("matchmaking"), target)
    put(target, "matchmaking.block", block or None)
    carry_chat(root.section("messages"), target, _CHAT)
    root.close()
    return target


def _tables(root: Section, target: Values, folder: Path) -> None:
    syzygy = root.section("syzygy")
    for variant in syzygy:
        tables = syzygy.section(variant)
        if variant == "standard":
            carry_tablebase(tables, target, "syzygy", 7, folder)
            tables.drop("instant_play", "table moves are always played at once", unless=True)
        elif tables.flag("enabled"):
            syzygy.note(variant, "only tables of standard chess are read")
    carry_tablebase(root.section("gaviota"), target, "gaviota", 5, folder)


def _endings(root: Section, target: Values, human: Values) -> None:
    """Carry draws and resignations over; `human` receives what differs in games with people."""
    draw, resign = root.section("offer_draw"), root.section("resign")
    if "offer_draw" in root:
        enabled = draw.flag("enabled")
        put(target, "conduct.draw.offer", enabled)
        put(target, "conduct.draw.accept", enabled)
    put(target, "conduct.draw.min_move", draw.whole("min_game_length"))
    put(target, "conduct.resign.enabled", resign.flag("enabled"))
    for name, section in (("draw", draw), ("resign", resign)):
        put(target, f"conduct.{name}.score_cp", section.whole("score"))
        put(target, f"conduct.{name}.moves", section.whole("consecutive_moves"))
        if not section.flag("against_humans", default=True):
            human[name] = {"enabled": False} if name == "resign" else {"offer": False, "accept": False}
        section.drop("min_rating", f"a rule of conduct.rules with max_rating may change conduct.{name}")
        section.close()


_PLY = "max_ply limits how long a source is asked"
_REPEATS = "a move that repeats a position is played too"
STANDARD = ["standard", "chess960", "fromPosition"]
_SUFFIXES: dict[str, tuple[str, object]] = {
    "white": ("color", "white"),
    "black": ("color", "black"),
    "human": ("opponents", "human"),
    "bot": ("opponents", "bot"),
    "rated": ("mode", "rated"),
    "casual": ("mode", "casual"),
    "tournament": ("tournament", True),
}


def conditions(key: str) -> Values | None:
    """Return our conditions for a name such as `blitz_white_human`, None for an unknown name."""
    first, *suffixes = key.lower().split("_")
    speeds = {name.lower(): name for name in SPEEDS}
    found: Values
    if first == "standard":
        found = {"variants": STANDARD}
    elif first == "variants":
        found = {"variants": [name for name in VARIANTS.values() if name not in STANDARD]}
        found["variants"] = list(dict.fromkeys(found["variants"]))
    elif first in speeds:
        found = {"variants": STANDARD, "speeds": [speeds[first]]}
    elif first in VARIANTS:
        found = {"variants": [VARIANTS[first]]}
    elif (clock := clock_of(first)) is not None:
        found = {"variants": STANDARD, "speeds": [clock]}
    else:
        return None
    for suffix in suffixes:
        if suffix not in _SUFFIXES:
            return None
        name, value = _SUFFIXES[suffix]
        found[name] = value
    return found


def _weight(key: str) -> tuple[int, int]:
    """Sort key of names, the most specific first: more words first, then exact clocks, `standard` last."""
    first = key.lower().split("_")[0]
    return -key.count("_"), 2 * ("standard", "variants").count(first) + ("+" not in first)


def engines(section: Section, target: Values, folder: Path) -> None:
    """Carry over the engines, with a rule for each if there are several or one has limits."""
    entries, rules = [], []
    for key in sorted(section, key=_weight):
        wanted = conditions(key)
        if wanted is None:
            section.drop(key, "is not a known kind of game")
            continue
        engine = section.section(key)
        entries.append(_entry(engine, key, wanted["variants"], folder))
        entries[-1]["slots"] = target.get("concurrency", 1)
        limits = engine.section("limits")
        found = {"move_time_s": limits.number("time"), "depth": limits.whole("depth"), "nodes": limits.whole("nodes")}
        rules.append({**wanted, "engines": [key], "ponder": engine.flag("ponder")})
        rules[-1].update({name: value for name, value in found.items() if value})
        limits.close()
        engine.close()
    ponder = {rule["ponder"] for rule in rules}
    if len(ponder) == 1:
        put(target, "clock.ponder", ponder.pop())
        rules = [{name: value for name, value in rule.items() if name != "ponder"} for rule in rules]
    put(target, "engines", entries or None)
    if len(rules) > 1 or any({"move_time_s", "depth", "nodes"} & rule.keys() for rule in rules):
        put(target, "rules", rules)


def _entry(engine: Section, key: str, variants: list[str], folder: Path) -> Values:
    engine.drop("silence_stderr", "other output of engines goes to the log", unless=False)
    engine.drop("move_overhead_multiplier", "the overhead is measured in each game", unless=1.0)
    path = located(str(Path(engine.text("dir")) / engine.text("name")), folder)
    options = engine_options(engine.section("uci_options"))
    return {"name": key, "command": [path], "options": options, "working_dir": str(folder), "variants": variants}


def books(section: Section, files: Section, target: Values, folder: Path) -> None:
    """Carry over `opening_books`; `files` is the section with the books' paths by their names."""
    paths = {name: files.text(name) for name in files}
    lists = section.section("books")
    if not section.flag("enabled"):
        return
    section.whole("priority")  # see online()
    entries = []
    for key in sorted(lists, key=_weight):
        found = conditions(key)
        if found is None:
            lists.drop(key, "is not a known kind of game")
            continue
        entry = lists.section(key)
        selection, depth = SELECTIONS.get(entry.text("selection"), "weighted"), entry.whole("max_depth")
        limits = {**found, "max_ply": depth} if depth else found
        entry.drop("max_moves", _PLY, unless=0)
        entry.drop("allow_repetitions", _REPEATS, unless=True)
        for name in entry.texts("names"):
            if name in paths:
                entries.append({"path": located(paths[name], folder), "selection": selection, **limits})
            else:
                entry.note("names", f"{name!r} is not among `books`")
        entry.close()
    put(target, "move_sources.books", entries or None)
    section.close()


#: Their key, our key, and the reason to decline what is beyond the limit.
_LIMITS = (
    ("min_increment", "min_increment_s", "tooFast"),
    ("max_increment", "max_increment_s", "tooSlow"),
    ("min_initial", "min_limit_s", "tooFast"),
    ("max_initial", "max_limit_s", "tooSlow"),
)
_LISTS = (("variants", "variant"), ("speeds", "timeControl"))
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\+(\d+)")


def challenges(challenge: Section, target: Values) -> None:
    """Carry over which challenges are accepted: keys for common conditions of people and bots, rules for the rest."""
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
    """Return the rule that declines what is beyond a limit."""
    end, _, what = name.partition("_")
    beyond = {f"max_{what}": limit - 1} if end == "min" else {f"min_{what}": limit + 1}
    return {"opponents": kind, **beyond, "decline": reason}


def _wishes(section: Section) -> dict[str, Any]:
    """Return what is accepted from one kind of opponent, under our names."""
    minutes = section.number("max_estimated_game_duration")
    found: dict[str, Any] = {
        "variants": section.variants("variants"),
        "speeds": section.speeds("time_controls"),
        "modes": section.texts("modes"),
        "bullet": section.flag("bullet_with_increment_only"),
        "max_duration_s": None if minutes is None else round(60 * minutes),
    }
    for theirs, ours, _ in _LIMITS:
        value = section.whole(theirs)
        found[ours] = value or None if ours.startswith("min_") else value  # no less than 0 is not a limit
    section.close()
    return found


def matchmaking(section: Section, target: Values) -> None:
    """Carry matchmaking over, disabled: BotLi's starts on command."""
    if list(section):
        section.note("types", "matchmaking starts automatically; enable it with matchmaking.enabled")
    put(target, "matchmaking.idle_s", section.number("delay"))
    timeout = section.number("timeout")
    put(target, "matchmaking.cancel_after_s", max(5, timeout) if timeout is not None else None)
    selection = section.text("selection")
    put(target, "matchmaking.selection", selection if selection in ("cyclic", "sequential") else None)
    types = section.section("types")
    profiles = [_profile(types, name) for name in types]
    put(target, "matchmaking.profiles", [profile for profile in profiles if profile] or None)
    section.close()


def _profile(types: Section, name: str) -> dict[str, Any]:
    kind = types.section(name)
    clock = _CLOCK.fullmatch(kind.text("tc"))
    if clock is None:
        types.drop(name, "`tc` is not a clock such as 3+2")
        return {}
    profile: dict[str, Any] = {"variant": VARIANTS.get((kind.text("variant") or "standard").lower(), "standard")}
    profile |= {"limit_s": round(60 * float(clock[1])), "increment_s": int(clock[2])}
    profile["mode"] = "rated" if kind.flag("rated", default=True) else "casual"
    profile |= {"weight": weight} if (weight := kind.whole("weight")) else {}
    difference = kind.whole("max_rating_diff")
    profile |= {} if difference is None else {"max_rating_difference": difference}
    profile |= {"min_rating_difference": least} if (least := kind.whole("min_rating_diff")) else {}
    profile["prefer"] = "near"
    kind.drop("target_rating_diff", "the bot with the nearest rating is asked first", unless=0)
    kind.drop("multiplier", "pauses grow automatically")
    kind.close()
    return profile


_PRIORITIES = {"explorer": 300, "cloud": 200, "chessdb": 100}  # their defaults
_BOOK_PRIORITY = 400


def online(online: Section, books: Section, target: Values) -> None:
    """Carry over the enabled online sources, and their order by priority."""
    sections = {
        "explorer": online.section("opening_explorer"),
        "cloud": online.section("lichess_cloud"),
        "chessdb": online.section("chessdb"),
        "tablebase": online.section("online_egtb"),
    }
    found = {kind: section for kind, section in sections.items() if section.flag("enabled")}
    for kind, section in found.items():
        put(target, f"move_sources.online.{kind}.enabled", True)
        if kind == "explorer":
            _explorer(section, target)
        if kind == "cloud":
            put(target, "move_sources.online.cloud.min_depth", section.whole("min_eval_depth"))
        if kind != "tablebase":
            _opening(section, target, kind)
        section.drop("best_move", "the best move is always played", unless=True)
    times = {"reserve_s": "min_time", "budget_s": "timeout"}
    for ours, theirs in times.items():
        longest = max((section.number(theirs) or 0 for section in found.values()), default=0)
        put(target, f"move_sources.online.{ours}", longest or None)
    priorities = {kind: sections[kind].whole("priority") or usual for kind, usual in _PRIORITIES.items()}
    put(
        target,
        "move_sources.order",
        online_order({"book": books.whole("priority") or _BOOK_PRIORITY, **priorities}),
    )
    for section in found.values():
        section.close()
    online.close()


def _explorer(section: Section, target: Values) -> None:
    place, player = "move_sources.online.explorer", section.text("player")
    against, by_performance = section.flag("anti"), section.text("selection") != "win_rate"
    database = "opponent" if against else "masters" if player == "masters" else "player"
    put(target, f"{place}.database", database)
    put(target, f"{place}.player", player or None if database == "player" else None)
    put(target, f"{place}.sort", "performance" if by_performance and database == "player" else "score")
    put(target, f"{place}.min_games", section.whole("min_games"))
    section.drop("only_with_wins", "the score counts wins", unless=False)


def _opening(section: Section, target: Values, kind: str) -> None:
    """Carry over the common keys of opening sources, except times and priorities."""
    put(target, f"move_sources.online.{kind}.max_ply", section.whole("max_depth"))
    section.drop("max_moves", _PLY, unless=0)
    section.drop("allow_repetitions", _REPEATS, unless=True)
    section.flag("use_for_variants")  # each source is asked for what it knows
    section.drop("only_without_book", "move_sources.order decides whether the book is asked first", unless=False)
    section.drop("trust_eval", "draws and resignations depend on the engine's scores and on tables", unless=False)
