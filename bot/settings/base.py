"""The closed model and the types that settings are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict, ValidationInfo


class Closed(BaseModel):
    """A section: unknown keys are errors, values never change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)


def _listed(value: object) -> object:
    """A single word where a list is expected stands for a list of one."""
    return [value] if isinstance(value, (str, dict)) else value


def _located(path: Path, info: ValidationInfo) -> Path:
    """Relative paths are relative to the configuration file, wherever the bot is started from."""
    path = path.expanduser()
    folder = (info.context or {}).get("folder")
    return path if path.is_absolute() or folder is None else Path(folder) / path


def _unique(values: tuple[str, ...]) -> tuple[str, ...]:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise ValueError(f"{value!r} appears twice")
    return values


#: YAML's own types are taken at their word: `true` is no number, "5" is no number, 1 is no truth value.
Flag = Annotated[bool, Strict()]
Count = Annotated[int, Strict(), Field(ge=0)]
Positive = Annotated[int, Strict(), Field(ge=1)]
Number = Annotated[int, Strict()]
Seconds = Annotated[float, Strict(), Field(ge=0)]
Share = Annotated[float, Strict(), Field(ge=0, le=0.05)]  # of our clock, for a move
Text = Annotated[str, Strict()]
FilePath = Annotated[Path, AfterValidator(_located)]
FilePaths = Annotated[tuple[FilePath, ...], BeforeValidator(_listed)]
Names = Annotated[tuple[Text, ...], BeforeValidator(_listed)]

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
Speed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"]
Mode = Literal["rated", "casual"]
OpponentKind = Literal["human", "bot", "ai"]
Color = Literal["white", "black"]

Variants = Annotated[tuple[Variant, ...], BeforeValidator(_listed), AfterValidator(_unique)]
Modes = Annotated[tuple[Mode, ...], BeforeValidator(_listed), AfterValidator(_unique)]
OpponentKinds = Annotated[tuple[OpponentKind, ...], BeforeValidator(_listed), AfterValidator(_unique)]
