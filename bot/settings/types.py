"""The base of all sections, and the types of values: numbers, lists, paths, clocks, users."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    SecretStr,
    Strict,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from bot.errors import ConfigurationError, choices


class Closed(BaseModel):
    """A section: unknown keys are errors, and values never change after loading.

    The text below a field is its description in the reference, the JSON schema and the comments of config/bot88.yml.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)


def section_model(annotation: Any) -> type[BaseModel] | None:
    """Return the model in a field's annotation, also within a list, None for plain values."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(section_model, get_args(annotation))), None)


def listed(value: object) -> object:
    """Accept a single entry where a list is expected."""
    return [value] if isinstance(value, (str, dict)) else value


def error_at(place: tuple[str | int, ...], problem: str) -> ValidationError:
    """Return an error for a validator of the whole configuration to raise about the value at a path."""
    kind = PydanticCustomError("value_at", "{problem}", {"problem": problem})
    return ValidationError.from_exception_data("Settings", [{"type": kind, "loc": place, "input": None}])


def unique(values: tuple[str, ...]) -> tuple[str, ...]:
    """Reject a list in which an entry appears twice."""
    for index, value in enumerate(values):
        if value in values[:index]:
            raise ValueError(f"{value!r} appears twice")
    return values


def _located(path: Path, info: ValidationInfo) -> Path:
    """Resolve a relative path from the folder of the configuration file."""
    path = path.expanduser()
    folder = (info.context or {}).get("folder")
    if folder is not None:
        path = Path(folder) / path
    return Path(os.path.normpath(path)) if path.is_absolute() else path


# YAML's own types are taken literally: `true` is not a number, "5" is text, 1 is not a truth value.
Flag = Annotated[bool, Strict()]
Count = Annotated[int, Strict(), Field(ge=0)]
Positive = Annotated[int, Strict(), Field(ge=1)]
Number = Annotated[int, Strict()]
Seconds = Annotated[float, Strict(), Field(ge=0)]
Share = Annotated[float, Strict(), Field(ge=0, le=0.05)]  # of our clock, for a move
Text = Annotated[str, Strict()]
Secret = Annotated[SecretStr, PlainSerializer(lambda _secret: "***", when_used="json")]
FilePath = Annotated[Path, AfterValidator(_located)]
FilePaths = Annotated[tuple[FilePath, ...], BeforeValidator(listed)]
Names = Annotated[tuple[Text, ...], BeforeValidator(listed)]

Variant = Literal[
    "standard",
    "chess960",
    "fromPosition",
    "antichess",
    "atomic",
    "crazyhouse",
    "horde",
    "kingOfTheHill",
    "racingKings",
    "threeCheck",
]
ClockSpeed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical"]
Speed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]
Mode = Literal["rated", "casual"]
OpponentKind = Literal["human", "bot", "ai"]
Color = Literal["white", "black"]

Variants = Annotated[tuple[Variant, ...], BeforeValidator(listed), AfterValidator(unique)]
Modes = Annotated[tuple[Mode, ...], BeforeValidator(listed), AfterValidator(unique)]
OpponentKinds = Annotated[tuple[OpponentKind, ...], BeforeValidator(listed), AfterValidator(unique)]

SPEEDS: tuple[Speed, ...] = get_args(Speed)  # the fastest first
_BELOW_S: tuple[tuple[int, ClockSpeed], ...] = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
_FRACTIONS = {"¼": 0.25, "½": 0.5, "¾": 0.75}


def parse_clock(text: str) -> tuple[float, float]:
    """Parse "MIN+INC" (minutes, seconds) as (seconds, seconds). Raises ConfigurationError."""
    minutes, plus, increment = text.strip().partition("+")
    try:
        clock = (_FRACTIONS.get(minutes) or _number(minutes)) * 60.0, _number(increment) if plus else 0.0
    except ValueError as error:
        raise ConfigurationError(
            f"--clock {text!r}: expected MINUTES+SECONDS, such as 0.5+0 (half a minute) or 3+2"
        ) from error
    if not 0 <= clock[0] <= 180 * 60 or not 0 <= clock[1] <= 180 or sum(clock) <= 0:
        raise ConfigurationError(f"--clock {text!r}: up to 180 minutes and 180 seconds, and not 0+0")
    return clock


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    value = float(above) / float(below) if slash and float(below) else float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def clock_name(limit_s: float, increment_s: float) -> str:
    """Return a clock in minutes and seconds: "3+2", "0.5+0"."""
    return f"{limit_s / 60:g}+{increment_s:g}"


def speed_of(limit_s: float, increment_s: float) -> ClockSpeed:
    """Return Lichess's name for the speed of a clock, from its estimate of a game: the limit and 40 increments."""
    estimate_s = limit_s + 40 * increment_s
    return next((name for bound_s, name in _BELOW_S if estimate_s < bound_s), "classical")


