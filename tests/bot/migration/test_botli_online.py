"""BotLi's online sources, key by key."""

from __future__ import annotations

from typing import Any

import pytest

from bot.settings import SourceSettings
from tests.bot.migration.test_botli import carried


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


OPENING = "enabled: true, max_depth: 9, max_moves: 4, allow_repetitions: true, use_for_variants: true"


@pytest.mark.parametrize(("theirs", "ours"), [("opening_explorer", "explorer"), ("lichess_cloud", "cloud")])
def test_limits_of_a_source_for_openings(theirs: str, ours: str) -> None:
    found, notes = online(f"{theirs}: {{{OPENING}}}")
    source = getattr(found.online, ours)
    assert (source.max_ply, source.max_moves, source.allow_repetitions) == (9, 4, True)
    assert notes == ""


def test_a_depth_of_the_cloud_is_its_own() -> None:
    assert online("lichess_cloud: {enabled: true, min_eval_depth: 15}")[0].online.cloud.min_depth == 15
    assert "min_eval_depth: has no equivalent here" in online("chessdb: {enabled: true, min_eval_depth: 15}")[1]


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
    explorer = online(f"opening_explorer: {{enabled: true, {keys}, min_games: 3, only_with_wins: true}}")[
        0
    ].online.explorer
    assert (explorer.database, explorer.player, explorer.sort) == expected
    assert (explorer.min_games, explorer.only_with_wins) == (3, True)


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
        ("best_move: false", "always the best move"),
        ("only_without_book: false", ""),
        ("only_without_book: true", "a book that comes first in move_sources.order"),
        ("trust_eval: false", ""),
        ("trust_eval: true", "draws and resignations go by the engine's scores"),
        ("surprise: 1", "has no equivalent here"),
    ],
)
def test_what_is_said_about_a_source(keys: str, note: str) -> None:
    notes = online(f"chessdb: {{enabled: true, {keys}}}")[1]
    assert (note in notes) if note else notes == ""
    assert online(f"chessdb: {{enabled: false, {keys}}}")[1] == ""
