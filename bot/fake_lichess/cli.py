"""The command `fake-lichess`: serve, or run a scenario against a bot."""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .config import AccountConfig, ConfigError, FakeConfig, default_accounts, load_config
from .control import FakeLichess
from .scenario import Scenario, check_names, load_scenario, run_scenario
from .world.variants import PERFS

LOOPBACK = ("127.0.0.1", "::1", "localhost")
FAILED, WRONG_SETTING = 1, 2
Accounts = tuple[AccountConfig, ...]
#: Games that the bots of the server have played: matchmaking wants opponents with games in the category.
SEASONED = {perf: 50 for perf in PERFS if perf != "ultraBullet"}


def serve(
    port: int | None = None,
    bind: str | None = None,
    faults: str | None = None,
    config: Path | None = None,
    seed: int | None = None,
    *,
    bots: Sequence[str] = (),
    people: int | None = None,
    opponents: Sequence[str] = (),
    scenario: Path | None = None,
) -> int:
    """Serve until SIGINT or SIGTERM, or until the scenario is over; options override the file.

    `bots`: NAME=TOKEN; `opponents`: NAME=KIND or KIND, as in the configuration. Returns the exit status: 1 for a
    scenario whose expectations failed, 2 for a wrong setting.
    """
    given = {"port": port, "host": bind, "faults": faults, "seed": seed}
    try:
        plan = load_scenario(scenario) if scenario is not None else None
        base = load_config(config) if config is not None else plan.server if plan is not None else fresh_config()
        settings = base.model_copy(update={key: value for key, value in given.items() if value is not None})
        accounts = with_opponents(with_people(with_bots(settings.accounts, bots), people), opponents)
        if plan is not None:
            check_names(plan, [account.name for account in accounts])
        fake = FakeLichess(settings.model_copy(update={"accounts": guarded(accounts, settings.host)}))
        url = fake.start()
    except (ConfigError, OSError, ValueError) as error:
        _complain(f"fake-lichess: {error}")
        return WRONG_SETTING
    _greet(fake, url)
    try:
        if plan is not None:
            return _run(fake, plan)
        _wait_for_signal()
    finally:
        fake.stop()
    return 0


def fresh_config() -> FakeConfig:
    """Return the settings without a file: the default accounts, and a bot for matchmaking to find."""
    sparring = AccountConfig(name="Sparring", title="BOT", rating=1300, games=SEASONED, opponent="greedy")
    return FakeConfig(accounts=(*default_accounts(), sparring))


def with_bots(accounts: Accounts, bots: Sequence[str]) -> Accounts:
    """Return the accounts with these bots, NAME=TOKEN, which replace others of the same name. Raises ConfigError."""
    for text in bots:
        name, equals, token = text.partition("=")
        if not equals or not token:
            raise ConfigError(f"--bot {name!r}: write NAME=TOKEN")
        made = _account(f"--bot {name!r}", name=name, title="BOT", token=token, rating=2000)
        accounts = (*(one for one in accounts if one.name.lower() != name.lower()), made)
    return accounts


def with_people(accounts: Accounts, people: int | None) -> Accounts:
    """Return the accounts with this number of persons: the configured ones first, then Person1, Person2 and so on."""
    if people is None:
        return accounts
    if people < 0:
        raise ConfigError(f"--people {people}: write a number from 0")
    persons = [one for one in accounts if one.title is None and one.opponent is None]
    kept = persons[:people]
    made = [AccountConfig(name=f"Person{number}") for number in range(1, people - len(kept) + 1)]
    others = [one for one in accounts if one not in persons]
    return (*others, *kept, *made)


def with_opponents(accounts: Accounts, opponents: Sequence[str]) -> Accounts:
    """Return the accounts with these opponents: NAME=KIND, or KIND, which are named Opponent1 and so on."""
    for number, text in enumerate(opponents, start=1):
        name, equals, kind = text.partition("=")
        named = bool(equals) and ":" not in name
        made = _account(
            f"--opponent {text!r}",
            name=name if named else f"Opponent{number}",
            title="BOT",
            opponent=kind if named else text,
            games=SEASONED,
        )
        accounts = (*accounts, made)
    return accounts


def guarded(accounts: Accounts, host: str) -> Accounts:
    """If others can reach the server, replace derived tokens by random ones."""
    if host in LOOPBACK:
        return accounts
    return tuple(
        one if one.token is not None else one.model_copy(update={"token": f"lip_{secrets.token_urlsafe(16)}"})
        for one in accounts
    )


def _account(option: str, **fields: object) -> AccountConfig:
    try:
        return AccountConfig.model_validate(fields)
    except ValidationError as error:
        raise ConfigError(f"{option}: {error.errors()[0]['msg']}") from error


def _run(fake: FakeLichess, plan: Scenario) -> int:
    problems = run_scenario(fake, plan, _tell)
    for problem in problems:
        _complain(f"scenario: {problem}")
    _tell("scenario: " + ("failed" if problems else "everything went as expected"))
    return FAILED if problems else 0


def _greet(fake: FakeLichess, url: str) -> None:
    lines = [f"fake Lichess on {url}", "  for a browser, or for a client with one of these tokens; Ctrl+C ends it"]
    if fake.config.host not in LOOPBACK:
        lines.append(
            f"  warning: reachable from other machines at {fake.config.host}; anyone with a token below can play"
        )
    for account in fake.config.accounts:
        how = f"played by the server ({account.opponent})" if account.opponent else f"token {fake.token(account.name)}"
        lines.append(f"  {account.title or '':4} {account.name:12} {how}")
    teams = fake.call(lambda: list(fake.teams.teams.values()))
    lines += [f"  team {one.id}, led by {one.leader.name}, {'open' if one.open else 'by request'}" for one in teams]
    _tell("\n".join(lines))


def _tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201 -- the command's own output


def _complain(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 -- the command's own output


def _wait_for_signal() -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    while not stop.wait(1.0):
        pass


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="fake-lichess", description="A Lichess for one machine.")
    parser.add_argument("--port", type=int, help="default: a free one; 0 too; the address is printed")
    parser.add_argument("--bind", help="address to listen on, default 127.0.0.1")
    parser.add_argument("--faults", help="calm, flaky, storm, deploy, crash or a YAML file")
    parser.add_argument("--config", type=Path, help="YAML file with accounts and rules")
    parser.add_argument("--seed", type=int, help="for colours, ids, opponents and faults")
    many: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("--bot", dest="bots", **many, metavar="NAME=TOKEN", help="a BOT account; repeatable")
    parser.add_argument("--people", type=int, metavar="N", help="number of accounts for people")
    kinds = "an account that the server plays: random, greedy, scripted:FILE, engine3:COMMAND; repeatable"
    parser.add_argument("--opponent", dest="opponents", **many, metavar="[NAME=]KIND", help=kinds)
    parser.add_argument("--scenario", type=Path, help="YAML file: challenge a bot, check what happened, exit")
    return serve(**vars(parser.parse_args(arguments)))
