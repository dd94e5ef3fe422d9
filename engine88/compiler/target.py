"""The processors that kernels are compiled for: this machine's own, or a level that many machines have."""

import functools
import platform
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
import numba
from numba.core.codegen import get_host_cpu_features

NATIVE, PORTABLE = "native", "portable"
_CONFIG: Any = numba.config  # its fields are made at run time
_LLVM: Any = llvmlite.binding  # untyped
_HOST_FEATURES: Any = get_host_cpu_features  # untyped


@dataclass(frozen=True, slots=True)
class Target:
    """`name` is "native" or "portable"; `cpu` and `features` are what LLVM calls them, as in `llc -mcpu -mattr`."""

    name: str
    cpu: str
    features: str


# x86-64-v3 as the System V ABI defines it (https://gitlab.com/x86-psABIs/x86-64-ABI), in LLVM's names; for ARM64 the
# first version of the architecture, which every 64-bit ARM processor has.
_X86_64_V3 = (
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "cx16",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "popcnt",
    "sahf",
    "sse4.2",
    "xsave",
)
_LEVELS: dict[str, tuple[str, tuple[str, ...]]] = {
    "x86_64": ("x86-64-v3", _X86_64_V3),
    "amd64": ("x86-64-v3", _X86_64_V3),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}


_FAST_512 = "+avx512vbmi2"
"""A feature of all processors whose vectors of 512 bits do not slow their clock much (Ice Lake, Zen 4 and later)."""


@functools.cache
def native() -> Target:
    """Return this machine's processor, or what NUMBA_CPU_NAME and NUMBA_CPU_FEATURES ask for.

    LLVM prefers vectors of 256 bits even where longer ones are fast; that preference is switched off there.
    """
    cpu = _CONFIG.CPU_NAME or _LLVM.get_host_cpu_name()
    features = str(_HOST_FEATURES() if _CONFIG.CPU_FEATURES is None else _CONFIG.CPU_FEATURES)
    if _FAST_512 in features.split(","):
        features += ",-prefer-256-bit"
    return Target(NATIVE, str(cpu), features)


def portable() -> Target | None:
    """Return the level that code for this kind of machine is shipped for; None where there is none."""
    level = _LEVELS.get(platform.machine().lower())
    return None if level is None else Target(PORTABLE, level[0], "")


def has_portable_level() -> bool:
    """Return whether this machine runs code that was compiled for the portable level."""
    level = _LEVELS.get(platform.machine().lower())
    if level is None:
        return False
    present = {name for name in native().features.split(",") if name.startswith("+")}
    return {f"+{name}" for name in level[1]} <= present


def use(wanted: Target) -> None:
    """Compile for this processor from now on, in this process; before anything was compiled."""
    native()  # remembered before the settings that it reads are changed
    _CONFIG.CPU_NAME, _CONFIG.CPU_FEATURES = wanted.cpu, wanted.features
    _fill_vectors()


@functools.cache
def _fill_vectors() -> None:
    """Let loops over 16-bit numbers with 32-bit sums fill whole vectors; LLVM's default goes by the wider type."""
    _LLVM.set_option("engine88", "-vectorizer-maximize-bandwidth")
