"""A hostile configuration file is rejected with one message, quickly, and its names cannot reorder the terminal."""

from __future__ import annotations

import functools
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.examples import first_quick

COMMANDS = {"check": ("check",), "run": ("run", "--plain", "-c"), "migrate-config": ("migrate-config",)}
MOST_MEMORY = 1 << 30  # bytes of address space
MOST_CPU_S = 5


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    cpu_s: float


def run_command(command: str, file: Path) -> Ended:
    """Run `bot88 COMMAND FILE` with little memory and processor time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))

    words = [sys.executable, "-m", "bot", *COMMANDS[command], str(file)]
    with (file.parent / "out").open("wb") as out, (file.parent / "err").open("wb") as err:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    texts = [(file.parent / name).read_text(encoding="utf-8", errors="surrogateescape") for name in ("out", "err")]
    return Ended(child.returncode, texts[0], texts[1], usage.ru_utime + usage.ru_stime)


def nested(first: str, level: Callable[[str], str]) -> str:
    """Nine levels, each of which names the one before nine times."""
    names = "abcdefghi"
    lines = [f"a: &a {first}"]
    lines += [f"{name}: &{name} {level(f'*{before}')}" for before, name in itertools.pairwise(names)]
    return "engine:\n" + "".join(f"  {line}\n" for line in lines)


HOSTILE = {
    "lists": nested("[x, x, x]", lambda alias: f"[{', '.join([alias] * 9)}]"),
    "maps": nested("{x: 1}", lambda alias: "{" + ", ".join(f"k{number}: {alias}" for number in range(9)) + "}"),
    "merges": nested("{x: 1}", lambda alias: f"{{<<: [{', '.join([alias] * 9)}]}}"),
    "text": "engine: " + "x" * 50_000_000 + "\n",
    "keys": "engine: x\n" + "".join(f"key{number}: 1\n" for number in range(400_000)),
}


@functools.cache
def usual_cpu_s(command: str) -> float:
    """Return the processor time of a command that rejects a small file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "broken.yml"
        file.write_text("nonsense: [\n", encoding="utf-8")
        ended = run_command(command, file)
    assert ended.code == 2
    return ended.cpu_s


@first_quick(
    ("command", "attack"),
    [*(("check", attack) for attack in HOSTILE), *itertools.product(("run", "migrate-config"), ("merges", "text"))],
)
def test_a_huge_or_multiplying_file_is_one_message(tmp_path: Path, command: str, attack: str) -> None:
    file = tmp_path / "hostile.yml"
    file.write_text(HOSTILE[attack], encoding="utf-8")
    ended = run_command(command, file)
    assert ended.code == 2, ended.err[-500:]
    assert ended.err.count("\n") == 1
    assert "hostile.yml" in ended.err
    assert len(ended.err) < 500
    assert ended.cpu_s - usual_cpu_s(command) < 1.0


MARK = "\N{RIGHT-TO-LEFT OVERRIDE}"
MARKED = {
    ("check", "an unknown key"): f"concurrency: 1\nx{MARK}y: 1\n",
    ("check", "a key below a section"): f"challenges: {{x{MARK}y: 1}}\n",
    ("check", "a key that is there twice"): f"x{MARK}y: 1\nx{MARK}y: 1\n",
    ("check", "an engine's name"): f"engines: [{{name: x{MARK}y}}]\n",
    ("check", "a placeholder of chat"): f'conduct: {{chat: {{greeting: "{{x{MARK}y}}"}}}}\n',
    ("check", "an alias"): f"concurrency: *x{MARK}y\n",
    ("migrate-config", "an unknown key"): f"engine: {{name: sf, dir: .}}\nx{MARK}y: 1\n",
    ("migrate-config", "an engine's name"): f"engine: {{name: x{MARK}y, dir: .}}\n",
    ("migrate-config", "a variant"): f"engine: {{name: sf, dir: .}}\nchallenge: {{variants: [x{MARK}y]}}\n",
    ("migrate-config", "a kind of game"): f"engines: {{x{MARK}y: {{name: sf, dir: .}}}}\n",
}


@first_quick(("command", "place"), MARKED)
def test_names_with_direction_marks_are_shown_escaped(tmp_path: Path, command: str, place: str) -> None:
    file = tmp_path / "marked.yml"
    file.write_text(MARKED[command, place], encoding="utf-8")
    ended = run_command(command, file)
    shown = ended.out + ended.err
    assert "y" in shown
    assert [name for name in set(shown) if unicodedata.category(name) in ("Cf", "Cs")] == []
    assert "\\u202e" in shown.lower()
