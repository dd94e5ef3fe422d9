"""The pictures of strength are those of the figures beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.strength_pictures import PICTURES, main, read_matches


def test_every_match_is_in_its_picture_and_both_are_drawn_again_the_same(tmp_path: Path) -> None:
    (tmp_path / "strength.csv").write_text((PICTURES / "strength.csv").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(tmp_path) == 0
    first = (tmp_path / "versions.svg").read_bytes()
    assert main(tmp_path) == 0
    assert (tmp_path / "versions.svg").read_bytes() == first
    for match in read_matches(PICTURES / "strength.csv"):
        assert f"<!-- {match.name} -->" in (tmp_path / f"{match.picture}.svg").read_text(encoding="utf-8")


def test_a_bar_beside_its_figure_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strength.csv"
    path.write_text("picture,name,condition,games,elo,low,high\nladder,Someone,1+0,10,5,10,20\n", encoding="utf-8")
    with pytest.raises(ValueError, match="Someone"):
        read_matches(path)
