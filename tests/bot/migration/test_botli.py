"""BotLi's configuration: a sample that uses all keys, and the notes about others."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.migration.botli import conditions
from bot.migration.migrate import migrate
from bot.settings import Settings, parse_settings

FOLDER = Path("/srv/old")

SAMPLE = """
token: lip_old
engines:
  standard:
    dir: bin
    name: rook
    ponder: true
    move_overhead_multiplier: 2.0
    uci_options: {Hash: 64, Ponder: true}
  blitz_white:
    dir: /opt
    name: knight
    ponder: false
    limits: {time: 2.5, depth: 12}
  antichess:
    name: giver
  bullet_tournament:
    name: hasty
    ponder: true
  puzzle:
    name: odd
syzygy:
  standard: {enabled: true, paths: [tables], max_pieces: 6, instant_play: false}
  atomic: {enabled: true, paths: [other]}
  suicide: {enabled: true, paths: [another]}
gaviota: {enabled: true, paths: gaviota, max_pieces: 5}
opening_books:
  enabled: true
  priority: 400
  books:
    standard: {selection: uniform_random, names: [Main, Gone], max_depth: 12, max_moves: 3}
    chess960_black: {names: Main, allow_repetitions: false}
    blitz_bot: {names: Main}
    blitz_rated: {names: Main}
    10+5_tournament: {names: Main}
books: {Main: main.bin}
online_moves:
  opening_explorer: {enabled: true, player: masters, min_time: 12, timeout: 3, min_games: 7,
    max_depth: 16, max_moves: 4, priority: 50}
  lichess_cloud: {enabled: true, min_eval_depth: 15, min_time: 20, timeout: 2}
  chessdb: {enabled: true, trust_eval: true, allow_repetitions: true}
  online_egtb: {enabled: false, min_time: 99}
offer_draw: {enabled: true, score: 5, consecutive_moves: 6, min_game_length: 40, against_humans: false}
resign: {enabled: true, score: -900, consecutive_moves: 3, min_rating: 2300}
challenge:
  concurrency: 4
  max_takebacks: 2
  human:
    variants: [standard, chess960]
    time_controls: [bullet, rapid]
    modes: [casual, rated]
    min_increment: 1
    max_initial: 900
  bot:
    variants: [standard]
    time_controls: [rapid, 25+0]
    modes: [casual, rated]
    min_increment: 2
    bullet_with_increment_only: true
matchmaking:
  delay: 300
  timeout: 2
  selection: cyclic
  types:
    fast: {tc: 1.5+1, rated: false, variant: 3check, weight: 7, max_rating_diff: 150, multiplier: 3}
    odd: {tc: long}