def _pace(word: str) -> str:
    """Return a speed, or an exact clock in one spelling. Raises ValueError."""
    if word in SPEEDS:
        return word
    if "+" in word:
        try:
            return clock_name(*parse_clock(word))
        except ConfigurationError as error:
            raise ValueError(str(error).removeprefix("--clock ")) from None
    raise ValueError(f"{word!r} is not known{choices(word, [*SPEEDS, 'or a clock such as 3+2'], 0.5)}")


_PACE_SCHEMA = {"type": "string", "anyOf": [{"enum": list(SPEEDS)}, {"pattern": r"^[0-9./¼½¾]+\+[0-9]+$"}]}
#: Speeds and exact clocks; one that fits is enough.
Paces = Annotated[
    tuple[Annotated[Text, AfterValidator(_pace), WithJsonSchema(_PACE_SCHEMA)], ...],
    BeforeValidator(listed),
    AfterValidator(unique),
]


def fastest_and_slowest(paces: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the indices in SPEEDS of the fastest and the slowest pace, None for no paces."""
    places = [
        SPEEDS.index(next((speed for speed in SPEEDS if speed == pace), None) or speed_of(*parse_clock(pace)))
        for pace in paces
    ]
    return (min(places), max(places)) if places else None


_USER_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")


def is_address(entry: str) -> bool:
    """Whether an entry is the web address of a list."""
    return entry.startswith(("http://", "https://"))


def is_list(entry: str) -> bool:
    """Whether an entry is an address or a file, and no user's name."""
    return is_address(entry) or "/" in entry or "\\" in entry or "." in entry


def is_user_name(word: str) -> bool:
    """Whether a word may be the name of a user."""
    return _USER_NAME.fullmatch(word.lower()) is not None


def _user_or_list(entry: str, info: ValidationInfo) -> str:
    if is_address(entry):
        host = entry.split("://", 1)[1].split("/")[0]
        if not host:
            raise ValueError(f"{entry!r} names no host")
        if "@" in host:  # logs and reports contain the address
            raise ValueError("the address of a list must not carry a user name or password")
        return entry
    if is_list(entry):
        return str(_located(Path(entry), info))
    if not is_user_name(entry):
        raise ValueError(f"{entry!r} is not a user's name, a file (with a / or a dot in it) or an http(s) address")
    return entry.lower()


def _user_name(entry: str) -> str:
    if not is_user_name(entry):
        raise ValueError(f"{entry!r} is not a user's name; lists of users are for challenges and matchmaking only")
    return entry.lower()


#: Names in lower case, absolute paths and addresses of lists.
Users = Annotated[tuple[Annotated[Text, AfterValidator(_user_or_list)], ...], BeforeValidator(listed)]
#: Names in lower case.
UserNames = Annotated[tuple[Annotated[Text, AfterValidator(_user_name)], ...], BeforeValidator(listed)]


def in_order(section: BaseModel) -> None:
    """Raise ValueError if a limit `min_x` of a section is greater than its `max_x`."""
    for least in (name for name in type(section).model_fields if name.startswith("min_")):
        most = "max_" + least.removeprefix("min_")
        low, high = getattr(section, least), getattr(section, most, None)
        if low is not None and high is not None and low > high:
            raise ValueError(f"{least} ({low}) is greater than {most} ({high})")
