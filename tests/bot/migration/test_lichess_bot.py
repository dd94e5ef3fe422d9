"""lichess-bot's keys in our words: a made-up configuration that uses them, and what is said about the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.migration.migrate import migrate
from bot.settings import Settings, parse_settings

FOLDER = Path("/srv/old")

SAMPLE = """
token: lip_old
url: https://lichess.example/
engine:
  dir: bin
  name: pawnstorm
  interpreter: java
  interpreter_options: [-jar]
  engine_options: {cpuct: 3.1}
  protocol: uci
  ponder: false
  polyglot:
    enabled: true
    book: {shogi: d.bin, standard: [a.bin, /srv/b.bin], 3check: c.bin}
    min_weight: 5
    selection: best_move
    max_depth: 8
    normalization: max
  draw_or_resign: {resign_enabled: true, resign_score: -700, resign_moves: 6, offer_draw_enabled: false,
    offer_draw_pieces: 12, offer_draw_for_egtb_zero: false}
  online_moves:
    max_depth: 10
    chessdb_book: {enabled: true}
    lichess_cloud_analysis: {enabled: true, min_time: 25, min_depth: 22, move_quality: good, min_knodes: 5}
    lichess_opening_explorer: {enabled: true, source: player, player_name: someone}
    online_egtb: {enabled: true, min_time: 15, max_time: 60, max_pieces: 8, source: lichess, move_quality: suggest}
  lichess_bot_tbs:
    syzygy: {enabled: true, paths: [tables], max_pieces: 6, move_quality: best}
    gaviota: {enabled: false, paths: [none]}
  uci_options: {Hash: 128, MultiPV: 3, go_commands: {movetime: 1500, depth: 9}}
fake_think_time: true
quit_after_all_games_finish: true
correspondence: {move_time: 40, checkin_period: 600}
challenge:
  concurrency: 3
  sort_by: first
  accept_bot: true
  only_bot: true
  max_increment: 5
  min_days: 2
  variants: [standard, threeCheck]
  time_controls: [blitz, 3+2]
  modes: [rated]
  block_list: [Rude]
  rating_difference: 200
  surprise: 1
  online_block_list: [lists.example/bots, 'http://other.example/x']
  bullet_requires_increment: true
  recent_bot_challenge_age: 60
  max_recent_bot_challenges: 2
  preference: bot
  min_rating: 900
greeting:
  hello: "Hi {opponent}, nice {weather}!"
  goodbye: %s
pgn_directory: games
matchmaking:
  allow_matchmaking: true
  challenge_variant: standard
  challenge_timeout: 5
  challenge_initial_time: [60, 120]
  challenge_increment: 1
  challenge_mode: rated
  block_list: [Slow]
  include_challenge_block_list: true
  rating_preference: high
  allow_during_games: true
  challenge_filter: none
  overrides:
    days:
      challenge_initial_time:
      challenge_increment:
      challenge_days: [2]
      challenge_mode: casual
