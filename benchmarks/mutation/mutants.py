"""Mutants: cosmic-ray's mutations of a room, the random sample that is tried, and the change that each one makes."""

from __future__ import annotations

import ast
import difflib
import itertools
import json
import random
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("operators.py")
#: Changes of annotations (`int | None`), twins of one arithmetic change, and numbers, most of which are tunables.
LEFT_OUT = ("BitOr", "NumberReplacer", "_FloorDiv", "_Pow", "_Mod", "_RShift", "_LShift", "_BitXor", "_BitAnd")


@dataclass(frozen=True, slots=True)
class Place:
    """One mutation that cosmic-ray can make. Rows count from 1, columns from 0."""

    module: str
    operator: str
    occurrence: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Mutant:
    """A place of the sample, with the module's text before and after."""

    place: Place
    before: str
    after: str

    @property
    def name(self) -> str:
        """Names the mutant within its room: `bot/play/lag.py:31 AddNot/4`."""
        place = self.place
        return f"{place.module}:{place.row} {place.operator.rsplit('/', 1)[-1]}/{place.occurrence}"

    def change(self) -> list[str]:
        """The lines that go and the lines that come."""
        diff = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=0, lineterm="")
        return [line for line in list(diff)[2:] if line[:1] in "+-"]


@dataclass(frozen=True, slots=True)
class Sample:
    """Mutants drawn with a seed out of so many spots; `size` is what was asked for."""

    size: int
    seed: int
    spots: int
    mutants: Sequence[Mutant]

    def save(self, path: Path) -> None:
        """Write the sample to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Sample:
        """Read a sample back."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        mutants = [Mutant(Place(**row["place"]), row["before"], row["after"]) for row in kept["mutants"]]
        return cls(kept["size"], kept["seed"], kept["spots"], mutants)


def by_spot(places: Sequence[Place]) -> dict[tuple[str, int, int], list[Place]]:
    """The eligible mutations of each spot in the source."""
    spots: dict[tuple[str, int, int], list[Place]] = {}
    for place in sorted(places, key=lambda place: (place.module, place.row, place.column, place.operator)):
        if not any(part in place.operator for part in LEFT_OUT):
            spots.setdefault((place.module, place.row, place.column), []).append(place)
    return spots


def draw(
    places: Sequence[Place], size: int, seed: int, left_out: Callable[[Place], bool] = lambda _: False
) -> list[Place]:
    """A random sample: spots in the source first, each as likely as any other, then one mutation of each.

    `==` has seven mutations and `and` has one; drawn by mutation, comparisons would crowd the others out. A larger
    sample of the same seed begins with the smaller one.
    """
    spots = list(by_spot(places).values())
    generator = random.Random(seed)
    generator.shuffle(spots)
    chosen = (generator.choice(spot) for spot in spots)
    return list(itertools.islice((place for place in chosen if not left_out(place)), size))


def is_idle(place: Place, line: str) -> bool:
    """Whether a mutation is none of the behaviour: memory, what the type checker refuses, or no Python any more."""
    identity = place.operator.endswith(("_Eq_Is", "_NotEq_IsNot"))  # numbers and names are the same objects in CPython
    declared = line.lstrip().startswith("@dataclass") and "RemoveDecorator" not in place.operator  # slots, frozen
    star = "Operator_Mul_" in place.operator and not line[place.column + 1 :][:1].isspace()  # `*, name` or `*values`
    return identity or declared or star


def is_python(text: str) -> bool:
    """Whether a text can be compiled: `not` before an assignment expression cannot."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def sample(tree: Path, modules: Sequence[str], python: str, size: int, seed: int) -> Sample:
    """Draw mutants of the modules, with cosmic-ray's interpreter."""
    places = [Place(*row) for row in ask(python, "list", tree, list(modules))]
    sources = {module: (tree / module).read_text(encoding="utf-8") for module in modules}
    lines = {module: text.splitlines() for module, text in sources.items()}
    chosen = draw(places, size, seed, lambda place: is_idle(place, lines[place.module][place.row - 1]))
    texts = ask(python, "apply", tree, [[place.module, place.operator, place.occurrence] for place in chosen])
    mutants = [
        Mutant(place, sources[place.module], text)
        for place, text in zip(chosen, texts, strict=True)
        if text is not None and text != sources[place.module] and is_python(text)
    ]
    return Sample(size, seed, len(by_spot(places)), mutants)


def ask(python: str, verb: str, tree: Path, request: object) -> list[Any]:
    """Have cosmic-ray's interpreter answer a request."""
    command = [python, str(SCRIPT), verb, str(tree)]
    answer = subprocess.run(command, input=json.dumps(request), capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"{python} cannot run cosmic-ray: {answer.stderr.strip()[-300:]}\n{HINT}")
    rows: list[Any] = json.loads(answer.stdout)
    return rows


HINT = "Make an environment for it: python -m venv /tmp/cr && /tmp/cr/bin/pip install cosmic-ray==8.7.0"
