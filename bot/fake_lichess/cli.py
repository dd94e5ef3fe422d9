"""Serve alone: `python -m bot fake-lichess`."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from bot.fake_lichess.config import ConfigError, FakeConfig, load_config
from bot.fake_lichess.control import FakeLichess

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    port: int | None = None,
    bind: str | None = None,
    faults: str | None = None,
    config: Path | None = None,
    seed: int | None = None,
) -> int:
    """Serve until SIGINT or SIGTERM; options override the file. Returns the exit status, 2 for a wrong setting."""
    given = {"port": port, "host": bind, "faults": faults, "seed": seed}
    try:
        base = load_config(config) if config is not None else FakeConfig()
        settings = base.model_copy(update={key: value for key, value in given.items() if value is not None})
        fake = FakeLichess(settings)
        url = fake.start()
    except (ConfigError, OSError, ValueError) as error:
        print(f"fake-lichess: {error}", file=sys.stderr)  # noqa: T201 -- the command's own output
        return 2
    _greet(fake, url)
    _wait_for_signal()
    fake.stop()
    return 0


def _greet(fake: FakeLichess, url: str) -> None:
    lines = [f"fake Lichess on {url}"]
    if fake.config.host not in LOOPBACK:
        lines.append(f"  warning: reachable from outside at {fake.config.host}; anyone with a token below can play")
    for account in fake.config.accounts:
        how = f"played by the server ({account.opponent})" if account.opponent else f"token {fake.token(account.name)}"
        lines.append(f"  {account.title or '':4} {account.name:12} {how}")
    print("\n".join(lines), flush=True)  # noqa: T201 -- the command's own output


def _wait_for_signal() -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(1.0):
        pass


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="fake-lichess", description="A Lichess for one machine.")
    parser.add_argument("--port", type=int, help="default: a free one")
    parser.add_argument("--bind", help="address to listen on, default 127.0.0.1")
    parser.add_argument("--faults", help="calm, flaky, storm, deploy, crash or a YAML file")
    parser.add_argument("--config", type=Path, help="YAML file with accounts and rules")
    parser.add_argument("--seed", type=int, help="for colours, ids, opponents and faults")
    given = parser.parse_args(arguments)
    return serve(given.port, given.bind, given.faults, given.config, given.seed)
