"""lichess-bot's section `engine` in our words, key by key: process, limits, books, tables, online sources."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot.migration.migrate import migrate
from bot.settings import BookSettings, Settings
from tests.bot.migration.test_lichess_bot import FOLDER, carried


def engine(keys: str) -> tuple[Settings, str]:
    """What comes out of these keys of `engine`, and the notes."""
    return carried(f"engine: {{name: a, {keys}}}")


def test_books_with_weights_as_parts_of_the_sum() -> None:
    polyglot = "{enabled: true, normalization: sum, min_weight: 20, book: {standard: a.bin}}"
    (book,) = carried(f"engine: {{name: a, polyglot: {polyglot}}}")[0].move_sources.books
    assert (book.min_share, book.share_of) == (0.2, "all")


def test_an_engine_of_another_protocol_gives_way_to_ours() -> None:
    settings, notes = carried("engine: {name: old, protocol: xboard, xboard_options: {cores: 4}}")
    assert settings.engines == Settings().engines
    assert "engine.protocol: only UCI engines can be run; engine88 plays instead" in notes


@pytest.mark.parametrize(
    ("variants", "plays"), [("[standard]", ""), ("[standard, chess960, fromPosition, horde]", "horde")]
)
def test_the_engine_is_said_to_play_more_only_where_more_is_taken(variants: str, plays: str) -> None:
    usual = Settings().engines[0].variants
    (one,) = carried(f"engine: {{name: a}}\nchallenge: {{variants: {variants}}}")[0].engines
    assert one.variants == ((*usual, plays) if plays else usual)


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
            "protocol: homemade, homemade_options: {a: 1}",
            ["only UCI engines can be run; engine88 plays instead", "has no equivalent here"],
        ),
        ("uci_options: {go_commands: {movetime: 0, surprise: 1}}", ["has no equivalent here"]),
        (
            "lichess_bot_tbs: {syzygy: {enabled: true, move_quality: suggest, min_dtm_to_consider_as_wdl_1: 9}}",
            ["a table move is played, not suggested", "the fifty-move rule is counted at each position"],
        ),
        ("lichess_bot_tbs: {syzygy: {enabled: true, paths: a, move_quality: best}}", []),
        ("lichess_bot_tbs: {gaviota: {enabled: false, paths: a, move_quality: suggest}}", []),
        (
            "online_moves: {online_egtb: {enabled: true, source: chessdb}}",
            ["'chessdb' is not asked by this bot; this source stays off"],
        ),
        (
            "online_moves: {chessdb_book: {enabled: true, move_quality: best, max_score_difference: 50}}",
            [],
        ),
        ("online_moves: {chessdb_book: {enabled: true, min_depth: 9, min_knodes: 5}}", ["has no equivalent here"]),
        ("online_moves: {lichess_opening_explorer: {enabled: true, min_depth: 9}}", ["has no equivalent here"]),
        ("online_moves: {max_retries: 2}", ["an online source is asked once for a move"]),
    ],
)
def test_what_is_said_about_the_engine(keys: str, notes: list[str]) -> None:
    assert [note.split(": ", 2)[2] for note in engine(keys)[1].splitlines()] == notes


def test_an_engine_without_a_name_is_ours() -> None:
    settings, notes = carried("engine: {dir: bin}")
    assert settings.engines == Settings().engines
    assert notes == "config.yml:1: engine.name: only UCI engines can be run; engine88 plays instead"


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
        ("enabled: true", (1, None, None)),
        ("enabled: true, min_weight: 7", (7, None, None)),
        ("enabled: true, normalization: none, min_weight: 7", (7, None, None)),
        ("enabled: true, normalization: max, min_weight: 150", (1, 1.0, "heaviest")),
        ("enabled: true, normalization: sum", (1, 0.0, "all")),
        ("enabled: false, min_weight: 7", None),
        ("min_weight: 7", None),
    ],
)
def test_moves_of_a_book_that_are_rare(keys: str, expected: tuple[object, ...] | None) -> None:
    settings, notes = engine(f"polyglot: {{book: {{standard: a.bin}}, {keys}}}")
    books = settings.move_sources.books
    usual = BookSettings(path=Path("a.bin"))
    found = [(book.min_weight, book.min_share, book.share_of) for book in books]
    assert found == (
        []
        if expected is None
        else [
            tuple(
                given if given is not None else getattr(usual, name)
                for given, name in zip(expected, ("min_weight", "min_share", "share_of"), strict=True)
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
