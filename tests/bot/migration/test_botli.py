"""BotLi's keys in our words: a made-up configuration that uses them, and what is said about the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.migration.botli_games import conditions
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
syzygy:
  standard: {enabled: true, paths: [tables], max_pieces: 6, instant_play: false}
  atomic: {enabled: true, paths: [other]}
gaviota: {enabled: true, paths: gaviota, max_pieces: 5}
opening_books:
  enabled: true
  priority: 400
  books:
    standard: {selection: uniform_random, names: [Main, Gone], max_depth: 12, max_moves: 3}
    chess960_black: {names: Main, allow_repetitions: false}
    blitz_bot: {names: Main}
    blitz_rated: {names: Main}
books: {Main: main.bin}
online_moves:
  opening_explorer: {enabled: true, player: masters, min_time: 12, timeout: 3, min_games: 7, max_depth: 16, anti: true}
  lichess_cloud: {enabled: true, min_eval_depth: 15, min_time: 20, timeout: 2}
  chessdb: {enabled: true}
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
        ("antichess", ("/srv/old/giver",), 4),
        ("standard", ("/srv/old/bin/rook",), 4),
    ]
    assert settings.engines[2].options == {"Hash": 64}
    first, second, third = settings.rules
    assert (first.speeds, first.color, first.move_time_s, first.depth) == (("blitz",), "white", 2.5, 12)
    assert (second.variants, third.speeds) == (("antichess",), None)
    assert settings.clock.ponder is True


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("3check", {"variants": ["threeCheck"]}),
        ("kingofthehill_rated", {"variants": ["kingOfTheHill"], "mode": "rated"}),
        ("standard_bot", {"variants": ["standard", "chess960", "fromPosition"], "opponents": "bot"}),
        ("3+2", None),
        ("blitz_tournament", None),
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
    by_color = [(book.color, str(book.path), book.selection, book.allow_repetitions) for book in sources.books]
    assert by_color == [
        ("black", "/srv/old/main.bin", "weighted", False),
        (None, "/srv/old/main.bin", "weighted", True),
        (None, "/srv/old/main.bin", "uniform", True),
    ]
    assert sources.books[1].opponents == ("bot",)
    assert (sources.books[2].max_ply, sources.books[2].max_moves) == (12, 3)
    assert (sources.syzygy.paths, sources.syzygy.max_pieces) == ((FOLDER / "tables",), 6)
    assert sources.gaviota.paths == (FOLDER / "gaviota",)
    online = sources.online
    assert (online.explorer.enabled, online.explorer.database, online.explorer.min_games) == (True, "masters", 7)
    assert online.chessdb.enabled
    assert (online.explorer.max_ply, online.cloud.enabled, online.cloud.min_depth) == (16, True, 15)
    assert (online.reserve_s, online.budget_s, online.tablebase.enabled) == (20, 3, False)


def test_games_and_challenges() -> None:
    settings = carried()[0]
    conduct, challenges = settings.conduct, settings.challenges
    assert (settings.concurrency, conduct.takebacks, conduct.chat.greeting) == (4, 2, "{engine} on {cpu} at ")
    assert (conduct.draw.score_cp, conduct.draw.moves, conduct.draw.min_move) == (5, 6, 40)
    assert (conduct.draw.opponents, conduct.resign.opponents) == (("bot",), ("human", "bot", "ai"))
    assert conduct.resign.min_rating == 2300
    assert (conduct.resign.enabled, conduct.resign.score_cp, conduct.resign.moves) == (True, -900, 3)
    assert (challenges.variants, challenges.speeds, challenges.opponents) == (
        ("standard",),
        ("rapid",),
        ("human", "bot"),
    )
    assert (challenges.min_increment_s, challenges.max_limit_s, challenges.block) == (2, 900, ("rude",))


def test_matchmaking() -> None:
    matchmaking = carried()[0].matchmaking
    (profile,) = matchmaking.profiles
    assert (profile.limit_s, profile.increment_s, profile.variant, profile.mode) == (90, 1, "threeCheck", "casual")
    assert (profile.weight, profile.max_rating_difference) == (7, 150)
    assert (matchmaking.enabled, matchmaking.idle_s, matchmaking.cancel_after_s) == (False, 300, 5)
    assert matchmaking.block == ("rude",)


@pytest.mark.parametrize(
    "note",
    [
        "engines.bullet_tournament: exact clocks and tournaments cannot choose",
        "engines.standard.move_overhead_multiplier: the overhead is measured",
        "engines.standard.uci_options.Ponder: the bot sets this option itself",
        "engines.standard: pondering is one switch",
        "syzygy.atomic: only tables of standard chess",
        "syzygy.standard.instant_play: a table move is always played at once",
        "opening_books.priority: sources are asked in move_sources.order",
        "opening_books.books.standard.names: 'Gone' is not among `books`",
        "opening_books.books.blitz_rated: books are told apart by",
        "online_moves.opening_explorer.anti: has no equivalent",
        "challenge.bot: people and bots have one list of variants here",
        "challenge.bot.bullet_with_increment_only: ",
        "challenge.bot.time_controls: '25+0' is an exact clock",
        "matchmaking.types: matchmaking begins by itself here",
        "matchmaking.types.odd: `tc` is no clock",
        "matchmaking.types.fast.multiplier: ",
        "messages.greeting: only {me}, {opponent}, {engine}, {cpu}, {ram} are filled in",
        "whitelist: nobody's challenges",
        "online_blacklists: lists are not fetched",
    ],
)
def test_what_is_left_behind_is_told_with_the_reason(note: str) -> None:
    assert note in carried()[1]
