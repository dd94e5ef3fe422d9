"""What both formats share: paths, names, texts, options and tables, read from a section of either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.migration import common
from bot.migration.common import Values
from bot.migration.reader import Section
from bot.settings import SourceSettings
from bot.settings.document import read_document

FOLDER = Path("/srv/old")


def section(text: str) -> tuple[Section, list[str]]:
    """A section of such keys, and where its notes go."""
    notes: list[str] = []
    return Section(read_document(text, "x.yml"), "x.yml", notes), notes


def test_a_value_is_put_at_its_path_and_no_value_nowhere() -> None:
    target: Values = {}
    common.put(target, "a.b.c", 1)
    common.put(target, "a.d", False)
    common.put(target, "e", None)
    common.put(target, "f.g", None)
    assert target == {"a": {"b": {"c": 1}, "d": False}}


def test_paths_start_from_the_folder_of_the_file_unless_they_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    paths = ("bin/a", "../b", "/opt/c", "~/d")
    assert [common.located(path, FOLDER) for path in paths] == ["/srv/old/bin/a", "/srv/b", "/opt/c", "/home/me/d"]


@pytest.mark.parametrize(
    ("said", "put", "note"),
    [
        ("Hi {opponent}", "Hi {opponent}", ""),
        ("Hi {weather}!", "Hi !", "are filled in; other words in braces were removed"),
        ("x" * 420, "x" * 420, ""),
        ("x" * 421, None, "is longer than 420 characters"),
        ("", None, ""),
    ],
)
def test_a_text_of_the_chat(said: str, put: str | None, note: str) -> None:
    one, notes = section(f"hello: {said!r}")
    target: Values = {}
    common.chat(one, target, {"hello": "greeting"})
    assert target == ({} if put is None else {"conduct": {"chat": {"greeting": put}}})
    assert len(notes) == bool(note)
    assert all(note in one for one in notes)


def test_options_that_the_bot_sets_itself_are_left_out_however_they_are_spelled() -> None:
    one, notes = section(
        "{Hash: 16, PONDER: true, uci_chess960: true, UCI_Variant: x, MultiPV: 2, Contempt: 0.5, More: {a: 1}}"
    )
    assert common.engine_options(one) == {"Hash": 16, "Contempt": 0.5}
    assert [note.split(": ")[1] for note in notes] == ["PONDER", "uci_chess960", "UCI_Variant", "MultiPV", "More"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{enabled: true, paths: [a, /b], max_pieces: 4}", {"paths": ["/srv/old/a", "/b"], "max_pieces": 4}),
        ("{enabled: true, paths: a, max_pieces: 6}", {"paths": ["/srv/old/a"], "max_pieces": 5}),
        ("{enabled: true, paths: a}", {"paths": ["/srv/old/a"]}),
        ("{enabled: true, paths: a, max_pieces: 0}", {"paths": ["/srv/old/a"]}),
        ("{enabled: false, paths: a, max_pieces: 4}", None),
        ("{paths: a}", None),
    ],
)
def test_tables_are_those_that_are_enabled(text: str, expected: Values | None) -> None:
    target: Values = {}
    common.tablebase(section(text)[0], target, "gaviota", 5, FOLDER)
    assert target == ({} if expected is None else {"move_sources": {"gaviota": expected}})


@pytest.mark.parametrize(
    ("read", "words", "expected", "unknown"),
    [
        (common.variants, "[standard, 3Check, giveaway, antichess, chess]", ["standard", "threeCheck", "antichess"], 1),
        (common.speeds, "[Blitz, ultrabullet, 3+2, 10+0, slow, 3+x]", ["blitz", "ultraBullet", "3+2", "10+0"], 2),
        (common.variants, "[3+2]", [], 1),
        (common.speeds, "rapid", ["rapid"], 0),
    ],
)
def test_names_of_variants_and_speeds_become_ours_once_each(
    read: Any, words: str, expected: list[str], unknown: int
) -> None:
    one, notes = section(f"names: {words}")
    assert read(one, "names") == expected
    assert len(notes) == unknown
    assert all(note.endswith("is unknown") for note in notes)


def test_users_are_names_and_lists_whose_address_is_completed() -> None:
    one, notes = section(
        "{a: [Rude, lists.example/bots, https://other.example/x, a/b, .hidden/x, rude.name], b: [Rude, Slow]}"
    )
    assert common.users(one, "a", "b", "c") == [
        "Rude",
        "https://lists.example/bots",
        "https://other.example/x",
        "a/b",
        ".hidden/x",
        "rude.name",
        "Slow",
    ]
    assert notes == []


@pytest.mark.parametrize(
    ("priorities", "order"),
    [
        ({"book": 4, "explorer": 3, "cloud": 2, "chessdb": 1}, ["book", "explorer", "cloud", "chessdb"]),
        ({"book": 1, "explorer": 2, "cloud": 3, "chessdb": 4}, ["chessdb", "cloud", "explorer", "book"]),
    ],
)
def test_the_order_of_sources_is_that_of_their_priorities(priorities: dict[str, int], order: list[str]) -> None:
    found = common.online_order(priorities)
    usual = [name for name in SourceSettings().order if name in priorities]
    assert (usual if found is None else found[:4]) == order
    assert found is None or sorted(found) == sorted(SourceSettings().order)
    assert common.online_order({name: -place for place, name in enumerate(usual)}) is None


@pytest.mark.parametrize(
    ("word", "clock"),
    [("3+2", "3+2"), ("0.5+0", "0.5+0"), ("1.50+1", "1.5+1"), ("3", None), ("3+x", None), ("blitz", None)],
)
def test_an_exact_clock_in_our_spelling(word: str, clock: str | None) -> None:
    assert common.clock_of(word) == clock
