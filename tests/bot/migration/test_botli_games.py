"""BotLi's engines, books and online sources."""

from __future__ import annotations

from typing import Any

import pytest

from bot.migration.botli import STANDARD, conditions
from bot.settings import BookSettings, Settings, SourceSettings
from tests.bot.migration.test_botli import carried


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("standard", {"variants": STANDARD}),
        ("UltraBullet_Black", {"variants": STANDARD, "speeds": ["ultraBullet"], "color": "black"}),
        ("chess960_human_casual", {"variants": ["chess960"], "opponents": "human", "mode": "casual"}),
        ("0.5+0_white", {"variants": STANDARD, "speeds": ["0.5+0"], "color": "white"}),
        ("standard_", None),
        ("", None),
    ],
)
def test_names_of_kinds_of_games(key: str, expected: object) -> None:
    assert conditions(key) == expected


def engines(text: str, concurrency: str = "") -> Settings:
    """What comes out of these entries of `engines`."""
    return carried(f"engines: {{{text}}}\nchallenge: {{{concurrency}}}")[0]


def test_the_particular_comes_before_the_general() -> None:
    """First the names with more words, then exact clocks and speeds, `variants` and `standard` last."""
    names = ("standard", "variants", "blitz", "3+2", "standard_white", "blitz_white_bot", "atomic")
    found = engines(", ".join(f"{name}: {{name: a}}" for name in names))
    assert [entry.name for entry in found.engines] == [
        "blitz_white_bot",
        "standard_white",
        "3+2",
        "blitz",
        "atomic",
        "standard",
        "variants",
    ]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("time: 2.5", (2.5, None, None)),
        ("depth: 9", (None, 9, None)),
        ("nodes: 1000", (None, None, 1000)),
        ("time: 1, depth: 9, nodes: 1000", (1.0, 9, 1000)),
    ],
)
def test_each_limit_alone_makes_a_rule(limits: str, expected: tuple[Any, ...]) -> None:
    (rule,) = engines(f"standard: {{name: a, limits: {{{limits}}}}}").rules
    assert (rule.move_time_s, rule.depth, rule.nodes) == expected
    assert rule.ponder is None


def test_zero_is_no_limit() -> None:
    assert engines("standard: {name: a, limits: {time: 0, depth: 0}}").rules == ()


@pytest.mark.parametrize(
    ("ponders", "of_all", "of_each"),
    [(("true", "true"), True, None), (("false", "false"), False, None), (("true", "false"), None, [True, False])],
)
def test_what_all_engines_do_is_a_key_and_else_it_stands_in_their_rules(
    ponders: tuple[str, str], of_all: bool | None, of_each: list[bool | None] | None
) -> None:
    blitz, standard = ponders
    found = engines(f"blitz: {{name: a, ponder: {blitz}}}, standard: {{name: b, ponder: {standard}}}")
    assert [rule.ponder for rule in found.rules] == (of_each or [None] * 2)
    assert found.clock.ponder is (Settings().clock.ponder if of_all is None else of_all)


@pytest.mark.parametrize(("concurrency", "slots"), [("", 1), ("concurrency: 3", 3)])
def test_each_engine_serves_as_many_games_as_there_may_be(concurrency: str, slots: int) -> None:
    assert engines("standard: {name: a}", concurrency).engines[0].slots == slots


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ("silence_stderr: true", "other output of engines"),
        ("silence_stderr: false", ""),
        ("move_overhead_multiplier: 1.0", ""),
        ("move_overhead_multiplier: 1.5", "the overhead is measured"),
        ("surprise: 1", "has no counterpart"),
        ("limits: {surprise: 1}", "has no counterpart"),
    ],
)
def test_what_is_said_about_an_engine(keys: str, note: str) -> None:
    said = carried(f"engines: {{standard: {{name: a, {keys}}}}}")[1]
    assert said.count("\n") == 0
    assert (note in said) if note else said == ""


def books(text: str, files: str = "Main: main.bin, Other: other.bin") -> tuple[Any, str]:
    """The books that come out of these keys of `opening_books`, and the notes."""
    settings, notes = carried(f"engines: {{standard: {{name: a}}}}\nopening_books: {{{text}}}\nbooks: {{{files}}}")
    return settings.move_sources.books, notes


def test_a_book_without_limits_has_the_usual_ones() -> None:
    (book,), notes = books("enabled: true, books: {standard: {names: Main}}")
    usual = BookSettings(path=book.path)
    assert (book.max_ply, book.selection) == (usual.max_ply, "weighted")
    assert notes == ""


def test_limits_of_a_book_each_alone() -> None:
    found, notes = books(
        "enabled: true, books: {standard: {names: [Main, Other], selection: best_move, max_depth: 9},"
        " blitz: {names: Main, max_moves: 1}}"
    )
    assert [(book.path.name, book.max_ply, book.selection) for book in found] == [
        ("main.bin", 30, "weighted"),
        ("main.bin", 9, "best"),
        ("other.bin", 9, "best"),
    ]
    assert "blitz.max_moves: max_ply limits how long a source is asked" in notes


@pytest.mark.parametrize("enabled", ["enabled: false, ", ""])
def test_books_that_are_not_enabled_are_left_out_without_a_word(enabled: str) -> None:
    assert books(f"{enabled}books: {{standard: {{names: [Main, Gone]}}}}") == ((), "")


