"""Do the tests notice? A random sample of small changes to each room, tried against the tests that execute them.

    python -m venv /tmp/cr && /tmp/cr/bin/pip install cosmic-ray==8.7.0
    python -m benchmarks.mutation --all --sample 30 --seed 17 --work /tmp/mutants --cosmic-ray /tmp/cr/bin/python
    python -m benchmarks.mutation bot/play --work /tmp/mutants --again      # survivors, against the tests changed since

cosmic-ray makes the changes, in a copy of the tree; changes of annotations and of numbers are left out. One run of a
room's tests with coverage tells which test executes which line; tests marked slow are not run. A mutant that makes a
test hang is counted apart, and only if the same test then passes on the true source. The same command with the same
--work goes on where it was ended. Prints survivors and a table. Status 0, 1 if fewer than --least percent were noticed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.mutation.forked_tests import load_libraries
from benchmarks.mutation.report import survivors, table
from benchmarks.mutation.rooms import ROOMS
from benchmarks.mutation.session import Session
from benchmarks.mutation.trial import Verdict


def parse_arguments() -> argparse.Namespace:
    """The command's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", help=f"of {', '.join(ROOMS)}, or a file or folder of the tree")
    parser.add_argument("--all", action="store_true", help="every room")
    parser.add_argument("--sample", type=int, default=30, help="mutants a room")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--cosmic-ray", default="python3", help="an interpreter that has cosmic-ray")
    parser.add_argument("--work", type=Path, help="folder to work in and to go on from")
    parser.add_argument("--report", action="store_true", help="only report what was tried so far")
    parser.add_argument("--again", action="store_true", help="try the survivors against the tests changed since")
    parser.add_argument("--wide", action="store_true", help="try the survivors against tests of whole programs")
    parser.add_argument("--least", type=float, default=0.0, help="percent that must be noticed")
    options = parser.parse_args()
    if not options.all and not options.rooms:
        parser.error("name a room, or --all")
    return options


def main() -> int:
    """Sample, try, report."""
    options = parse_arguments()
    wanted = [*ROOMS] if options.all else options.rooms
    work = options.work or Path(tempfile.mkdtemp(prefix="mutation-"))
    session = Session(work, options.cosmic_ray, options.sample, options.seed)
    if not options.report:
        load_libraries(session.tree)
        changed = session.renew_tests() if options.again else []
        for room in wanted:
            if options.again:
                session.try_survivors(room, changed)
            elif options.wide:
                session.try_wide(room)
            else:
                session.try_room(room)
    results = [session.result(room) for room in wanted if (session.folder(room) / "sample.json").exists()]
    for result in results:
        print("\n".join(survivors(result)))
    print("\n".join(table(results)))
    tried = sum(len(result.tried) - result.count(Verdict.UNCLEAR) for result in results)
    noticed = sum(result.count(Verdict.FAILED, Verdict.HUNG) for result in results)
    return int(100.0 * noticed < options.least * tried)


if __name__ == "__main__":
    sys.exit(main())
