"""lichess-bot's configuration, except challenges."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.migration.migrate import migrate
from bot.settings import BookSettings, Settings, parse_settings

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
    assert {book.min_share for book in sources.books} == {0.05}
    assert (sources.syzygy.paths, sources.syzygy.max_pieces) == ((FOLDER / "tables",), 6)
    assert sources.gaviota.paths == ()
    cloud, tables = sources.online.cloud, sources.online.tablebase
    assert (cloud.enabled, cloud.min_depth, cloud.max_ply) == (True, 22, 20)
    assert sources.online.chessdb.enabled
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
    assert conduct.draw.max_pieces == 12
    assert (conduct.draw.offer, conduct.draw.accept) == (False, False)
    assert (conduct.chat.greeting, conduct.chat.farewell) == ("Hi {opponent}, nice !", "")
    assert (settings.correspondence.think_s, settings.correspondence.check_in_every_s) == (40, 60)


@pytest.mark.parametrize(("silent", "told"), [("true", True), ("false", False)])
def test_engines_that_are_to_be_silent_are_told_of(silent: str, told: bool) -> None:
    notes = carried(f"engine: {{name: a, silence_stderr: {silent}}}")[1]
    assert ("engine.silence_stderr: other output of engines goes to the log" in notes) is told


@pytest.mark.parametrize(
    "note",
    [
        "config.yml:2: token: is left out; set BOT88_TOKEN, or use --with-token",
        "engine.polyglot.book.shogi: is not a variant",
        "offer_draw_for_egtb_zero: a tablebase's result always counts",
        "lichess_cloud_analysis.min_knodes: min_depth decides",
        "engine.online_moves.lichess_cloud_analysis.move_quality: the best move is played",
        "engine.online_moves.online_egtb.max_time: sources are asked regardless",
        "engine.uci_options.MultiPV: the bot sets this option itself",
        "correspondence.checkin_period: is at most 60 s",
        "challenge.surprise: has no counterpart",
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
    assert settings.conduct.draw.max_pieces == Settings().conduct.draw.max_pieces
    assert settings.move_sources == Settings().move_sources
    assert notes == ""


def engine(keys: str) -> tuple[Settings, str]:
    """What comes out of these keys of `engine`, and the notes."""
    return carried(f"engine: {{name: a, {keys}}}")


def test_weights_of_a_book_as_parts_of_the_sum_become_parts_of_the_heaviest() -> None:
    polyglot = "{enabled: true, normalization: sum, min_weight: 20, book: {standard: a.bin}}"
    settings, notes = engine(f"polyglot: {polyglot}")
    assert [book.min_share for book in settings.move_sources.books] == [0.2]
    assert "normalization: min_weight becomes a share of the heaviest move" in notes


def test_an_engine_of_another_protocol_gives_way_to_ours() -> None:
    settings, notes = carried("engine: {name: old, protocol: xboard, xboard_options: {cores: 4}}")
    assert settings.engines == Settings().engines
    assert "engine.protocol: only UCI and homemade engines can be run; engine88 plays instead" in notes


@pytest.mark.parametrize(
    ("variants", "plays"), [("[standard]", ""), ("[standard, chess960, fromPosition, horde]", "horde")]
)
def test_the_engine_is_said_to_play_more_only_where_more_is_taken(variants: str, plays: str) -> None:
    usual = Settings().engines[0].variants
    (one,) = carried(f"engine: {{name: a}}\nchallenge: {{variants: {variants}}}")[0].engines
    assert one.variants == ((*usual, plays) if plays else usual)


def test_a_homemade_engine_is_carried_over_as_its_class() -> None:
    settings, notes = carried(
        "engine: {dir: ./engines/, name: RandomMove, protocol: homemade}\nchallenge: {variants: [standard, atomic]}"
    )
    (engine,) = settings.engines
    assert (engine.name, engine.python) == ("RandomMove", Path(FOLDER) / "homemade.py:RandomMove")
    assert engine.variants == ("standard", "fromPosition", "atomic")
    assert notes == ""


def test_nothing_is_written_about_variants_that_the_engine_plays_anyway() -> None:
    migrated, _notes = migrate("engine: {name: a}\nchallenge: {variants: [standard]}", "config.yml", FOLDER)
    assert "variants" not in yaml.safe_load(migrated)["engines"][0]


@pytest.mark.parametrize(
    ("keys", "notes"),
    [
        ("debug: true", ["use log.level: debug"]),
        ("debug: false, silence_stderr: false", []),
        ("homemade_options: {a: 1}, xboard_options: {a: 1}", []),
        (
            "protocol: xboard, homemade_options: {a: 1}",
            ["only UCI and homemade engines can be run; engine88 plays instead", "has no counterpart"],
        ),
        ("protocol: homemade, homemade_options: {a: 1}", ["set them in the class"]),
        ("uci_options: {go_commands: {movetime: 0, surprise: 1}}", ["has no counterpart"]),
        (
            "lichess_bot_tbs: {syzygy: {enabled: true, move_quality: suggest, min_dtm_to_consider_as_wdl_1: 9}}",
            ["table moves are played, not suggested", "the fifty-move rule is checked in each position"],
        ),
        ("lichess_bot_tbs: {syzygy: {enabled: true, paths: a, move_quality: best}}", []),
        ("lichess_bot_tbs: {gaviota: {enabled: false, paths: a, move_quality: suggest}}", []),
        (
            "online_moves: {online_egtb: {enabled: true, source: chessdb}}",
            ["'chessdb' is not supported; this source stays disabled"],
        ),
        (
            "online_moves: {chessdb_book: {enabled: true, move_quality: best, max_score_difference: 50}}",
            [],
        ),
        ("online_moves: {chessdb_book: {enabled: true, min_depth: 9, min_knodes: 5}}", ["has no counterpart"]),
        ("online_moves: {lichess_opening_explorer: {enabled: true, min_depth: 9}}", ["has no counterpart"]),
        ("online_moves: {max_retries: 2}", ["an online source is asked once per move"]),
    ],
)
def test_what_is_said_about_the_engine(keys: str, notes: list[str]) -> None:
    assert [note.split(": ", 2)[2] for note in engine(keys)[1].splitlines()] == notes


def test_an_engine_without_a_name_is_ours() -> None:
    settings, notes = carried("engine: {dir: bin}")
    assert settings.engines == Settings().engines
    assert notes == "config.yml:1: engine.name: only UCI and homemade engines can be run; engine88 plays instead"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("movetime: 250", (None, None, 0.25)),
        ("nodes: 10", (None, 10, None)),
        ("depth: 3, movetime: 0", (3, None, None)),
    ],
)
def test_limits_of_the_search_are_a_rule(keys: str, expected: tuple[object, ...]) -> None:
    (rule,) = engine(f"uci_options: {{go_commands: {{{keys}}}}}")[0].rules
    assert (rule.depth, rule.nodes, rule.move_time_s) == expected


@pytest.mark.parametrize(("pieces", "most"), [(1, 2), (12, 12), (40, 32)])
def test_as_many_pieces_as_there_can_be(pieces: int, most: int) -> None:
    assert engine(f"draw_or_resign: {{offer_draw_pieces: {pieces}}}")[0].conduct.draw.max_pieces == most


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("enabled: true", (1, None)),
        ("enabled: true, min_weight: 7", (7, None)),
        ("enabled: true, normalization: none, min_weight: 7", (7, None)),
        ("enabled: true, normalization: max, min_weight: 150", (1, 1.0)),
        ("enabled: false, min_weight: 7", None),
        ("min_weight: 7", None),
    ],
)
def test_moves_of_a_book_that_are_rare(keys: str, expected: tuple[object, ...] | None) -> None:
    settings, notes = engine(f"polyglot: {{book: {{standard: a.bin}}, {keys}}}")
    books = settings.move_sources.books
    usual = BookSettings(path=Path("a.bin"))
    found = [(book.min_weight, book.min_share) for book in books]
    assert found == (
        []
        if expected is None
        else [
            tuple(
                given if given is not None else getattr(usual, name)
                for given, name in zip(expected, ("min_weight", "min_share"), strict=True)
            )
        ]
    )
    assert notes == ""


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("source: lichess", ("lichess", None, "score")),
        ("source: player, player_name: Ann, sort: games_played", ("player", "Ann", "games")),
        ("source: masters, player_name: Ann, sort: winrate", ("masters", None, "score")),
        ("", ("lichess", None, "score")),
    ],
)
def test_whose_games_the_explorer_looks_at(keys: str, expected: tuple[str | None, ...]) -> None:
    settings, notes = engine(f"online_moves: {{lichess_opening_explorer: {{enabled: true, min_games: 4, {keys}}}}}")
    explorer = settings.move_sources.online.explorer
    assert (explorer.database, explorer.player, explorer.sort, explorer.min_games) == (*expected, 4)
    assert notes == ""


@pytest.mark.parametrize(("pieces", "most"), [("", 7), ("max_pieces: 5", 5), ("max_pieces: 9", 8)])
def test_tables_that_are_asked_online(pieces: str, most: int) -> None:
    keys = f"max_out_of_book_moves: 5, max_depth: 9, online_egtb: {{enabled: true, min_time: 12, {pieces}}}"
    online = engine(f"online_moves: {{{keys}}}")[0].move_sources.online
    assert (online.tablebase.enabled, online.tablebase.max_pieces) == (True, most)
    assert (online.max_misses, online.reserve_s) == (5, 12)
    assert [online.cloud.enabled, online.explorer.enabled, online.chessdb.enabled] == [False] * 3
