"""Parts of a run: written, read, added up."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak.report import Report, ReportError, add_up, parts_in, read_report, summary

SETTINGS = {"profile": "calm", "seed": 1}


def part(first: int, finished: int, *, complete: bool = True) -> Report:
    return Report(
        SETTINGS,
        first,
        "2026-11-22T19:00:00+00:00",
        complete=complete,
        wall_s=60.0,
        finished=finished,
        moves=finished * 40,
        statuses={"mate": finished},
        results={"won": finished},
        figures={"rss_mib": 70.0 + first},
        checks={"kept_once": 1},
        excused=[{"game_id": f"g{first}", "text": "3.0 s on our clock at the kill"}],
        violations=[{"invariant": "no_secret", "game_id": "", "text": f"part {first}"}],
    )


def test_parts_add_up(tmp_path: Path) -> None:
    for number, one in enumerate([part(1, 10), part(11, 5), part(16, 7, complete=False)], 1):
        one.write(tmp_path / f"part-{number:03}.json")
    total = add_up(parts_in(tmp_path))
    assert (total.finished, total.moves, total.wall_s) == (15, 600, 120.0)
    assert total.statuses == {"mate": 15}
    assert total.figures == {"rss_mib": 81.0}
    assert total.checks == {"kept_once": 2}
    assert [one["text"] for one in total.violations] == ["part 1", "part 11"]
    assert [one["game_id"] for one in total.excused] == ["g1", "g11"]
    assert "games 15 (won 15), moves 600, 2.0 min" in summary(total)


def test_without_a_complete_part_there_is_nothing_to_add_up() -> None:
    with pytest.raises(ReportError, match="no complete part"):
        add_up([part(1, 3, complete=False)])


@pytest.mark.parametrize("content", ["{", "[]", '{"kind": "other"}', '{"kind": "bot88 soak report", "new": 1}'])
def test_what_is_no_report_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "part-001.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ReportError, match=r"part-001\.json"):
        read_report(path)
