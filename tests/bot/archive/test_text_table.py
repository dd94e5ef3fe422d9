"""Plain tables for the terminal."""

from __future__ import annotations

import pytest

from bot.archive.tables import aligned, shortened


def test_columns_stand_below_each_other_numbers_to_the_right() -> None:
    rows = [("name", "games", "note"), ("Al", "7", "x"), ("Barbara", "123", "")]
    assert aligned(rows, right=frozenset({1})) == (
        "name     games  note\n"
        "Al           7  x\n"
        "Barbara    123\n"
    )  # fmt: skip


def test_what_fits_stays_as_it_is() -> None:
    rows = [("opponent", "n"), ("Barbara the Great", "7")]
    assert aligned(rows, fit=20, shrinking=(0,)) == aligned(rows)
    assert aligned(rows, fit=19, shrinking=(0,)) == aligned([rows[0], ("Barbara the Gre…", "7")])


@pytest.mark.parametrize(("fit", "widths"), [(52, (25, 25)), (45, (21, 22)), (1, (8, 19))])
def test_the_widest_column_gives_way_first_and_none_becomes_narrower_than_its_heading(
    fit: int, widths: tuple[int, int]
) -> None:
    rows = [("a", "a very long heading"), ("x" * 30, "y" * 25)]
    last = aligned(rows, fit=fit, shrinking=(0, 1)).splitlines()[-1]
    assert tuple(map(len, last.split())) == widths


def test_a_text_is_cut_only_where_it_is_too_long() -> None:
    assert [shortened(text, 5) for text in ("12345", "123456", "")] == ["12345", "1234…", ""]
