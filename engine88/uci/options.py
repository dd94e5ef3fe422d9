"""The UCI options: how they are announced, and how a ``setoption`` changes `EngineOptions`."""

from dataclasses import dataclass, replace

from engine88.contract import (
    MAX_ELO,
    MAX_HASH_MB,
    MAX_MOVE_OVERHEAD_MS,
    MAX_MULTIPV,
    MAX_THREADS,
    MIN_ELO,
    EngineOptions,
)
from engine88.uci.text import UciError, whole_number

CLEAR_HASH = "Clear Hash"


@dataclass(frozen=True, slots=True)
class Spin:
    """A whole number within a range."""

    name: str
    field: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Check:
    """True or false."""

    name: str
    field: str


@dataclass(frozen=True, slots=True)
class Text:
    """Any text, such as a path."""

    name: str
    field: str


OPTIONS: tuple[Spin | Check | Text, ...] = (
    Spin("Hash", "hash_mb", 1, MAX_HASH_MB),
    Spin("Threads", "threads", 1, MAX_THREADS),
    Check("Ponder", "ponder"),
    Spin("MultiPV", "multipv", 1, MAX_MULTIPV),
    Check("UCI_Chess960", "chess960"),
    Spin("Move Overhead", "move_overhead_ms", 0, MAX_MOVE_OVERHEAD_MS),
    Check("UCI_LimitStrength", "limit_strength"),
    Spin("UCI_Elo", "elo", MIN_ELO, MAX_ELO),
    Check("UCI_ShowWDL", "show_wdl"),
    Text("EvalFile", "eval_file"),
)


def option_lines() -> list[str]:
    """Return the lines that announce all options with their defaults."""
    defaults = EngineOptions()
    lines = [_announce(option, getattr(defaults, option.field)) for option in OPTIONS]
    return [*lines, f"option name {CLEAR_HASH} type button"]


def apply_option(options: EngineOptions, name: str, value: str | None) -> EngineOptions:
    """Return the options with one changed; names compare without case.  Raises UciError that names the option."""
    option = next((option for option in OPTIONS if option.name.lower() == name.lower()), None)
    if option is None:
        known = ", ".join([option.name for option in OPTIONS] + [CLEAR_HASH])
        raise UciError(f"setoption: unknown option {name!r}; there are {known}")
    if value is None:
        raise UciError(f"setoption: {option.name!r} needs a value")
    read = _read(option, value)
    return replace(options, **{option.field: read})  # type: ignore[arg-type]  # the field's type is the option's kind


def is_clear_hash(name: str) -> bool:
    """Return whether this is the name of the one button."""
    return name.lower() == CLEAR_HASH.lower()


def _announce(option: Spin | Check | Text, default: int | bool | str) -> str:
    """Write one ``option`` line."""
    if isinstance(option, Check):
        return f"option name {option.name} type check default {'true' if default else 'false'}"
    if isinstance(option, Text):
        return f"option name {option.name} type string default {default}"
    return f"option name {option.name} type spin default {default} min {option.low} max {option.high}"


def _read(option: Spin | Check | Text, value: str) -> int | bool | str:
    """Read a value of the option's kind."""
    if isinstance(option, Text):
        return value
    return _read_check(option, value) if isinstance(option, Check) else _read_spin(option, value)


def _read_check(option: Check, value: str) -> bool:
    """Read true or false."""
    if value.lower() not in ("true", "false"):
        raise UciError(f"setoption: {option.name!r} must be true or false, not {value!r}")
    return value.lower() == "true"


def _read_spin(option: Spin, value: str) -> int:
    """Read a number of the option's range."""
    number = whole_number(value)
    if number is None or not option.low <= number <= option.high:
        span = f"from {option.low} to {option.high}"
        raise UciError(f"setoption: {option.name!r} must be a whole number {span}, not {value!r}")
    return number
