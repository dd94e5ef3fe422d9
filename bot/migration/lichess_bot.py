"""Convert lichess-bot's configuration."""

from __future__ import annotations

import itertools
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
    engine_options,
    located,
    put,
)
from bot.settings import EngineEntry

HOMEMADE = "homemade.py"  # where lichess-bot looks for classes
FAKE_THINKING = 0.025  # of the clock, as there

_CHAT = {
    "hello": "greeting",
    "goodbye": "farewell",
    "hello_spectators": "spectator_greeting",
    "goodbye_spectators": "spectator_farewell",
}


def convert(root: Section, folder: Path, *, with_token: bool) -> Values:
    """Return our configuration; relative paths start from `folder`. Notes are added through the sections."""
    target: Values = {}
    carry_token(root, target, with_token=with_token)
    put(target, "lichess.url", root.text("url") or None)
    challenge = root.section("challenge")
    put(target, "concurrency", challenge.whole("concurrency"))
    _engine(root.section("engine"), target, folder)
    challenges(challenge, target)
    _engine_plays(target)
    _game(root, target)
    carry_chat(root.section("greeting"), target, _CHAT)
    directory = root.text("pgn_directory")
    put(target, "pgn_folder", located(directory, folder) if directory else None)
    put(target, "pgn.group", root.text("pgn_file_grouping") or ("game" if directory else None))
    matchmaking(root.section("matchmaking"), challenge, target)
    challenge.close()
    root.close()
    return target


def _engine_plays(target: Values) -> None:
    """Let the engine play all accepted variants; lichess-bot does not ask which ones it supports."""
    for entry in target.get("engines", [])[:1]:
        usual, taken = EngineEntry.model_validate(entry).variants, target["challenges"].get("variants", [])
        if not set(taken) <= set(usual):
            entry["variants"] = list(dict.fromkeys((*usual, *taken)))


def _game(root: Section, target: Values) -> None:
    put(target, "conduct.abort_after_s", root.number("abort_time"))
    put(target, "conduct.takebacks", root.whole("max_takebacks_accepted"))
    if "quit_after_all_games_finish" in root:
        put(target, "shutdown.games", "finish" if root.flag("quit_after_all_games_finish") else "leave")
    put(target, "clock.min_move_share", FAKE_THINKING if root.flag("fake_think_time") else None)
    root.drop("rate_limiting_delay", "the bot respects Lichess's limits anyway", unless=0)
    root.drop("move_overhead", "is measured in each game; clock.min_overhead_ms is its minimum")
    correspondence = root.section("correspondence")
    put(target, "correspondence.think_s", correspondence.number("move_time"))
    put(target, "correspondence.disconnect_after_s", correspondence.number("disconnect_time"))
    put(target, "correspondence.ponder", correspondence.flag("ponder"))
    period = correspondence.number("checkin_period")
    if period and period > 60:
        correspondence.note("checkin_period", "is at most 60 s")
    put(target, "correspondence.check_in_every_s", min(period, 60) if period else None)
    correspondence.close()


def _engine(engine: Section, target: Values, folder: Path) -> None:
    put(target, "clock.ponder", engine.flag("ponder"))
    _process(engine, target, folder)
    _book(engine.section("polyglot"), target, folder)
    _draw_or_resign(engine.section("draw_or_resign"), target)
    _online(engine.section("online_moves"), target)
    tables = engine.section("lichess_bot_tbs")
    for kind, most in (("syzygy", 7), ("gaviota", 5)):
        section = tables.section(kind)
        carry_tablebase(section, target, kind, most, folder)
        if section.flag("enabled"):
            section.drop("move_quality", "table moves are played, not suggested", unless="best")
            section.drop("min_dtm_to_consider_as_wdl_1", "the fifty-move rule is checked in each position")
    tables.close()
    engine.close()


