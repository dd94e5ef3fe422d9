"""BotLi's engines and books by kinds of games, key by key."""

from __future__ import annotations

from typing import Any

import pytest

from bot.migration.botli_games import STANDARD, conditions
from bot.settings import BookSettings, Settings
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
        ("silence_stderr: true", "what engines say besides UCI"),
        ("silence_stderr: false", ""),
        ("move_overhead_multiplier: 1.0", ""),
        ("move_overhead_multiplier: 1.5", "the overhead is measured"),
        ("surprise: 1", "has no equivalent here"),
        ("limits: {surprise: 1}", "has no equivalent here"),
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
    assert (book.max_ply, book.max_moves, book.selection) == (usual.max_ply, usual.max_moves, "weighted")
    assert book.allow_repetitions
    assert notes == ""


def test_limits_of_a_book_each_alone() -> None:
    found, _notes = books(
        "enabled: true, books: {standard: {names: [Main, Other], selection: best_move, max_depth: 9},"
        " blitz: {names: Main, max_moves: 1}}"
    )
    assert [(book.path.name, book.max_ply, book.max_moves, book.selection) for book in found] == [
        ("main.bin", 30, 1, "weighted"),
        ("main.bin", 9, None, "best"),
        ("other.bin", 9, None, "best"),
    ]


@pytest.mark.parametrize("enabled", ["enabled: false, ", ""])
def test_books_that_are_not_enabled_are_left_out_without_a_word(enabled: str) -> None:
    assert books(f"{enabled}books: {{standard: {{names: [Main, Gone]}}}}") == ((), "")


def test_what_is_wrong_with_books_is_said() -> None:
    found, notes = books("enabled: true, extra: 1, books: {odd: {names: Main}, blitz: {names: [Gone, Main], more: 1}}")
    assert [book.path.name for book in found] == ["main.bin"]
    assert [line.split(": ", 1)[1] for line in notes.splitlines()] == [
        "opening_books.books.odd: names no kind of game that is known here",
        "opening_books.books.blitz.names: 'Gone' is not among `books`",
        "opening_books.books.blitz.more: has no equivalent here",
        "opening_books.extra: has no equivalent here",
    ]
