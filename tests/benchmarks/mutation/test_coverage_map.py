"""A map is kept in a file, and read from the data files of all programs that ran."""

from __future__ import annotations

from pathlib import Path

import coverage

from benchmarks.mutation.coverage_map import CoverageMap, read_lines


def test_a_map_is_read_back_as_it_was(tmp_path: Path) -> None:
    covered = CoverageMap({"bot/a.py": {3: ["t::one", ""]}}, {"t::one": 0.5}, ["t::two"])
    covered.save(tmp_path / "map.json")
    assert CoverageMap.load(tmp_path / "map.json") == covered


def test_the_lines_of_all_programs_are_put_together(tmp_path: Path) -> None:
    for number, (test, lines) in enumerate({"t::one": [1, 2], "t::two": [2, 5]}.items()):
        data = coverage.CoverageData(str(tmp_path / "data"), suffix=str(number))
        data.set_context(test)
        data.add_lines({str(tmp_path / "bot" / "a.py"): lines})
        data.write()
        data.close()
    assert read_lines(tmp_path / "data", tmp_path) == {
        "bot/a.py": {1: ["t::one"], 2: ["t::one", "t::two"], 5: ["t::two"]}
    }
