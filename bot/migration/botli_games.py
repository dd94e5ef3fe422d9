"""BotLi's names for kinds of games, such as `blitz_white_human`, and the engines and books that go by them."""

from __future__ import annotations

from pathlib import Path

from bot.migration import common
from bot.migration.common import SELECTIONS, VARIANTS, Values, located, put
from bot.migration.reader import Section
from bot.settings import SPEEDS

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
    """Return the conditions that a name stands for, in our words; None for what cannot be told apart here."""
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
    elif (clock := common.clock_of(first)) is not None:
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
    """Order names from the particular to the general: more words first, then exact clocks, `standard` last."""
    first = key.lower().split("_")[0]
    return -key.count("_"), 2 * ("standard", "variants").count(first) + ("+" not in first)


def engines(section: Section, target: Values, folder: Path) -> None:
    """Carry over the engines, and a rule for each where there are several or one has limits."""
    entries, rules = [], []
    for key in sorted(section.keys(), key=_weight):
        wanted = conditions(key)
        if wanted is None:
            section.drop(key, "names no kind of game that is known here")
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
    engine.drop("silence_stderr", "what engines say besides UCI goes to the log", unless=False)
    engine.drop("move_overhead_multiplier", "the overhead is measured in each game", unless=1.0)
    path = located(str(Path(engine.text("dir")) / engine.text("name")), folder)
    options = common.engine_options(engine.section("uci_options"))
    return {"name": key, "command": [path], "options": options, "working_dir": str(folder), "variants": variants}


def books(section: Section, files: Section, target: Values, folder: Path) -> None:
    """Carry over `opening_books`; `files` is the section with the books' paths by their names."""
    paths = {name: files.text(name) for name in files.keys()}  # noqa: SIM118 -- a section is no mapping
    lists = section.section("books")
    if not section.flag("enabled"):
        return
    section.whole("priority")  # see botli_online
    entries = []
    for key in sorted(lists.keys(), key=_weight):
        found = conditions(key)
        if found is None:
            lists.drop(key, "names no kind of game that is known here")
            continue
        entry = lists.section(key)
        selection, depth = SELECTIONS.get(entry.text("selection"), "weighted"), entry.whole("max_depth")
        limits = {**found, "max_ply": depth} if depth else found
        if (moves := entry.whole("max_moves")) is not None:
            limits["max_moves"] = moves
        repeats = {"allow_repetitions": entry.flag("allow_repetitions", default=True)}
        for name in entry.texts("names"):
            if name in paths:
                entries.append({"path": located(paths[name], folder), "selection": selection, **limits, **repeats})
            else:
                entry.note("names", f"{name!r} is not among `books`")
        entry.close()
    put(target, "move_sources.books", entries or None)
    section.close()
