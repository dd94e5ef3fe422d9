"""`Hash: auto` and `Threads: auto`."""

from __future__ import annotations

import os
from pathlib import Path

import chess
import pytest
from chess.engine import Option

from bot.engine_pool.options import (
    ProcessShare,
    own_cgroup,
    process_share,
    resolve_auto,
    usable_cores,
    usable_memory_bytes,
)
from bot.engine_pool.pool import EnginePool
from bot.settings import EngineEntry
from tests.helpers.engines import best_move, remote_entry, tiny_entry

GIB = 1024**3


def spin(name: str, least: int | None, most: int | None) -> Option:
    """A number that an engine lets one set."""
    return Option(name, "spin", 1, least, most, None)


DECLARED = {
    "Hash": spin("Hash", 1, 1024),
    "Threads": spin("Threads", 1, 8),
    "Backend": Option("Backend", "string", "", None, None, None),
}


@pytest.mark.parametrize(
    ("slots", "spares", "memory_gib", "cores", "expected"),
    [
        (1, 0, 8, 4.0, ProcessShare(2048, 4)),
        (1, 1, 8, 4.0, ProcessShare(1024, 4)),
        (2, 1, 8, 4.0, ProcessShare(512, 2)),  # 682 MiB, rounded down
        (1, 0, 256, 4.0, ProcessShare(4096, 4)),
        (100, 100, 0.5, 1.5, ProcessShare(1, 1)),
        (2, 0, 4, 3.9, ProcessShare(512, 1)),
    ],
)
def test_the_machine_is_divided(
    slots: int, spares: int, memory_gib: float, cores: float, expected: ProcessShare
) -> None:
    entries = [tiny_entry(slots=slots, spares=spares), remote_entry("none", slots=50)]
    assert process_share(entries, int(memory_gib * GIB), cores) == expected


def test_all_local_entries_share_it() -> None:
    entries = [tiny_entry(name=name, slots=1, spares=1) for name in ("one", "two")]
    assert process_share(entries, 8 * GIB, 8.0) == ProcessShare(512, 4)


def test_where_only_remote_entries_are_the_whole_machine_is_one_share() -> None:
    assert process_share([remote_entry("none")], 8 * GIB, 8.0) == ProcessShare(2048, 8)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"Hash": "auto", "Threads": "auto"}, {"Hash": 512, "Threads": 3}),
        ({"Hash": 16, "Threads": 2}, {"Hash": 16, "Threads": 2}),
        ({"Backend": "auto"}, {"Backend": "auto"}),
        ({"hash": "auto"}, {}),  # the engine spells it otherwise
        ({}, {}),
    ],
)
def test_auto_becomes_a_number(options: dict[str, str | int], expected: dict[str, str | int]) -> None:
    assert resolve_auto(options, DECLARED, ProcessShare(512, 3)) == expected


def test_auto_stays_within_the_engines_limits() -> None:
    assert resolve_auto({"Hash": "auto", "Threads": "auto"}, DECLARED, ProcessShare(4096, 64)) == {
        "Hash": 1024,
        "Threads": 8,
    }
    assert resolve_auto({"Hash": "auto"}, {"Hash": spin("Hash", 16, None)}, ProcessShare(2, 1)) == {"Hash": 16}
    assert resolve_auto({"Hash": "auto"}, {"Hash": spin("Hash", None, None)}, ProcessShare(2, 1)) == {"Hash": 2}


def test_where_memory_is_unknown_the_engine_keeps_its_default() -> None:
    assert resolve_auto({"Hash": "auto", "Threads": "auto"}, DECLARED, ProcessShare(None, 2)) == {"Threads": 2}


def cgroup(folder: Path, **files: str) -> Path:
    """A control group with these files."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text + "\n")
    return folder


def test_the_limits_of_a_container_count(tmp_path: Path) -> None:
    group = cgroup(tmp_path, memory_max="100000000", cpu_max="50000 0")
    assert usable_cores(group) == len(os.sched_getaffinity(0))  # not a quota
    group = cgroup(tmp_path, memory_max="100000000", cpu_max="50000 100000")
    assert usable_memory_bytes(group) == 100_000_000
    assert usable_cores(group) == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0::/system.slice/bot88.service\n", "system.slice/bot88.service"),
        ("12:cpu:/x\n0::/a\n", "a"),
        ("0::/\n", ""),
        ("4:memory:/old\n", ""),
    ],
)
def test_a_service_has_its_own_control_group(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text(text)
    assert own_cgroup(tmp_path / "cgroup", tmp_path) == tmp_path / expected
    assert own_cgroup(tmp_path / "none", tmp_path) == tmp_path


def test_without_limits_it_is_the_machine(tmp_path: Path) -> None:
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for group in (tmp_path / "none", cgroup(tmp_path, memory_max="max", cpu_max="max 100000")):
        assert usable_memory_bytes(group) == machine
        assert usable_cores(group) == len(os.sched_getaffinity(0))


def test_without_affinity_it_is_every_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert usable_cores(tmp_path) == 7.0
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores(tmp_path) == 1.0


@pytest.mark.parametrize("error", [AttributeError, ValueError, OSError])
def test_memory_is_unknown_where_the_system_does_not_tell(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sysconf(_name: str) -> int:
        raise error

    monkeypatch.setattr(os, "sysconf", sysconf)
    assert usable_memory_bytes(tmp_path) is None


def test_a_limit_above_the_machine_is_none(tmp_path: Path) -> None:
    group = cgroup(tmp_path, memory_max=str(2**60), cpu_max="100000000 100000")
    assert usable_memory_bytes(group) == usable_memory_bytes(tmp_path / "none")
    assert usable_cores(group) == len(os.sched_getaffinity(0))


def test_a_pool_sets_them(tmp_path: Path) -> None:
    log = tmp_path / "log"
    entry = tiny_entry("good", "--log", str(log), options={"Hash": "auto", "Threads": "auto"})
    with EnginePool([entry], fallback=None) as pool:
        assert best_move(pool.lend(), chess.Board()).error is None
    told = log.read_text()
    share = process_share([entry])
    for name, value, default in (("Hash", min(64, share.hash_mib or 0), 16), ("Threads", min(4, share.threads), 1)):
        assert f"setoption name {name} value {value}" in told or value == default  # which is an engine's default
    assert "auto" not in told


def test_auto_is_refused_for_a_remote_engine() -> None:
    with pytest.raises(ValueError, match="option Hash: `auto` measures this machine"):
        EngineEntry(name="far", command=("ssh", "far"), remote=True, options={"Hash": "auto"})
    assert EngineEntry(name="far", command=("ssh", "far"), remote=True, options={"Backend": "auto"}).remote