def test_what_is_wrong_with_books_is_said() -> None:
    found, notes = books("enabled: true, extra: 1, books: {odd: {names: Main}, blitz: {names: [Gone, Main], more: 1}}")
    assert [book.path.name for book in found] == ["main.bin"]
    assert [line.split(": ", 1)[1] for line in notes.splitlines()] == [
        "opening_books.books.odd: is not a known kind of game",
        "opening_books.books.blitz.names: 'Gone' is not among `books`",
        "opening_books.books.blitz.more: has no counterpart",
        "opening_books.extra: has no counterpart",
    ]


def online(text: str, priority: str = "") -> tuple[SourceSettings, str]:
    """The sources that come out of these keys of `online_moves`, and the notes."""
    text = f"engines: {{standard: {{name: a}}}}\nopening_books: {{{priority}}}\nonline_moves: {{{text}}}"
    settings, notes = carried(text)
    return settings.move_sources, notes


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("opening_explorer", "explorer"),
        ("lichess_cloud", "cloud"),
        ("chessdb", "chessdb"),
        ("online_egtb", "tablebase"),
    ],
)
def test_the_sources_that_are_enabled_and_no_others(theirs: str, ours: str) -> None:
    for enabled in (True, False):
        found = online(f"{theirs}: {{enabled: {str(enabled).lower()}}}")[0].online
        on = {name for name in ("explorer", "cloud", "chessdb", "tablebase") if getattr(found, name).enabled}
        assert on == ({ours} if enabled else set())


OPENING = "enabled: true, max_depth: 9, max_moves: 0, allow_repetitions: true, use_for_variants: true"


@pytest.mark.parametrize(("theirs", "ours"), [("opening_explorer", "explorer"), ("lichess_cloud", "cloud")])
def test_limits_of_a_source_for_openings(theirs: str, ours: str) -> None:
    found, notes = online(f"{theirs}: {{{OPENING}}}")
    source = getattr(found.online, ours)
    assert source.max_ply == 9
    assert notes == ""


def test_a_depth_of_the_cloud_is_its_own() -> None:
    assert online("lichess_cloud: {enabled: true, min_eval_depth: 15}")[0].online.cloud.min_depth == 15
    assert "min_eval_depth: has no counterpart" in online("chessdb: {enabled: true, min_eval_depth: 15}")[1]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("player: masters", ("masters", None, "score")),
        ("player: masters, anti: true", ("opponent", None, "score")),
        ("player: Ann, anti: true", ("opponent", None, "score")),
        ("player: Ann, selection: win_rate", ("player", "Ann", "score")),
        ("player: Ann, selection: performance", ("player", "Ann", "performance")),
    ],
)
def test_whose_games_the_explorer_looks_at(keys: str, expected: tuple[Any, ...]) -> None:
    found, notes = online(f"opening_explorer: {{enabled: true, {keys}, min_games: 3, only_with_wins: true}}")
    explorer = found.online.explorer
    assert (explorer.database, explorer.player, explorer.sort) == expected
    assert explorer.min_games == 3
    assert "only_with_wins: the score counts wins" in notes


@pytest.mark.parametrize(
    ("sources", "reserve_s", "budget_s"),
    [
        ("chessdb: {enabled: true, min_time: 20, timeout: 2}, online_egtb: {enabled: true, min_time: 30}", 30, 2),
        ("chessdb: {enabled: true, min_time: 20}, online_egtb: {enabled: false, min_time: 30, timeout: 9}", 20, None),
        ("chessdb: {enabled: true}", None, None),
        ("chessdb: {enabled: true, min_time: 0, timeout: 0}", None, None),
    ],
)
def test_the_longest_time_of_those_that_are_enabled_counts(
    sources: str, reserve_s: int | None, budget_s: int | None
) -> None:
    found, usual = online(sources)[0].online, SourceSettings().online
    assert found.reserve_s == (usual.reserve_s if reserve_s is None else reserve_s)
    assert found.budget_s == (usual.budget_s if budget_s is None else budget_s)


@pytest.mark.parametrize(
    ("sources", "book", "order"),
    [
        ("", "", ["book", "explorer", "cloud", "chessdb"]),
        ("chessdb: {priority: 250}", "", ["book", "explorer", "chessdb", "cloud"]),
        ("lichess_cloud: {priority: 500}", "", ["cloud", "book", "explorer", "chessdb"]),
        ("", "priority: 150", ["explorer", "cloud", "book", "chessdb"]),
    ],
)
def test_the_order_is_that_of_the_priorities_and_of_their_usual_ones(sources: str, book: str, order: list[str]) -> None:
    found = online(sources, book)[0].order
    assert [name for name in found if name in order] == order
    assert sorted(found) == sorted(SourceSettings().order)


@pytest.mark.parametrize(
    ("keys", "note"),
    [
        ("best_move: true", ""),
        ("best_move: false", "the best move is always played"),
        ("only_without_book: false", ""),
        ("only_without_book: true", "move_sources.order decides"),
        ("trust_eval: false", ""),
        ("trust_eval: true", "draws and resignations depend on the engine's scores"),
        ("surprise: 1", "has no counterpart"),
    ],
)
def test_what_is_said_about_a_source(keys: str, note: str) -> None:
    notes = online(f"chessdb: {{enabled: true, {keys}}}")[1]
    assert (note in notes) if note else notes == ""
    assert online(f"chessdb: {{enabled: false, {keys}}}")[1] == ""
