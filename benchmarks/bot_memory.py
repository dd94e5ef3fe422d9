"""Resident memory of the bot's process, without its engines, over many games.

    python benchmarks/bot_memory.py --games 500

The server runs in this process, the bot is `python -m bot run` with tiny engines, opponents resign after some moves.
Exit status 1 when the bot grows beyond --limit-mb, or by more than --growth-mb after the first fifth of the games.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path

import psutil

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from bot.fake_lichess import FakeConfig, FakeLichess  # noqa: E402 -- the path is set above
from bot.fake_lichess.opponents.script import Act, Script  # noqa: E402 -- as above

MIB = 1024 * 1024


def start_bot(fake: FakeLichess, folder: Path, slots: int) -> subprocess.Popen[bytes]:
    """The program under test, online."""
    command = [sys.executable, str(ROOT / "tests" / "helpers" / "uci_engine.py"), "good"]
    config = {
        "lichess": {"url": fake.url, "token": fake.token("bot88")},
        "engines": [{"name": "tiny", "command": command, "slots": slots}],
        "concurrency": slots,
        "challenges": {"games_per_opponent": slots},
        "store": str(folder / "store.sqlite"),
        "conduct": {"chat": {"greeting": "Hello {opponent}", "farewell": "Thank you"}},
        "log": {"level": "warning"},
    }
    path = folder / "bot88.yml"
    path.write_text(json.dumps(config))  # JSON is YAML
    environ = {name: value for name, value in os.environ.items() if name != "BOT88_TOKEN"}
    environ["PYTHONPATH"] = str(ROOT)
    program = subprocess.Popen([sys.executable, "-m", "bot", "run", "--config", str(path)], cwd=ROOT, env=environ)
    fake.wait_for(lambda: fake.is_online("bot88"), 120, "the bot to come online")
    return program


def play(fake: FakeLichess, program: subprocess.Popen[bytes], games: int, slots: int) -> list[float]:
    """Play so many games, a few at once. Return the resident MiB of the bot after every tenth game, or oftener."""
    process = psutil.Process(program.pid)
    sizes, running, begun = [], deque[str](), 0
    for ended in range(1, games + 1):
        while begun < games and len(running) < slots:
            running.append(fake.challenge(f"Shorty{begun % slots}", "bot88", clock=(180, 0), color="white"))
            begun += 1
        fake.wait_for_end(running.popleft(), 120)
        if ended % max(1, min(10, games // 10)) == 0:
            sizes.append(process.memory_info().rss / MIB)
    return sizes


def measure(games: int, slots: int, plies: int) -> list[float]:
    """Return the resident MiB of a bot as its games end."""
    config = FakeConfig(allow_any_clock=True, rate_limits=False, seed=88, keep_finished=20, keep_requests=100)
    with FakeLichess(config) as fake, tempfile.TemporaryDirectory() as folder:
        script = Script(acts=(Act(ply=plies, do="resign"),))
        for number in range(slots):
            fake.add_account(f"Shorty{number}", script=script)
        program = start_bot(fake, Path(folder), slots)
        try:
            return play(fake, program, games, slots)
        finally:
            program.terminate()
            program.wait(60)


def main() -> int:
    """Parse, play, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--slots", type=int, default=4, help="games at once")
    parser.add_argument("--plies", type=int, default=40, help="length of a game")
    parser.add_argument("--limit-mb", type=float, default=100.0)
    parser.add_argument("--growth-mb", type=float, default=5.0)
    options = parser.parse_args()
    sizes = measure(options.games, options.slots, options.plies)
    print("MiB as the games ended:", *(f"{size:.1f}" for size in sizes))
    growth = max(sizes[len(sizes) // 5 :]) - sizes[len(sizes) // 5]
    print(f"most {max(sizes):.1f} MiB (bar {options.limit_mb}), growth after the first fifth {growth:.1f} MiB")
    return 0 if max(sizes) <= options.limit_mb and growth <= options.growth_mb else 1


if __name__ == "__main__":
    sys.exit(main())
