"""BotLi's configuration in our words."""

from __future__ import annotations

from pathlib import Path

from bot.migration import botli_games, botli_online, common
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
    takebacks = challenge.whole("max_takebacks")
    put(target, "conduct.rules", [{"opponents": "human", "takebacks": takebacks}] if takebacks else None)
    botli_games.engines(root.section("engines"), target, folder)
    botli_games.books(root.section("opening_books"), root.section("books"), target, folder)
    _tables(root, target, folder)
    botli_online.online(root.section("online_moves"), root.section("opening_books"), target)
    _endings(root, target)
    challenges(challenge, target)
    put(target, "challenges.allow", root.texts("whitelist") or None)
    block = common.users(root, "blacklist", "online_blacklists")
    put(target, "challenges.block", block or None)
    matchmaking(root.section("matchmaking"), target)
    put(target, "matchmaking.block", block or None)
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