messages: {greeting: "{engine} on {cpu} at {place}", goodbye_spectators: Bye}
whitelist: [Friend]
blacklist: [Rude]
online_blacklists: [https://lists.example/x]
"""


def carried(text: str = SAMPLE) -> tuple[Settings, str]:
    """The settings that come out, and the notes."""
    migrated, notes = migrate(text, "config.yml", FOLDER)
    assert "&id" not in migrated
    return parse_settings(migrated, "ours.yml", folder=Path("/elsewhere")), "\n".join(notes)


def test_engines_and_their_rules_from_the_particular_to_the_general() -> None:
    settings = carried()[0]
    assert [(entry.name, entry.command, entry.slots) for entry in settings.engines] == [
        ("blitz_white", ("/opt/knight",), 4),
        ("bullet_tournament", ("/srv/old/hasty",), 4),
        ("antichess", ("/srv/old/giver",), 4),
        ("standard", ("/srv/old/bin/rook",), 4),
    ]
    assert settings.engines[3].options == {"Hash": 64}
    first, hasty, second, third = settings.rules
    assert (hasty.speeds, hasty.tournament) == (("bullet",), True)
    assert [rule.ponder for rule in settings.rules] == [False, True, False, True]
    assert (first.speeds, first.color, first.move_time_s, first.depth) == (("blitz",), "white", 2.5, 12)
    assert (second.variants, third.speeds) == (("antichess",), None)


@pytest.mark.parametrize(("limits", "rules"), [("", 0), (", limits: {depth: 9}", 1)])
def test_one_engine_needs_a_rule_for_its_limits_alone(limits: str, rules: int) -> None:
    assert len(carried(f"engines: {{standard: {{name: a{limits}}}}}")[0].rules) == rules


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("3check", {"variants": ["threeCheck"]}),
        ("kingofthehill_rated", {"variants": ["kingOfTheHill"], "mode": "rated"}),
        ("standard_bot", {"variants": ["standard", "chess960", "fromPosition"], "opponents": "bot"}),
        ("3+2", {"variants": ["standard", "chess960", "fromPosition"], "speeds": ["3+2"]}),
        ("atomic_tournament", {"variants": ["atomic"], "tournament": True}),
        ("3+x", None),
        ("blitz_friends", None),
    ],
)
def test_names_of_kinds_of_games(key: str, expected: object) -> None:
    assert conditions(key) == expected


def test_variants_are_all_but_the_standard_ones() -> None:
    found = conditions("variants")
    assert found is not None
    assert len(found["variants"]) == 7
    assert "standard" not in found["variants"]


def test_the_sources_of_moves() -> None:
    sources = carried()[0].move_sources
    kinds = [(book.speeds, book.color, book.opponents, book.mode, book.tournament) for book in sources.books]
    assert kinds == [
        (("10+5",), None, None, None, True),
        (None, "black", None, None, None),
        (("blitz",), None, ("bot",), None, None),
        (("blitz",), None, None, "rated", None),
        (None, None, None, None, None),
    ]
    assert {str(book.path) for book in sources.books} == {"/srv/old/main.bin"}
    assert (sources.books[-1].max_ply, sources.books[-1].selection) == (12, "uniform")
    assert (sources.syzygy.paths, sources.syzygy.max_pieces) == ((FOLDER / "tables",), 6)
    assert sources.gaviota.paths == (FOLDER / "gaviota",)
    online = sources.online
    assert (online.explorer.enabled, online.explorer.database, online.explorer.min_games) == (True, "masters", 7)
    assert (online.explorer.sort, online.chessdb.enabled) == ("score", True)
    assert sources.order[:4] == ("book", "cloud", "chessdb", "explorer")
    assert (online.explorer.max_ply, online.cloud.enabled, online.cloud.min_depth) == (16, True, 15)
    assert (online.reserve_s, online.budget_s, online.tablebase.enabled) == (20, 3, False)


def test_games_and_challenges() -> None:
    settings = carried()[0]
    conduct, challenges = settings.conduct, settings.challenges
    assert (settings.concurrency, conduct.takebacks, conduct.chat.greeting) == (4, 0, "{engine} on {cpu} at ")
    assert (conduct.draw.score_cp, conduct.draw.moves, conduct.draw.min_move) == (5, 6, 40)
    assert (conduct.resign.enabled, conduct.resign.score_cp, conduct.resign.moves) == (True, -900, 3)
    (manners,) = conduct.rules
    assert (manners.opponents, manners.takebacks, manners.resign) == (("human",), 2, None)
    assert manners.draw is not None
    assert (manners.draw.offer, manners.draw.accept) == (False, False)
    notes = carried()[1]
    for key in ("resign.min_rating", "books.standard.max_moves", "opening_explorer.max_moves"):
        assert f"{key}: " in notes
    assert (challenges.variants, challenges.speeds, challenges.opponents) == (
        ("standard", "chess960"),
        ("bullet", "rapid", "25+0"),
        ("human", "bot"),
    )
    assert (challenges.min_increment_s, challenges.max_limit_s, challenges.bullet_needs_increment) == (
        0,
        10_800,
        ("bot",),
    )
    assert challenges.block == ("rude", "https://lists.example/x")
    assert challenges.allow == ("friend",)


def test_matchmaking() -> None:
    matchmaking = carried()[0].matchmaking
    (profile,) = matchmaking.profiles
    assert (profile.limit_s, profile.increment_s, profile.variant, profile.mode) == (90, 1, "threeCheck", "casual")
    assert (profile.weight, profile.max_rating_difference, profile.prefer) == (7, 150, "near")
    assert matchmaking.selection == "cyclic"
    assert (matchmaking.enabled, matchmaking.idle_s, matchmaking.cancel_after_s) == (False, 300, 5)
    assert matchmaking.block == ("rude", "https://lists.example/x")


@pytest.mark.parametrize(
    "note",
    [
        "engines.standard.move_overhead_multiplier: the overhead is measured",
        "engines.standard.uci_options.Ponder: the bot sets this option itself",
        "syzygy.atomic: only tables of standard chess",
        "syzygy.suicide: only tables of standard chess",
        "syzygy.standard.instant_play: table moves are always played at once",
        "opening_books.books.standard.names: 'Gone' is not among `books`",
        "online_moves.chessdb.trust_eval: draws and resignations depend",
        "engines.puzzle: is not a known kind of game",
        "matchmaking.types: matchmaking starts automatically",
        "matchmaking.types.odd: `tc` is not a clock",
        "matchmaking.types.fast.multiplier: ",
        "messages.greeting: only {me}, {opponent}, {engine}, {cpu}, {ram} are filled in",
    ],
)
def test_what_is_left_behind_is_told_with_the_reason(note: str) -> None:
    assert note in carried()[1]


@pytest.mark.parametrize(
    ("keys", "database", "player", "sort"),
    [
        ("", "player", None, "performance"),
        (", player: Somebody", "player", "Somebody", "performance"),
        (", player: Somebody, selection: win_rate", "player", "Somebody", "score"),
        (", anti: true", "opponent", None, "score"),
    ],
)
def test_the_explorer_of_a_player(keys: str, database: str, player: str | None, sort: str) -> None:
    text = f"engines: {{standard: {{name: a}}}}\nonline_moves: {{opening_explorer: {{enabled: true{keys}}}}}"
    explorer = carried(text)[0].move_sources.online.explorer
    assert (explorer.database, explorer.player, explorer.sort) == (database, player, sort)
