"""BotLi's section `online_moves` in our words."""

from __future__ import annotations

from bot.migration import common
from bot.migration.common import Values, put
from bot.migration.reader import Section

_PRIORITIES = {"explorer": 300, "cloud": 200, "chessdb": 100}  # theirs, where none is given
_BOOK_PRIORITY = 400


def online(online: Section, books: Section, target: Values) -> None:
    """Carry over the online sources that are enabled, and the order that the priorities make."""
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
        section.drop("best_move", "always the best move", unless=True)
    times = {"reserve_s": "min_time", "budget_s": "timeout"}
    for ours, theirs in times.items():
        longest = max((section.number(theirs) or 0 for section in found.values()), default=0)
        put(target, f"move_sources.online.{ours}", longest or None)
    priorities = {kind: sections[kind].whole("priority") or usual for kind, usual in _PRIORITIES.items()}
    put(
        target,
        "move_sources.order",
        common.online_order({"book": books.whole("priority") or _BOOK_PRIORITY, **priorities}),
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
    put(target, f"{place}.only_with_wins", section.flag("only_with_wins"))


def _opening(section: Section, target: Values, kind: str) -> None:
    """Carry over what the sources for openings have in common; times and priorities are put together elsewhere."""
    put(target, f"move_sources.online.{kind}.max_ply", section.whole("max_depth"))
    put(target, f"move_sources.online.{kind}.max_moves", section.whole("max_moves"))
    put(target, f"move_sources.online.{kind}.allow_repetitions", section.flag("allow_repetitions"))
    section.flag("use_for_variants")  # each source is asked for what it knows
    section.drop("only_without_book", "a book that comes first in move_sources.order is asked first", unless=False)
    section.drop("trust_eval", "draws and resignations go by the engine's scores and by tables", unless=False)
