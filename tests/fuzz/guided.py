"""Fuzzing guided by coverage: which inputs reach code that no other reached? They are kept, and tried by the tests.

    pip install atheris                                     # Linux; not a dependency of the project
    python -m tests.fuzz.guided streams --minutes 10
    python -m tests.fuzz.guided all --minutes 2

Begins with the kept inputs of a target and some of its own; libFuzzer's mutations and the target's take turns. What
reaches further is kept in tests/fuzz/corpus/TARGET.zip, reduced to what is needed for the same coverage; what is
wrong is beside it as a separate file. Status 0: nothing was found; 1: something was; 2: atheris is missing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.fuzz.kept import CORPUS, all_kept, findings, keep_finding, keep_reaching

#: Readers in this process: others show no coverage, and neither do compiled kernels, which run as plain Python here.
GUIDED = ("streams", "fen", "bot-fen", "settings", "book")
INSTRUMENTED = ["bot", "chess", "engine88.board", "engine88.rules"]
MOST_BYTES = 4000
FIRST_INPUTS = 300
OWN_SHARE = 0.5
MOST_FINDINGS = 10


def child(name: str, words: list[str], folder: Path, program: str) -> None:
    """Let libFuzzer run one target; it ends the process itself. To merge, it starts `program` again and again."""
    atheris: Any = importlib.import_module("atheris")  # untyped, and not a dependency
    with atheris.instrument_imports(include=INSTRUMENTED):
        from tests.fuzz.__main__ import TARGETS, quiet

    quiet()
    target = TARGETS[name]()

    def one(data: bytes) -> None:
        if trouble := target.check(data):
            keep_finding(name, data, folder)
            print(f"{name}: {trouble}: {data[:200]!r}", flush=True)
            if len(findings(name, folder)) >= MOST_FINDINGS:
                raise RuntimeError(f"given up after {MOST_FINDINGS} findings")

    def mutator(data: bytes, most: int, seed: int) -> Any:
        rng = random.Random(seed)
        return target.make(rng)[:most] if rng.random() < OWN_SHARE else atheris.Mutate(data, most)

    atheris.Setup([program, *words], one, custom_mutator=mutator)
    atheris.Fuzz()


def first_inputs(name: str, folder: Path) -> None:
    """Write the kept inputs and some fresh ones of the target's own into a folder."""
    from tests.fuzz.__main__ import TARGETS

    target, rng = TARGETS[name](), random.Random(name)
    made = [target.make(rng) for _ in range(FIRST_INPUTS)]
    target.close()
    for number, data in enumerate([data for _label, data in all_kept(name)] + made):
        (folder / f"first-{number:05}").write_bytes(data)


def guided(name: str, minutes: float, folder: Path = CORPUS) -> int:
    """Fuzz one target for so long and keep what it reached; returns the number of new findings."""
    before = len(findings(name, folder))
    with tempfile.TemporaryDirectory(prefix="guided-") as scratch:
        inputs, reduced = Path(scratch, "inputs"), Path(scratch, "reduced")
        inputs.mkdir()
        reduced.mkdir()
        first_inputs(name, inputs)
        common = [f"-max_len={MOST_BYTES}", "-timeout=60", "-rss_limit_mb=4096", f"-artifact_prefix={scratch}/"]
        program = program_file(Path(scratch), name, folder)
        for words in ([str(inputs), f"-max_total_time={round(minutes * 60)}"], ["-merge=1", str(reduced), str(inputs)]):
            subprocess.run([program, *words, *common], check=True, stderr=subprocess.PIPE, text=True)
        count = keep_reaching(name, [path.read_bytes() for path in reduced.iterdir()], folder)
    new = len(findings(name, folder)) - before
    print(f"{name}: {count} inputs reach different code, {new} new findings")
    return new


def program_file(scratch: Path, name: str, folder: Path) -> Path:
    """Write a program that runs `child`; libFuzzer wants a file that it can start by its name."""
    path = scratch / "program"
    words = [sys.executable, "-m", "tests.fuzz.guided", name]
    words += ["--corpus", str(folder.resolve()), "--program", str(path), "--child"]
    path.write_text(f'#!/bin/sh\nNUMBA_DISABLE_JIT=1 exec {shlex.join(words)} "$@"\n', encoding="utf-8")
    path.chmod(0o700)
    return path


def main() -> int:
    """Fuzz the targets that were named; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.guided",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", choices=[*GUIDED, "all"])
    parser.add_argument("--minutes", type=float, default=2.0, help="for each target")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="where to keep what was found and reached")
    parser.add_argument("--program", default="", help=argparse.SUPPRESS)
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("guided fuzzing needs atheris: pip install atheris (Linux)", file=sys.stderr)
        return 2
    if options.child is not None:
        child(options.target, options.child, options.corpus, options.program)
    found = 0
    for name in GUIDED if options.target == "all" else (options.target,):
        try:
            found += guided(name, options.minutes, options.corpus)
        except subprocess.CalledProcessError as error:
            print(f"{name}: status {error.returncode}\n{error.stderr[-2000:]}", file=sys.stderr)
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
