"""UCI options: what an entry asks of its engine, what the engine offers, and its share of memory and processors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import chess.engine
import structlog

from bot.engine_pool.protocol import MonitoredUci
from bot.engine_pool.values import OptionValue
from bot.errors import did_you_mean
from bot.settings import TOKEN_VARIABLE, EngineEntry
from bot.settings.document import PREFIX

log = structlog.get_logger(__name__)

HASH_SHARE = 0.25  # of the memory, for the hash tables of all engine processes together
MAX_HASH_MIB = 4096  # for one process; more gains nothing at a bot's time controls
_MIB = 1024 * 1024
_CGROUP_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class ProcessShare:
    """What one engine process may use: hash table in MiB (a power of two; None: unknown) and search threads."""

    hash_mib: int | None = None
    threads: int = 1


def process_share(
    entries: Iterable[EngineEntry], memory_bytes: int | None = None, cores: float | None = None
) -> ProcessShare:
    """Divide the machine among the local entries: memory by processes (slots and spares), processors by slots."""
    local = [entry for entry in entries if not entry.remote]
    processes = sum(entry.slots + entry.spares for entry in local) or 1
    slots = sum(entry.slots for entry in local) or 1
    memory = memory_bytes if memory_bytes is not None else usable_memory_bytes()
    threads = max(1, int((cores if cores is not None else usable_cores()) / slots))
    if memory is None:
        return ProcessShare(None, threads)
    mib = max(1, min(MAX_HASH_MIB, int(HASH_SHARE * memory / processes / _MIB)))
    return ProcessShare(1 << (mib.bit_length() - 1), threads)


def resolve_auto(
    options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option], share: ProcessShare
) -> dict[str, OptionValue]:
    """Replace `auto` of `Hash` and `Threads` by numbers within the engine's own limits.

    `auto` is left out (the engine keeps its default) where the memory is unknown or the engine lacks the option.
    Other options named "auto" are the engine's own business.
    """
    numbers = {"hash": share.hash_mib, "threads": share.threads}
    resolved: dict[str, OptionValue] = {}
    for name, value in options.items():
        if value != "auto" or name.lower() not in numbers:
            resolved[name] = value
            continue
        number, option = numbers[name.lower()], declared.get(name)
        if number is None or option is None:
            continue
        most = number if option.max is None else min(number, option.max)
        resolved[name] = most if option.min is None else max(most, option.min)
    return resolved


def own_cgroup(membership: Path = Path("/proc/self/cgroup"), root: Path = _CGROUP_ROOT) -> Path:
    """The folder of this program's control group (Linux, version 2); a container sees its own as the root."""
    for line in _read(membership).splitlines():
        if line.startswith("0::/"):
            return root / line.removeprefix("0::/")
    return root


def usable_cores(cgroup: Path | None = None) -> float:
    """Processors this program may use: its affinity, less where its control group has a smaller quota."""
    try:
        cores = float(len(os.sched_getaffinity(0)))
    except AttributeError:  # not Linux
        cores = float(os.cpu_count() or 1)
    quota, _, period = _read((cgroup or own_cgroup()) / "cpu.max").partition(" ")
    if quota.isdecimal() and period.isdecimal() and int(period):
        cores = min(cores, int(quota) / int(period))
    return cores


def usable_memory_bytes(cgroup: Path | None = None) -> int | None:
    """The machine's memory, less where the control group has a smaller limit; None if the system does not say."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # no sysconf, or not these names
        return None
    limit = _read((cgroup or own_cgroup()) / "memory.max")
    return min(memory, int(limit)) if limit.isdecimal() else memory


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def settable(options: Mapping[str, OptionValue]) -> dict[str, str | int | bool | None]:
    """Without those that python-chess sets itself for each search; UCI has no fractions, they become text."""
    return {
        name: str(value) if isinstance(value, float) else value
        for name, value in options.items()
        if name.lower() not in chess.engine.MANAGED_OPTIONS
    }


def offered(
    options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option], engine: str
) -> dict[str, OptionValue]:
    """Without the options that this engine does not declare: those of a rule go to whichever engine serves the game."""
    missing = [name for name in options if name not in declared]
    if missing:
        log.warning("engine_option_unknown", engine=engine, options=missing)
    return {name: value for name, value in options.items() if name in declared}


def as_declared(
    options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option]
) -> dict[str, OptionValue]:
    """Under the names that the engine declares: UCI compares them without case, and each is to be there once."""
    names = {name.lower(): name for name in declared}
    return {names.get(name.lower(), name): value for name, value in options.items()}


def limited_strength(elo: int, declared: Mapping[str, chess.engine.Option]) -> dict[str, OptionValue]:
    """The options with which an engine plays at a strength, or the nearest it can; none where it has no such levels."""
    option = declared.get("UCI_Elo")
    if option is None or "UCI_LimitStrength" not in declared:
        return {}
    least = elo if option.min is None else max(elo, option.min)
    return {"UCI_LimitStrength": True, "UCI_Elo": least if option.max is None else min(least, option.max)}


def environment(entry: EngineEntry) -> dict[str, str]:
    """Return the environment of its processes: ours and the entry's, without our configuration and its secrets."""
    ours = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE and not name.startswith(PREFIX)}
    return {**ours, **entry.environment}


def variants(protocol: MonitoredUci) -> list[str]:
    """The variants that the engine offers beside chess, by their UCI names."""
    option = protocol.options.get("UCI_Variant")
    return list(option.var or ()) if option is not None else []


def start_hint(entry: EngineEntry) -> str:
    """What to do about an entry that does not start."""
    return f"try the command by hand: {' '.join(entry.argv)}"


def unknown_options(options: Mapping[str, OptionValue], declared: Mapping[str, chess.engine.Option]) -> str:
    """Say which options the engine lacks, and what to do about it; "" for none. Case does not matter."""
    known = {name.lower() for name in declared}
    missing = [name for name in options if name.lower() not in known]
    if not missing:
        return ""
    hint = did_you_mean(missing[0], declared)
    remedy = f"{hint} Correct" if hint else "correct"
    return (
        f"this engine has no option {', '.join(missing)}; {remedy} or remove it under `options` "
        f"(the engine has: {', '.join(declared)})"
    )