def _process(engine: Section, target: Values, folder: Path) -> None:
    name, directory, interpreter = engine.text("name"), engine.text("dir"), engine.text("interpreter")
    protocol = engine.text("protocol") or "uci"
    words = [interpreter, *engine.texts("interpreter_options")] if interpreter else []
    words.append(located(str(Path(directory) / name), folder))
    words += [f"--{key}={value}" for key, value in engine.section("engine_options").plain().items()]
    working_dir = located(engine.text("working_dir") or ".", folder)
    uci = engine.section("uci_options")
    limits = uci.section("go_commands")
    options = engine_options(uci)
    engine.drop("debug", "use log.level: debug", unless=False)
    engine.drop("silence_stderr", "other output of engines goes to the log", unless=False)
    if protocol not in ("uci", "homemade") or not name:
        engine.note("protocol" if name else "name", "only UCI and homemade engines can be run; engine88 plays instead")
        engine.drop("homemade_options")
        engine.drop("xboard_options", "only UCI engines can be run")
        return
    entry: Values = {"name": name, "command": words, "options": options, "working_dir": working_dir}
    if protocol == "homemade":
        entry = {"name": name, "python": f"{located(HOMEMADE, folder)}:{name}", "working_dir": working_dir}
        engine.drop("homemade_options", "set them in the class")
    for other in ("homemade_options", "xboard_options"):
        engine.section(other)  # of other protocols
    put(target, "engines", [{**entry, "slots": target.get("concurrency", 1)}])
    move_time_ms = limits.number("movetime")
    found = {"depth": limits.whole("depth"), "nodes": limits.whole("nodes")}
    found["move_time_s"] = move_time_ms / 1000 if move_time_ms else None  # type: ignore[assignment]  # seconds
    limits.close()
    rule = {key: value for key, value in found.items() if value}
    put(target, "rules", [{"engines": [name], **rule}] if rule else None)


def _book(polyglot: Section, target: Values, folder: Path) -> None:
    books = polyglot.section("book")
    depth, weight, selection = polyglot.whole("max_depth"), polyglot.whole("min_weight"), polyglot.text("selection")
    if not polyglot.flag("enabled"):
        return
    normalization = polyglot.text("normalization")
    if normalization == "sum":
        polyglot.note("normalization", "min_weight becomes a share of the heaviest move, as with `max`")
    entries: list[Values] = []
    for variant in books:
        if variant.lower() not in VARIANTS:
            books.drop(variant, "is not a variant")
            continue
        for path in books.texts(variant):
            entry = {"path": located(path, folder), "variants": [VARIANTS[variant.lower()]]}
            limits: Values = {"min_weight": weight, "max_ply": 2 * depth if depth else None}
            if normalization in ("max", "sum"):  # normalised weights are percentages
                limits |= {"min_weight": None, "min_share": min(1.0, (weight or 0) / 100)}
            entries.append({**entry, "selection": SELECTIONS.get(selection, "weighted")})
            entries[-1].update({key: value for key, value in limits.items() if value is not None})
    put(target, "move_sources.books", entries)
    books.close()
    polyglot.close()


def _draw_or_resign(section: Section, target: Values) -> None:
    put(target, "conduct.resign.enabled", section.flag("resign_enabled"))
    put(target, "conduct.resign.score_cp", section.whole("resign_score"))
    put(target, "conduct.resign.moves", section.whole("resign_moves"))
    draws = section.flag("offer_draw_enabled")
    put(target, "conduct.draw.offer", draws)
    put(target, "conduct.draw.accept", draws)
    put(target, "conduct.draw.score_cp", section.whole("offer_draw_score"))
    put(target, "conduct.draw.moves", section.whole("offer_draw_moves"))
    pieces = section.whole("offer_draw_pieces")
    put(target, "conduct.draw.max_pieces", min(32, max(2, pieces)) if pieces else None)
    for key in ("resign_for_egtb_minus_two", "offer_draw_for_egtb_zero"):
        section.drop(key, "a tablebase's result always counts", unless=True)
    section.close()


def _online(online: Section, target: Values) -> None:
    chessdb = online.section("chessdb_book")
    depth, misses = online.whole("max_depth"), online.whole("max_out_of_book_moves")
    put(target, "move_sources.online.max_misses", misses or None)
    online.drop("max_retries", "an online source is asked once per move")
    reserves = [
        _online_source(online.section("lichess_cloud_analysis"), target, "cloud", depth),
        _online_source(online.section("lichess_opening_explorer"), target, "explorer", depth),
        _online_source(chessdb, target, "chessdb", depth),
        _online_source(online.section("online_egtb"), target, "tablebase", None),
    ]
    put(target, "move_sources.online.reserve_s", max(reserves) or None)
    online.close()


