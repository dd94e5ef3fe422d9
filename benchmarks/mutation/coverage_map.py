"""Which tests execute which lines of a room, and how long each test takes: measured once a room."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import coverage

OUTSIDE = ""  # coverage's context of what runs outside every test, imports above all


@dataclass(slots=True)
class CoverageMap:
    """For each module the tests that execute each line; the tests that passed, in order, with their seconds."""

    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write the map to a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> CoverageMap:
        """Read a map back."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        lines = {module: {int(line): tests for line, tests in rows.items()} for module, rows in kept["lines"].items()}
        return cls(lines, kept["seconds"], kept["failed"])


def read_lines(data_file: Path, tree: Path) -> dict[str, dict[int, list[str]]]:
    """The tests that execute each line of each module, as the data files tell: one of each program that ran."""
    found: dict[str, dict[int, set[str]]] = {}
    for part in sorted(data_file.parent.glob(f"{data_file.name}.*")):
        data = coverage.CoverageData(str(part))
        data.read()
        for name in data.measured_files():
            module = Path(name).relative_to(tree).as_posix()
            rows = found.setdefault(module, {})
            for line, contexts in data.contexts_by_lineno(name).items():
                rows.setdefault(line, set()).update(contexts)
    return {
        module: {line: sorted(contexts) for line, contexts in sorted(rows.items())}
        for module, rows in sorted(found.items())
    }
