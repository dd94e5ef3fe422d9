"""The command `fake-lichess`: serve, or run a scenario against a bot."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from .bot_process import BotProcess
from .config import AccountConfig, ConfigError, FakeConfig, default_accounts, load_config
from .control import FakeLichess
from .scenario import Scenario, check_names, load_scenario, run_scenario, scenario_names
from .world.variants import PERFS

LOOPBACK = ("127.0.0.1", "::1", "localhost")
FAILED, WRONG_SETTING = 1, 2
Accounts = tuple[AccountConfig, ...]
#: Games that the bots of the server have played: matchmaking wants opponents with games in the category.
SEASONED = {perf: 50 for perf in PERFS if perf != "ultraBullet"}


def serve(options: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM, or until the scenario is over. Options win over the file.

    Returns the exit status: 1 for a scenario whose expectations failed, 2 for a wrong setting.
    """
    try:
        scenario = read_scenario(options)
        fake = FakeLichess(read_config(options, scenario))
        if scenario is not None:
            check_names(scenario, [account.name for account in fake.config.accounts])
        _forget_ready(options.ready_file)
        url = fake.start()
    except (ConfigError, OSError, ValueError) as error:
        _complain(f"fake-lichess: {error}")
        return WRONG_SETTING
    _greet(fake, url)
    try:
        if options.ready_file is not None:
            options.ready_file.write_text(f"{url}\n", encoding="utf-8")
        if scenario is not None:
            return _run(fake, scenario, options.bot_command)
        _wait_for_signal()
    finally:
        _forget_ready(options.ready_file)
        fake.stop()
    return 0


def read_scenario(options: argparse.Namespace) -> Scenario | None:
    """Return the scenario, whose bot is the first one of `--bot`. Raises ConfigError."""
    if options.scenario is None:
        if options.bot_command is not None:
            raise ConfigError("--bot-command: give a --scenario, too")
        return None
    scenario = load_scenario(options.scenario)
    if not options.bots:
        return scenario
    return scenario.model_copy(update={"bot": options.bots[0].partition("=")[0]})


def read_config(options: argparse.Namespace, scenario: Scenario | None) -> FakeConfig:
    """Return the settings of the file, of the scenario or the default ones, with the options. Raises ConfigError."""
    given = {key: getattr(options, key) for key in ("port", "host", "faults", "seed", "tls")}
    base = load_config(options.config) if options.config is not None else fresh_config()
    if scenario is not None and options.config is None:
        base = scenario.server
    settings = base.model_copy(update={key: value for key, value in given.items() if value is not None})
    accounts = with_people(with_bots(settings.accounts, options.bots), options.people)
    accounts = with_opponents(accounts, options.opponents)
    return settings.model_copy(update={"accounts": guarded(accounts, settings.host)})


def _forget_ready(path: Path | None) -> None:
    if path is not None:
        path.unlink(missing_ok=True)


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


def _run(fake: FakeLichess, scenario: Scenario, bot_command: str | None) -> int:
    with contextlib.ExitStack() as stack:
        check: Callable[[], None] | None = None
        if bot_command is not None:
            check = stack.enter_context(BotProcess(bot_command, fake.url, fake.token(scenario.bot))).check
        problems = run_scenario(fake, scenario, _tell, check)
    for problem in problems:
        _complain(f"scenario: {problem}")
    if problems and scenario.about:
        _complain(f"scenario: {scenario.about}")
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
    if fake.config.tls:
        lines.append(f"  clients must trust {fake.config.tls}: SSL_CERT_FILE or REQUESTS_CA_BUNDLE")
    lines.append(f"  faults {fake.config.faults}, seed {fake.config.seed}")
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


def main(arguments: Sequence[str] | None = None, prog: str = "fake-lichess") -> int:
    """Parse the command line and serve."""
    description = "A Lichess for one machine. docs/fake-lichess.md has the endpoints, faults and scenarios."
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--port", type=int, help="default: a free one; 0 too; the address is printed")
    parser.add_argument("--bind", dest="host", metavar="ADDRESS", help="address to listen on, default 127.0.0.1")
    parser.add_argument("--faults", help="calm, flaky, storm, deploy, crash or a YAML file")
    parser.add_argument("--config", "-c", type=Path, help="YAML file with accounts and rules")
    parser.add_argument("--seed", type=int, help="for colours, ids, opponents and faults; default: a random one")
    many: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("--bot", dest="bots", **many, metavar="NAME=TOKEN", help="a BOT account; repeatable")
    parser.add_argument("--people", type=int, metavar="N", help="number of accounts for people")
    kinds = "account played by the server: random, greedy, scripted:FILE, engine3:COMMAND, elo1200:COMMAND; repeatable"
    parser.add_argument("--opponent", dest="opponents", **many, metavar="[NAME=]KIND", help=kinds)
    tls = "speak HTTPS, also for lichess.org, and write the certificate of a throw-away authority to this file"
    parser.add_argument("--tls", metavar="FILE", help=tls)
    ready = "file that holds the address while the server is ready"
    parser.add_argument("--ready-file", type=Path, metavar="FILE", help=ready)
    named = f"challenge a bot, check what happened, exit with 0 or 1: {', '.join(scenario_names())} or a YAML file"
    parser.add_argument("--scenario", metavar="NAME", help=named)
    command = "shell command that starts the bot of the scenario; LICHESS_URL and LICHESS_TOKEN are set"
    parser.add_argument("--bot-command", metavar="COMMAND", help=command)
    return serve(parser.parse_args(arguments))
