"""lichess-bot's configuration in our words."""

from __future__ import annotations

from pathlib import Path

from bot.migration import common
from bot.migration.common import SELECTIONS, VARIANTS, Values, located, put
from bot.migration.lichess_bot_challenges import challenges, matchmaking
from bot.migration.reader import Section
from bot.settings import EngineEntry

FAKE_THINKING = 0.025  # of the clock, as there

_CHAT = {
    "hello": "greeting",
    "goodbye": "farewell",
    "hello_spectators": "spectator_greeting",
    "goodbye_spectators": "spectator_farewell",
}


def convert(root: Section, folder: Path, *, with_token: bool) -> Values:
    """Return our configuration; paths in theirs start from `folder`. Notes are the sections'."""
    target: Values = {}
    common.token(root, target, with_token=with_token)
    put(target, "lichess.url", root.text("url") or None)
    challenge = root.section("challenge")
    put(target, "concurrency", challenge.whole("concurrency"))
    _engine(root.section("engine"), target, folder)
    challenges(challenge, target)
    _engine_plays(target)
    _game(root, target)
    common.chat(root.section("greeting"), target, _CHAT)
    directory = root.text("pgn_directory")
    put(target, "pgn_folder", located(directory, folder) if directory else None)
    put(target, "pgn.group", root.text("pgn_file_grouping") or ("game" if directory else None))
    matchmaking(root.section("matchmaking"), challenge, target)
    challenge.close()
    root.close()
    return target


def _engine_plays(target: Values) -> None:
    """Let the engine play all variants whose challenges are taken; there it is not asked which it can."""
    usual, taken = EngineEntry().variants, target["challenges"].get("variants", [])
    if "engines" in target and not set(taken) <= set(usual):
        target["engines"][0]["variants"] = list(dict.fromkeys((*usual, *taken)))


def _game(root: Section, target: Values) -> None:
    put(target, "conduct.abort_after_s", root.number("abort_time"))
    put(target, "conduct.takebacks", root.whole("max_takebacks_accepted"))
    if "quit_after_all_games_finish" in root:
        put(target, "shutdown.games", "finish" if root.flag("quit_after_all_games_finish") else "leave")
    put(target, "clock.min_move_share", FAKE_THINKING if root.flag("fake_think_time") else None)
    root.drop("rate_limiting_delay", "the bot keeps Lichess's limits by itself", unless=0)
    root.drop("move_overhead", "is measured in each game here; clock.min_overhead_ms is its floor")
    correspondence = root.section("correspondence")
    put(target, "correspondence.think_s", correspondence.number("move_time"))
    put(target, "correspondence.disconnect_after_s", correspondence.number("disconnect_time"))
    put(target, "correspondence.ponder", correspondence.flag("ponder"))
    period = correspondence.number("checkin_period")
    if period and period > 60:
        correspondence.note("checkin_period", "is 60 s at the most here")
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
        common.tablebase(section, target, kind, most, folder)
        if section.flag("enabled"):
            section.drop("move_quality", "a table move is played, not suggested", unless="best")
            section.drop("min_dtm_to_consider_as_wdl_1", "the fifty-move rule is counted at each position")
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
    options = common.engine_options(uci)
    engine.drop("debug", "use log.level: debug", unless=False)
    engine.drop("silence_stderr", "what engines say besides UCI goes to the log", unless=False)
    if protocol != "uci" or not name:
        engine.note("protocol" if name else "name", "only UCI engines can be run; engine88 plays instead")
        engine.drop("homemade_options")
        engine.drop("xboard_options", "only UCI engines can be run")
        return
    for other in ("homemade_options", "xboard_options"):
        engine.section(other)  # speak of other protocols: nothing is lost
    entry = {"name": name, "command": words, "options": options, "working_dir": working_dir}
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
    # normalised weights are parts of 100: of the heaviest, or of the sum
    share_of = {"max": "heaviest", "sum": "all"}.get(polyglot.text("normalization"))
    entries: list[Values] = []
    for variant in books.keys():  # noqa: SIM118 -- a section is no mapping
        if variant.lower() not in VARIANTS:
            books.drop(variant, "is no variant")
            continue
        for path in books.texts(variant):
            entry = {"path": located(path, folder), "variants": [VARIANTS[variant.lower()]]}
            limits: Values = {"min_weight": weight, "max_ply": 2 * depth if depth else None}
            if share_of:
                limits |= {"min_weight": None, "min_share": min(1.0, (weight or 0) / 100), "share_of": share_of}
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
    put(target, "conduct.resign.by_tables", section.flag("resign_for_egtb_minus_two", default=True))
    put(target, "conduct.draw.by_tables", section.flag("offer_draw_for_egtb_zero", default=True))
    section.close()


def _online(online: Section, target: Values) -> None:
    chessdb = online.section("chessdb_book")
    depth, misses = online.whole("max_depth"), online.whole("max_out_of_book_moves")
    put(target, "move_sources.online.max_misses", misses or None)
    online.drop("max_retries", "an online source is asked once for a move")
    reserves = [
        _online_source(online.section("lichess_cloud_analysis"), target, "cloud", depth),
        _online_source(online.section("lichess_opening_explorer"), target, "explorer", depth),
        _online_source(chessdb, target, "chessdb", depth),
        _online_source(online.section("online_egtb"), target, "tablebase", None),
    ]
    put(target, "move_sources.online.reserve_s", max(reserves) or None)
    online.close()


def _online_source(section: Section, target: Values, kind: str, depth: int | None) -> float:
    """Carry one source over; returns the time it must leave on the clock, 0 when it is not enabled."""
    if not section.flag("enabled"):
        return 0.0
    source, place = section.text("source") or "lichess", f"move_sources.online.{kind}"
    if kind == "tablebase" and source != "lichess":
        section.note("source", f"{source!r} is not asked by this bot; this source stays off")
        return 0.0
    put(target, f"{place}.enabled", True)
    put(target, f"{place}.max_ply", 2 * depth if depth else None)
    if kind == "cloud":
        put(target, f"{place}.min_depth", section.whole("min_depth"))
        put(target, f"{place}.min_knodes", section.whole("min_knodes"))
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
    section.drop("max_time", "a source is asked however much time there was at the start", unless=10_800)
    section.text("player_name")
    reserve = section.number("min_time") or 0.0
    section.close()
    return reserve
