"""Scenarios: challenges to the bot under test, and what must hold at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from .bot_process import BotEndedError
from .config import ClosedModel, ConfigError, FakeConfig, read_named
from .control import FakeLichess
from .faults.fault_plan import FaultPlan
from .opponents.script import Script
from .report import GameReport
from .world.variants import VARIANTS
from .world.world import RequestSeen

PACKAGED = Path(__file__).with_name("scenarios")
POLL_S = 0.05
NO_GAME = ("declined", "canceled", "offline")


class ChallengeStep(ClosedModel):
    """A challenge to the bot, `after_s` after it comes online; repeated `times` times, each after the last game."""

    by: str
    after_s: float = Field(default=0.0, ge=0)
    clock: tuple[float, float] | None = (60, 0)
    days: int | None = None
    variant: str = "standard"
    color: Literal["white", "black", "random"] = "random"
    fen: str | None = None
    rated: bool = False
    times: int = Field(default=1, ge=1)

    @field_validator("variant")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in VARIANTS:
            raise ValueError(f"unknown variant {value!r}: use {', '.join(VARIANTS)}")
        return value


class Expectation(ClosedModel):
    """What must hold at the end."""

    finished: int | None = Field(default=None, ge=0, description="games ended; default: every challenge became one")
    statuses: tuple[str, ...] | None = Field(default=None, description="the only ends that may happen")
    lost_on_time: int = Field(default=0, ge=0, description="games that the bot may lose on time, at most")
    refused_moves: int = Field(default=0, ge=0, description="moves of the bot that may be refused, at most")
    faults: int = Field(default=0, ge=0, description="faults that must have hit the bot, restarts included, at least")


class Scenario(ClosedModel):
    """A scenario. `server` has all settings of the server, accounts and faults included."""

    bot: str
    about: str = Field(default="", description="what a good bot does; printed when an expectation fails")
    server: FakeConfig = FakeConfig()
    actors: dict[str, Script] = Field(default={}, description="further accounts, each played by its script")
    incident: FaultPlan | None = Field(default=None, description="faults from the moment the bot is online")
    challenges: tuple[ChallengeStep, ...] = Field(min_length=1)
    online_within_s: float = Field(default=60.0, gt=0)
    timeout_s: float = Field(default=600.0, gt=0)
    expect: Expectation = Expectation()


def scenario_names() -> list[str]:
    """Return the names of the packaged scenarios."""
    return sorted(path.stem for path in PACKAGED.glob("*.yml"))


def load_scenario(name: str) -> Scenario:
    """Return a packaged scenario, or that of a YAML file; raises ConfigError naming the file and every wrong key."""
    return read_named(name, PACKAGED, Scenario, "scenario")


def check_names(scenario: Scenario, names: Iterable[str]) -> None:
    """Raise ConfigError if the scenario names an account that does not exist."""
    known = {name.lower() for name in (*names, *scenario.actors)}
    for name in (scenario.bot, *(step.by for step in scenario.challenges)):
        if name.lower() not in known:
            raise ConfigError(f"scenario: no account {name!r}; add it under server.accounts or with --bot")


def run_scenario(
    fake: FakeLichess, scenario: Scenario, tell: Callable[[str], None], check: Callable[[], None] | None = None
) -> list[str]:
    """Wait for the bot, challenge it, wait for the games; returns the failed expectations.

    `check` is called meanwhile, and raises BotEndedError if the bot's process has ended.
    """

    def online() -> bool:
        if check is not None:
            check()
        return fake.call(lambda: fake.world.account(scenario.bot).online)

    for name, script in scenario.actors.items():
        fake.add_account(name, script=script)
    try:
        fake.wait_for(online, scenario.online_within_s, f"{scenario.bot} to open its event stream")
        tell(f"{scenario.bot} is online")
        if scenario.incident is not None:
            fake.set_faults(scenario.incident)
        ids = _play(fake, scenario, tell, check)
    except (TimeoutError, BotEndedError) as error:
        return [str(error)]
    return _problems(fake, scenario, [fake.game(game_id) for game_id in ids])


def _play(
    fake: FakeLichess, scenario: Scenario, tell: Callable[[str], None], check: Callable[[], None] | None
) -> list[str]:
    """Send every challenge when it is due; returns the ids of the games. Raises TimeoutError and BotEndedError."""
    start = time.monotonic()
    pending = [(start + step.after_s, step, step.times) for step in scenario.challenges]
    running: dict[str, tuple[ChallengeStep, int]] = {}
    ended: list[str] = []
    while pending or running:
        now = time.monotonic()
        if check is not None:
            check()
        if now - start > scenario.timeout_s:
            raise TimeoutError(unfinished(fake, scenario, len(pending), list(running)))
        for entry in [entry for entry in pending if entry[0] <= now]:
            pending.remove(entry)
            running[_send(fake, scenario.bot, entry[1])] = (entry[1], entry[2])
        for challenge_id in [key for key in running if _is_over(fake, key)]:
            step, times = running.pop(challenge_id)
            ended += [challenge_id] if fake.challenge_status(challenge_id) not in NO_GAME else []
            tell(f"{challenge_id}: {_summary(fake, challenge_id)}")
            pending += [(now, step, times - 1)] if times > 1 else []
        time.sleep(POLL_S)
    return ended


def unfinished(fake: FakeLichess, scenario: Scenario, waiting: int, ids: list[str]) -> str:
    """Return the unfinished games when time is up."""
    told = [f"after {scenario.timeout_s:.0f} s {waiting + len(ids)} challenges are unfinished"]
    for challenge_id in ids:
        if fake.challenge_status(challenge_id) != "accepted":
            told.append(f"{challenge_id}: {scenario.bot} has not answered")
            continue
        game = fake.game(challenge_id)
        mover = game.white if game.fen.split()[1] == "w" else game.black
        told.append(f"{challenge_id}: {mover} to move after {len(game.moves)} plies")
    return "; ".join(told)


def _send(fake: FakeLichess, bot: str, step: ChallengeStep) -> str:
    terms: dict[str, Any] = step.model_dump(include={"clock", "days", "variant", "color", "fen", "rated"})
    return fake.challenge(step.by, bot, **terms)


def _is_over(fake: FakeLichess, challenge_id: str) -> bool:
    status = fake.challenge_status(challenge_id)
    return status in NO_GAME or (status == "accepted" and fake.game(challenge_id).over)


def _summary(fake: FakeLichess, challenge_id: str) -> str:
    status = fake.challenge_status(challenge_id)
    if status in NO_GAME:
        return status
    game = fake.game(challenge_id)
    return f"{game.white} - {game.black}: {game.status}, {game.winner or 'nobody'} wins, {len(game.moves)} plies"


def _problems(fake: FakeLichess, scenario: Scenario, games: list[GameReport]) -> list[str]:
    expect, found = scenario.expect, []
    wanted = sum(step.times for step in scenario.challenges) if expect.finished is None else expect.finished
    if len(games) < wanted:
        found.append(f"{len(games)} games ended, {wanted} were expected")
    if expect.statuses is not None:
        wrong = [f"{game.id} ended by {game.status}" for game in games if game.status not in expect.statuses]
        found += wrong
    late = [game.id for game in games if game.status == "outoftime" and _lost(game, scenario.bot)]
    if len(late) > expect.lost_on_time:
        found.append(f"{len(late)} games lost on time, {expect.lost_on_time} allowed: {', '.join(late)}")
    refused = refused_moves(fake.requests("move"), games)
    if len(refused) > expect.refused_moves:
        paths = ", ".join(seen.path for seen in refused[:5])
        found.append(f"{len(refused)} moves refused, {expect.refused_moves} allowed: {paths}")
    seen_faults = fake.call(lambda: list(fake.faults.seen))
    hits = [seen for seen in seen_faults if seen.target.account_id in ("", scenario.bot.lower())]
    if len(hits) < expect.faults:
        found.append(f"{len(hits)} faults hit the bot, {expect.faults} were expected")
    return found


def refused_moves(moves: Iterable[RequestSeen], games: Iterable[GameReport]) -> list[RequestSeen]:
    """Return the moves that the server refused because of the bot.

    Moves that the bot repeats after a fault, and moves that cross the end of the game, do not count.
    """
    ends = {game.id: game.ended_at_s for game in games if game.ended_at_s is not None}
    found, disturbed = [], set()
    for seen in moves:
        if seen.fault is not None:
            disturbed.add((seen.account_id, seen.path))
            continue
        too_late = seen.at_s >= ends.get(seen.game_id or "", math.inf)
        if seen.status == 400 and not too_late and (seen.account_id, seen.path) not in disturbed:
            found.append(seen)
    return found


def _lost(game: GameReport, name: str) -> bool:
    loser = {"white": game.black, "black": game.white}.get(game.winner or "", "")
    return loser.lower() == name.lower()
