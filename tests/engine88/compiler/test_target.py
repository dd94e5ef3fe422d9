"""The processor that kernels are compiled for, and whether this one runs what is shipped."""

from __future__ import annotations

import platform

import pytest

from engine88.compiler import target
from engine88.compiler.target import Target
from tests.engine88.fresh_process import ROOT, run_python
from tests.engine88.games import compiled_only

V3 = "+avx,+avx2,+bmi,+bmi2,+cx16,+f16c,+fma,+lzcnt,+movbe,+popcnt,+sahf,+sse4.2,+xsave"


def on(monkeypatch: pytest.MonkeyPatch, machine: str, features: str) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(target, "native", lambda: Target("native", "some", features))


@pytest.mark.parametrize(
    ("machine", "features", "cpu", "runs"),
    [
        ("x86_64", V3, "x86-64-v3", True),
        ("AMD64", "-avx512f," + V3, "x86-64-v3", True),
        ("x86_64", V3.replace("+avx2", "-avx2"), "x86-64-v3", False),
        ("x86_64", "", "x86-64-v3", False),
        ("aarch64", "+neon", "generic", True),
        ("arm64", "", "generic", True),
    ],
)
def test_a_machine_of_the_level_runs_what_is_shipped_for_it(
    machine: str, features: str, cpu: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, machine, features)
    assert target.portable() == Target("portable", cpu, "")
    assert target.has_portable_level() is runs


def test_nothing_is_shipped_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, "riscv64", V3)
    assert target.portable() is None
    assert not target.has_portable_level()


@compiled_only("it asks the compiler what it compiles for")
def test_the_compiler_takes_the_processor_that_was_chosen() -> None:
    code = (
        "from engine88.compiler import target; target.use(target.Target('portable', 'x86-64-v3', ''))\n"
        "from numba.core.registry import cpu_target\n"
        "print(*cpu_target.target_context.codegen().magic_tuple()[1:], sep='|')"
    )
    assert run_python(code, ROOT).stdout.strip() == "x86-64-v3|"


@compiled_only("it asks the compiler what it compiles for")
@pytest.mark.parametrize(("features", "expected"), [("+avx512f,+avx512vbmi2", True), ("+avx512f,+avx512vl", False)])
def test_vectors_of_512_bits_are_used_where_they_do_not_slow_the_clock(features: str, expected: bool) -> None:
    code = (
        "import engine88.board.attacks\n"  # its kernels make the compiler ready
        "from numba.core.registry import cpu_target\n"
        "print(cpu_target.target_context.codegen().magic_tuple()[2])"
    )
    compiled_for = run_python(code, ROOT, NUMBA_CPU_FEATURES=features, ENGINE88_TARGET="native").stdout.strip()
    assert compiled_for == features + ",-prefer-256-bit" * expected
