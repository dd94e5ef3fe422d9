"""Do the tests notice? A random sample of small changes to a room, each tried against the room's tests.

    python -m venv /tmp/cr && /tmp/cr/bin/pip install cosmic-ray==8.7.0
    python -m benchmarks.mutation bot/engine_pool --cosmic-ray /tmp/cr/bin/cosmic-ray --sample 40 --seed 88

cosmic-ray makes the changes, in a copy of the tree; its annotations' changes (`int | None`) and arithmetic twins are
left out of the sample. Tests that are marked slow are not run. Prints each survivor with its change and the share that
was noticed. The same command with the same --work goes on where it was ended. Status 0.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("bot", "engine88", "benchmarks", "tests", "config", "pyproject.toml")
LEFT_OUT = ("BitOr", "NumberReplacer", "_FloorDiv", "_Pow", "_Mod", "_RShift", "_LShift", "_BitXor", "_BitAnd")
ORDER = """SELECT job_id, operator_name FROM mutation_specs
    ORDER BY module_path, start_pos_row, start_pos_col, operator_name, occurrence"""


def prepare(room: str, work: Path, cosmic_ray: str, timeout_s: float) -> Path:
    """Copy the tree, write the configuration, list all mutants; gives the session's file."""
    session = work / "session.sqlite"
    if session.exists():
        return session
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, work / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, work / name)
    tests = f"tests/{room.removesuffix('.py')}" if Path(ROOT, "tests", room).is_dir() else test_of(room)
    command = f"{sys.executable} -m pytest -x -q -n 0 -m 'not slow' -p no:cacheprovider --timeout 60 {tests}"
    configuration = f"""[cosmic-ray]
module-path = {json.dumps(room)}
timeout = {timeout_s}
excluded-modules = []
test-command = {json.dumps(command)}
[cosmic-ray.distributor]
name = "local"
"""
    (work / "cosmic-ray.toml").write_text(configuration, encoding="utf-8")
    subprocess.run([cosmic_ray, "init", "cosmic-ray.toml", str(session)], cwd=work, check=True)
    return session


def test_of(module: str) -> str:
    """The test file that mirrors a module."""
    path = Path(module)
    return str(Path("tests") / path.parent / f"test_{path.name}")


def draw(session: Path, size: int, seed: int) -> int:
    """Leave a random sample in the session; gives how many there were to draw from."""
    with closing(sqlite3.connect(session)) as database, database:
        rows = database.execute(ORDER).fetchall()  # job ids differ each time
        eligible = [job for job, operator in rows if not any(part in operator for part in LEFT_OUT)]
        drawn = session.with_suffix(".eligible")
        if drawn.exists():  # goes on with the sample of before
            return int(drawn.read_text())
        drawn.write_text(str(len(eligible)))
        chosen = set(random.Random(seed).sample(eligible, min(size, len(eligible))))
        dropped = [(job,) for job, _operator in rows if job not in chosen]
        database.executemany("DELETE FROM mutation_specs WHERE job_id = ?", dropped)
        database.executemany("DELETE FROM work_items WHERE job_id = ?", dropped)
    return len(eligible)


def outcome(session: Path) -> tuple[int, int]:
    """Print the survivors; gives how many mutants were tried and how many were noticed."""
    query = """SELECT module_path, start_pos_row, operator_name, test_outcome, diff FROM mutation_specs
        JOIN work_results USING (job_id) ORDER BY module_path, start_pos_row"""
    with closing(sqlite3.connect(session)) as database:
        rows = database.execute(query).fetchall()
    noticed = 0
    for path, row, operator, result, diff in rows:
        if "SURVIVED" not in str(result).upper():
            noticed += 1
            continue
        changes = [line for line in (diff or "").splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        print(f"survived: {path}:{row} {operator.rsplit('/', 1)[-1]}\n  " + "\n  ".join(changes))
    return len(rows), noticed


def main() -> int:
    """Sample, try, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help="a folder or file of the tree, such as bot/engine_pool")
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=88)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for the tests of one mutant")
    parser.add_argument("--cosmic-ray", default="cosmic-ray", help="the command, where it is not on the path")
    parser.add_argument("--work", type=Path, help="folder to work in and to go on from")
    parser.add_argument("--report", action="store_true", help="only report what was tried so far")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="mutation-"))
    work.mkdir(parents=True, exist_ok=True)
    session = prepare(options.room, work, options.cosmic_ray, options.timeout)
    eligible = draw(session, options.sample, options.seed)
    if not options.report:
        subprocess.run([options.cosmic_ray, "exec", "cosmic-ray.toml", str(session)], cwd=work, check=True)
    tried, noticed = outcome(session)
    share = 100 * noticed / tried if tried else 0.0
    print(f"{options.room}: {noticed} of {tried} noticed ({share:.0f} %), drawn from {eligible}, seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
