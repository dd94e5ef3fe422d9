"""Command line: `python -m engine88.training` with a command.

`play` plays games of the engine with itself, `relabel` gives older ones the scores of a newer network. `train` trains
a network on them, perhaps together with positions that `tree` finds; `average` makes one network of several. `fit` fits
the weights of the hand-written evaluation to games. `loop` does what a first network needs, in order. `spsa` tunes the
numbers of the search by games; `factorial` measures many changes of them at once. `match` says by games which of two
engines is the stronger.
"""

import argparse
import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from engine88.compiler.cache_folder import CACHE_VARIABLE, TUNABLE_VARIABLE, python_path, wanted_root
from engine88.compiler.kernel_cache import TARGET_VARIABLE
from engine88.compiler.target import NATIVE


class Command(NamedTuple):
    """What a command does, in a line, and what its environment must say before kernels are defined."""

    help: str
    environment: dict[str, str]


def _tracing() -> dict[str, str]:
    """Kernels that count their terms are other machine code: they need the switch and a cache folder of their own."""
    root = wanted_root() if os.environ.get("ENGINE88_TRACE") == "1" else wanted_root() / "tracing"
    return {"ENGINE88_TRACE": "1", TARGET_VARIABLE: NATIVE, CACHE_VARIABLE: str(root)}


COMMANDS: Final[dict[str, Command]] = {
    "play": Command("games of the engine with itself, in a file of games", {}),
    "relabel": Command("older games with the scores of another network", {}),
    "tree": Command("positions of search trees, labelled", {TUNABLE_VARIABLE: "engine88.search.recording"}),
    "train": Command("train a network on files of games", {}),
    "average": Command("the mean of networks with one start", {}),
    "loop": Command("from nothing to a network: play, tree, train", {}),
    "fit": Command("fit the weights to labelled positions and write them", _tracing()),
    "spsa": Command("tune the numbers of the search by games", {TUNABLE_VARIABLE: "engine88.search.params"}),
    "factorial": Command("measure many changes of those numbers at once", {TUNABLE_VARIABLE: "engine88.search.params"}),
    "match": Command("two engines, by pairs of games, perhaps as a test", {}),
}


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """The commands, the chosen one with its options; only its module is imported."""
    parser = argparse.ArgumentParser(prog="python -m engine88.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        subparser = commands.add_parser(name, help=command.help)
        if name == chosen:
            _module(name).add_arguments(subparser)
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f"engine88.training.{name}_command")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    chosen = next((word for word in words if word in COMMANDS), None)
    environment = COMMANDS[chosen].environment if chosen is not None else {}
    if any(os.environ.get(name) != value for name, value in environment.items()):
        return _in_environment(environment, words)
    options = build_parser(chosen).parse_args(words)
    return int(_module(options.command).run(options))


def _in_environment(environment: dict[str, str], words: Sequence[str]) -> int:
    """Run the command in a process of its own: its switches are read when the kernels' modules are imported."""
    command = [sys.executable, "-P", "-m", "engine88.training", *words]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": python_path(), **environment}) as child:
        before = signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        try:
            while True:
                try:
                    return child.wait()
                except KeyboardInterrupt:
                    continue  # the child heard it too, and ends in its own way
        finally:
            signal.signal(signal.SIGTERM, before)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C, so that the run can be continued
    sys.exit(main())