""" % ("x" * 421)


def carried(text: str = SAMPLE, *, with_token: bool = False) -> tuple[Settings, str]:
    """The settings that come out, and the notes."""
    migrated, notes = migrate(text, "config.yml", FOLDER, with_token=with_token)
    return parse_settings(migrated, "ours.yml", folder=Path("/elsewhere")), "\n".join(notes)


def test_the_engine() -> None:
    (engine,) = carried()[0].engines
    assert engine.command == ("java", "-jar", "/srv/old/bin/pawnstorm", "--cpuct=3.1")
    assert engine.options == {"Hash": 128}
    assert (engine.slots, engine.working_dir) == (3, FOLDER)
    assert engine.variants == ("standard", "chess960", "fromPosition", "threeCheck")
    (rule,) = carried()[0].rules
    assert (rule.engines, rule.depth, rule.move_time_s) == (("pawnstorm",), 9, 1.5)


def test_the_sources_of_moves() -> None:
    sources = carried()[0].move_sources
    assert [(str(book.path), *(book.variants or ())) for book in sources.books] == [
        ("/srv/old/a.bin", "standard"),
        ("/srv/b.bin", "standard"),
        ("/srv/old/c.bin", "threeCheck"),
    ]
    assert {(book.selection, book.min_weight, book.max_ply) for book in sources.books} == {("best", 1, 16)}
    assert {(book.min_share, book.share_of) for book in sources.books} == {(0.05, "heaviest")}
    assert (sources.syzygy.paths, sources.syzygy.max_pieces) == ((FOLDER / "tables",), 6)
    assert sources.gaviota.paths == ()
    cloud, tables = sources.online.cloud, sources.online.tablebase
    assert (cloud.enabled, cloud.min_depth, cloud.max_ply) == (True, 22, 20)
    assert (sources.online.chessdb.enabled, sources.online.cloud.min_knodes) == (True, 5)
    explorer = sources.online.explorer
    assert (tables.enabled, tables.max_pieces, explorer.enabled) == (True, 8, True)
    assert (explorer.database, explorer.player, explorer.sort) == ("player", "someone", "score")
    assert sources.online.reserve_s == 25


def test_the_games() -> None:
    settings = carried()[0]
    assert settings.lichess.url == "https://lichess.example"
    assert settings.store == Path("/elsewhere/data/bot88.sqlite3")
    assert (settings.concurrency, settings.clock.ponder, settings.shutdown.games) == (3, False, "finish")
    assert settings.clock.min_move_share == 0.025
    assert (settings.pgn_folder, settings.pgn.group) == (FOLDER / "games", "game")
    conduct = settings.conduct
    assert (conduct.resign.enabled, conduct.resign.score_cp, conduct.resign.moves) == (True, -700, 6)
    assert (conduct.draw.max_pieces, conduct.draw.by_tables, conduct.resign.by_tables) == (12, False, True)
    assert (conduct.draw.offer, conduct.draw.accept) == (False, False)
    assert (conduct.chat.greeting, conduct.chat.farewell) == ("Hi {opponent}, nice !", "")
    assert (settings.correspondence.think_s, settings.correspondence.check_in_every_s) == (40, 60)


@pytest.mark.parametrize(("silent", "told"), [("true", True), ("false", False)])
def test_engines_that_are_to_be_silent_are_told_of(silent: str, told: bool) -> None:
    notes = carried(f"engine: {{name: a, silence_stderr: {silent}}}")[1]
    assert ("engine.silence_stderr: what engines say besides UCI goes to the log" in notes) is told


@pytest.mark.parametrize(
    "note",
    [
        "config.yml:2: token: stays out; set BOT88_TOKEN, or use --with-token",
        "engine.polyglot.book.shogi: is no variant",
        "engine.online_moves.lichess_cloud_analysis.move_quality: the best move is played",
        "engine.online_moves.online_egtb.max_time: a source is asked however much time",
        "engine.uci_options.MultiPV: the bot sets this option itself",
        "correspondence.checkin_period: is 60 s at the most",
        "challenge.surprise: has no equivalent here",
        "greeting.hello: only {me}, {opponent}, {engine}, {cpu}, {ram} are filled in",
        "greeting.goodbye: is longer than 420 characters",
        "matchmaking.challenge_filter: declines are always remembered",
    ],
)
def test_what_is_left_behind_is_told_with_the_reason(note: str) -> None:
    assert note in carried()[1]


def test_what_is_carried_over_or_off_is_not_complained_of() -> None:
    notes = carried()[1]
    for key in ("url", "gaviota", "block_list", "pgn_directory", "modes"):
        assert f"{key}:" not in notes


def test_the_token_is_carried_over_when_asked_for_alone() -> None:
    assert carried()[0].token == ""
    assert "lip_old" not in carried()[1]
    assert carried(with_token=True)[0].token == "lip_old"


@pytest.mark.parametrize(
    ("keys", "group", "folder"),
    [
        ("pgn_directory: games", "game", FOLDER / "games"),
        ("pgn_directory: games\npgn_file_grouping: opponent", "opponent", FOLDER / "games"),
        ("pgn_file_grouping: all", "all", None),
        ("", Settings().pgn.group, None),
    ],
)
def test_games_are_kept_where_and_as_they_were(keys: str, group: str, folder: Path | None) -> None:
    settings = carried(f"engine: {{name: a}}\n{keys}")[0]
    assert (settings.pgn.group, settings.pgn_folder) == (group, folder)


@pytest.mark.parametrize(
    ("key", "games"),
    [
        ("", Settings().shutdown.games),
        ("quit_after_all_games_finish: true", "finish"),
        ("quit_after_all_games_finish: false", "leave"),
    ],
)
def test_what_happens_to_games_at_the_end(key: str, games: str) -> None:
    assert carried(f"engine: {{name: a}}\n{key}")[0].shutdown.games == games


def test_what_is_not_given_stays_as_usual() -> None:
    settings, notes = carried("engine: {name: a}")
    assert (settings.rules, settings.clock.min_move_share, settings.token) == ((), Settings().clock.min_move_share, "")
    assert settings.correspondence == Settings().correspondence
    assert (settings.conduct.draw.max_pieces, settings.conduct.draw.by_tables) == (
        Settings().conduct.draw.max_pieces,
        True,
    )
    assert settings.conduct.resign.by_tables
    assert settings.move_sources == Settings().move_sources
    assert notes == ""
