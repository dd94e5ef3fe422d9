"""The file of reviews: kept as each is done, read again, whatever was torn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.archive.review.reviews_file import ReviewsFile
from bot.errors import ConfigurationError
from tests.bot.archive.review.test_values import fools_mate_review


def test_what_was_added_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "new" / "reviews.jsonl"
    one, other = fools_mate_review("one"), fools_mate_review("other")
    with ReviewsFile(path, "engine88", 1000) as file:
        file.add(one)
        assert path.read_text(encoding="utf-8").count("\n") == 1  # at once: a kill loses nothing
        file.add(other)
    with ReviewsFile(path, "engine88", 1000) as file:
        assert file.reviews == {"one": one, "other": other}


def test_reviews_of_another_engine_or_depth_stay_but_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    with ReviewsFile(path, "engine88", 1000) as file:
        file.add(fools_mate_review())
    for entry, nodes in (("other", 1000), ("engine88", 5)):
        with ReviewsFile(path, entry, nodes) as file:
            assert file.reviews == {}
            file.add(replace(fools_mate_review(), entry=entry, nodes=nodes))
    with ReviewsFile(path, "engine88", 1000) as file:
        assert list(file.reviews) == ["abcdefgh"]


def test_a_torn_line_is_taken_away_and_a_damaged_one_told(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    line = fools_mate_review().to_json()
    path.write_text(f"garbage\n{line}\n{line[:50]}", encoding="utf-8")
    with capture_logs() as logs, ReviewsFile(path, "engine88", 1000) as file:
        assert list(file.reviews) == ["abcdefgh"]
        file.add(fools_mate_review("another1"))
    assert [(entry["event"], entry["line"]) for entry in logs] == [("review_ignored", 1)]
    assert path.read_text(encoding="utf-8").splitlines()[1:] == [line, fools_mate_review("another1").to_json()]


def test_a_line_torn_within_a_letter_is_taken_away_too(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    whole = fools_mate_review().to_json().encode()
    path.write_bytes(whole + b"\n" + '{"engine": "Zü'.encode()[:-1])
    with ReviewsFile(path, "engine88", 1000) as file:
        assert list(file.reviews) == ["abcdefgh"]
    assert path.read_bytes() == whole + b"\n"


def test_a_separator_of_lines_in_the_name_of_an_engine_ends_no_line(tmp_path: Path) -> None:
    path, review = tmp_path / "reviews.jsonl", replace(fools_mate_review(), engine="En\u2028gine \x851")
    with ReviewsFile(path, "engine88", 1000) as file:
        file.add(review)
    with ReviewsFile(path, "engine88", 1000) as file:
        assert file.reviews == {"abcdefgh": review}


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be used for reviews"):
        ReviewsFile(tmp_path / "file" / "reviews.jsonl", "engine88", 1000)