def _online_source(section: Section, target: Values, kind: str, depth: int | None) -> float:
    """Carry one source over; return the time it must leave on the clock, 0 if it is not enabled."""
    if not section.flag("enabled"):
        return 0.0
    source, place = section.text("source") or "lichess", f"move_sources.online.{kind}"
    if kind == "tablebase" and source != "lichess":
        section.note("source", f"{source!r} is not supported; this source stays disabled")
        return 0.0
    put(target, f"{place}.enabled", True)
    put(target, f"{place}.max_ply", 2 * depth if depth else None)
    if kind == "cloud":
        put(target, f"{place}.min_depth", section.whole("min_depth"))
        section.drop("min_knodes", "min_depth decides", unless=0)
    if kind == "chessdb":
        put(target, f"{place}.min_depth", section.whole("min_depth"))
    if kind == "explorer":
        put(target, f"{place}.database", source)
        put(target, f"{place}.player", section.text("player_name") or None if source == "player" else None)
        put(target, f"{place}.sort", "games" if section.text("sort") == "games_played" else "score")
        put(target, f"{place}.min_games", section.whole("min_games"))
    if kind == "tablebase":
        put(target, f"{place}.max_pieces", min(section.whole("max_pieces") or 7, 8))
    section.drop("move_quality", "the best move is played", unless="best")
    section.drop("max_score_difference", "is for move_quality: good; the best move is played", unless=50)
    section.drop("max_time", "sources are asked regardless of the initial time", unless=10_800)
    section.text("player_name")
    reserve = section.number("min_time") or 0.0
    section.close()
    return reserve


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
    """Carry over which challenges are accepted; the caller closes the section."""
    for theirs, ours in _LIMITS.items():
        put(target, f"challenges.{ours}", challenge.whole(theirs))
    days = challenge.number("max_days")
    unlimited = days is None or days == float("inf")
    put(target, "challenges.unlimited", unlimited)
    put(target, "challenges.max_days", 14 if unlimited or days is None else int(days))
    put(target, "challenges.variants", challenge.variants("variants") or None)
    put(target, "challenges.speeds", challenge.speeds("time_controls") or None)
    put(target, "challenges.modes", challenge.texts("modes") or None)
    bots, people = challenge.flag("accept_bot"), not challenge.flag("only_bot")
    put(target, "challenges.opponents", ["human"] * people + ["bot"] * bots)
    put(target, "challenges.block", challenge.users("block_list", "online_block_list") or None)
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
    """Return our order; there are no bonus points for titles and rated games besides the rating."""
    order, preference = challenge.text("sort_by") or "best", challenge.text("preference") or "none"
    first = {"human": ["humans_first"], "bot": ["bots_first"]}.get(preference, [])
    return [*first, "rating"] if order == "best" else first or ["arrival"]


def matchmaking(section: Section, challenge: Section, target: Values) -> None:
    """Carry matchmaking over: one profile for each combination from which lichess-bot draws."""
    put(target, "matchmaking.enabled", section.flag("allow_matchmaking"))
    minutes = section.number("challenge_timeout")
    put(target, "matchmaking.idle_s", 60 * max(1, minutes) if minutes is not None else None)
    block = section.users("block_list", "online_block_list")
    if section.flag("include_challenge_block_list"):
        block += challenge.users("block_list", "online_block_list")
    put(target, "matchmaking.block", list(dict.fromkeys(block)) or None)
    put(target, "matchmaking.during_games", section.flag("allow_during_games"))
    if section.text("challenge_filter") in ("", "none"):
        section.drop("challenge_filter", "declines are always remembered, by kind of game")
    section.drop("challenge_decliner_file_name", "declines are remembered in `store`")
    base = _wishes(section)
    overrides = section.section("overrides")
    wishes = [base]
    for name in overrides:
        override = overrides.section(name)
        wishes.append({**base, **{key: value for key, value in _wishes(override).items() if override.has(key)}})
        override.close()
    enabled_variants = target["challenges"].get("variants") or ["standard"]
    profiles = [profile for wish in wishes for profile in _profiles(wish, enabled_variants)]
    put(target, "matchmaking.profiles", profiles or None)
    section.close()


def _wishes(section: Section) -> dict[str, Any]:
    """Return what is asked for, under lichess-bot's names."""
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
