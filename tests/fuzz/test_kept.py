"""What fuzzing keeps: findings as files, inputs that reach different code in an archive."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.kept import all_kept, archive, findings, keep_finding, keep_reaching, reaching


def test_an_archive_gives_back_its_inputs_once_each(tmp_path: Path) -> None:
    assert keep_reaching("a", [b"one", b"two", b"one", b""], tmp_path) == 3
    assert sorted(reaching("a", tmp_path)) == [b"", b"one", b"two"]


def test_the_same_inputs_give_the_same_archive(tmp_path: Path) -> None:
    keep_reaching("a", [b"one", b"two"], tmp_path)
    before = archive("a", tmp_path).read_bytes()
    keep_reaching("a", [b"two", b"one"], tmp_path)
    assert archive("a", tmp_path).read_bytes() == before


def test_a_target_without_an_archive_has_no_inputs(tmp_path: Path) -> None:
    assert reaching("a", tmp_path) == []
    assert list(all_kept("a", tmp_path)) == []


def test_findings_and_archive_are_told_apart_by_target(tmp_path: Path) -> None:
    path = keep_finding("fen", b"bad", tmp_path)
    keep_finding("bot-fen", b"worse", tmp_path)
    keep_reaching("fen", [b"far"], tmp_path)
    assert findings("fen", tmp_path) == [path]
    assert [data for _label, data in all_kept("fen", tmp_path)] == [b"bad", b"far"]
    labels = [label for label, _data in all_kept("fen", tmp_path)]
    assert labels[0] == path.name
    assert labels[1].startswith("fen.zip/")
