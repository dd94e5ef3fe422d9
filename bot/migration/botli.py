"""BotLi's configuration in our words."""

from __future__ import annotations

from pathlib import Path

from bot.migration import botli_games, common
from bot.migration.botli_challenges import challenges, matchmaking
from bot.migration.common import Values, put
from bot.migration.reader import Section

_CHAT = {
    "greeting": "greeting",
    "goodbye": "farewell",
    "greeting_spectators": "spectator_greeting",
    "goodbye_spectators": "spectator_farewell",
}


def convert(root: Section, folder: Path, *, with_token: bool) -> Values:
    """Return our configuration; paths in theirs start from `folder`. Notes are the sections'."""
    target: Values = {}
    common.token(root, target, with_token=with_token)
    challenge = root.section("challenge")
    put(target, "concurrency", challenge.whole("concurrency"))
    put(target, "conduct.takebacks", challenge.whole("max_takebacks"))
    botli_games.engines(root.section("engines"), target, folder)
    botli_games.books(root.section("opening_books"), root.section("books"), target, folder)
    _tables(root, target, folder)
    _online(root.section("online_moves"), target)
    _endings(root, target)
    challenges(challenge, target)
    root.drop("whitelist", "nobody's challenges are taken regardless of the other rules")
    put(target, "challenges.block", root.texts("blacklist") or None)
    matchmaking(root.section("matchmaking"), target)
    put(target, "matchmaking.block", root.texts("blacklist") or None)
    root.drop("online_blacklists", "lists are not fetched; write the names under challenges.block")
    common.chat(root.section("messages"), target, _CHAT)
    root.close()
    return target


def _tables(root: Section, target: Values, folder: Path) -> None:
    syzygy = root.section("syzygy")
    for variant in syzygy.keys():  # noqa: SIM118 -- a section is no mapping
        tables = syzygy.section(variant)
        if variant == "standard":
            common.tablebase(tables, target, "syzygy", 7, folder)
            tables.drop("instant_play", "a table move is always played at once", unless=True)
        elif tables.flag("enabled"):
            syzygy.note(variant, "only tables of standard chess are read")
    common.tablebase(root.section("gaviota"), target, "gaviota", 5, folder)


def _online(online: Section, target: Values) -> None:
    explorer, cloud = online.section("opening_explorer"), online.section("lichess_cloud")
    tables, chessdb = online.section("online_egtb"), online.section("chessdb")
    found = []
    if explorer.flag("enabled") and explorer.text("player") != "masters":
        online.note("opening_explorer", "games of one player are not asked for; this source stays off")
    elif explorer.flag("enabled"):
        put(target, "move_sources.online.explorer.database", "masters")
        put(target, "move_sources.online.explorer.min_games", explorer.whole("min_games"))
        put(target, "move_sources.online.explorer.only_with_wins", explorer.flag("only_with_wins"))
        found.append(("explorer", explorer))
    if cloud.flag("enabled"):
        put(target, "move_sources.online.cloud.min_depth", cloud.whole("min_eval_depth"))
        found.append(("cloud", cloud))
    if chessdb.flag("enabled"):
        chessdb.drop("best_move", "always the best move", unless=True)
        found.append(("chessdb", chessdb))
    if tables.flag("enabled"):
        found.append(("tablebase", tables))
    for kind, section in found:
        _source(section, target, kind)
    put(
        target,
        "move_sources.online.reserve_s",
        max((section.number("min_time") or 0 for _, section in found), default=0) or None,
    )
    put(
        target,
        "move_sources.online.budget_s",
        max((section.number("timeout") or 0 for _, section in found), default=0) or None,
    )
    online.close()


def _source(section: Section, target: Values, kind: str) -> None:
    """Carry over what the sources have in common; what they share here (times) is put together by the caller."""
    put(target, f"move_sources.online.{kind}.enabled", True)
    if kind != "tablebase":
        put(target, f"move_sources.online.{kind}.max_ply", section.whole("max_depth"))
    section.text("player")
    section.number("min_time")
    section.number("timeout")
    section.drop("priority", "sources are asked in move_sources.order")
    for key in ("only_without_book", "use_for_variants", "anti", "trust_eval"):
        section.drop(key, unless=False)
    section.close()


def _endings(root: Section, target: Values) -> None:
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
            put(target, f"conduct.{name}.opponents", ["bot"])
        put(target, f"conduct.{name}.min_rating", section.whole("min_rating"))
        section.close()
