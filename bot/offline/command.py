"""The command from start to end: server, engine, bot, games, result."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import logging
import re
import secrets
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import structlog
from chess.engine import Score
from rich.console import Console

from bot.archive.store import Store, read_games
from bot.errors import ConfigurationError
from bot.fake_lichess import AccountConfig, FakeConfig, FakeLichess, GameReport
from bot.offline.display import Display
from bot.offline.match import POLL_S, Match, OfflineGame, Summary, summarize
from bot.offline.options import BOT_NAME, OfflineOptions, offline_settings, opponent_spec
from bot.play.game import ABORTABLE_PLIES
from bot.service.build import start_log
from bot.service.command_handler import CommandHandler
from bot.service.kernels import warm_up
from bot.service.service import Service
from bot.service.signals import ExitCode, Stopped, StopSignals
from bot.settings import EngineEntry, Settings

RECORDED_WITHIN_S = 10.0

RESTORED_GAMES = 100

log = structlog.get_logger(__name__)


def play_offline(options: OfflineOptions) -> int:
    """Play and report; gives the exit code. Raises ConfigurationError and StartUpError."""
    opponent = opponent_account(options.opponent)
    if options.faults != "calm" and options.seed is None:  # printed, so that the same faults can be met again
        options = dataclasses.replace(options, seed=secrets.randbelow(1_000_000))
    signals = StopSignals()
    with _serving(options, opponent) as fake, signals.installed():
        try:
            return _play(fake, options, opponent.name, signals)
        except Stopped:
            return 128 + signals.last


def opponent_account(text: str) -> AccountConfig:
    """The account that the server plays: named after the kind of opponent."""
    kind = re.sub(r"[^A-Za-z0-9]", "", Path(text.split(":")[0]).name.removesuffix(".py")).capitalize() or "Opponent"
    number = text.split(":")[1] if re.fullmatch(r"(level:\d|engine88:\d+)", text) else ""
    name = f"{kind}-{number}" if kind[-1].isdigit() and number else kind + number
    return AccountConfig(name=name[:20].ljust(2, "0"), rating=1500, opponent=opponent_spec(text))


def bot_account(options: OfflineOptions) -> AccountConfig:
    """Return the bot's account, with what the lobby shows about it. Raises ConfigurationError."""
    settings = offline_settings(options, "http://127.0.0.1", "")
    played = {variant for entry in settings.engines for variant in entry.variants}
    return AccountConfig(
        name=BOT_NAME,
        title="BOT",
        rating=2000,
        bio=f"plays with {', '.join(entry.name for entry in settings.engines)}",
        variants=tuple(variant for variant in settings.challenges.variants if variant in played),
        levels=settings.conduct.levels.by_chat,
    )


@contextlib.contextmanager
def _serving(options: OfflineOptions, opponent: AccountConfig) -> Iterator[FakeLichess]:
    accounts = (bot_account(options), opponent, AccountConfig(name="Guest"))
    try:
        fake = FakeLichess(
            FakeConfig(
                host=options.bind,
                port=options.port,
                accounts=accounts,
                allow_any_clock=True,
                seed=options.seed,
                faults=options.faults,
            )
        )
        fake.start()
    except (ValueError, OSError) as error:
        raise ConfigurationError(f"the built-in Lichess cannot start: {error}") from error
    try:
        yield fake
    finally:
        fake.stop()


def _play(fake: FakeLichess, options: OfflineOptions, opponent: str, signals: StopSignals) -> int:
    settings = offline_settings(options, fake.url, fake.token(BOT_NAME))
    start_log(settings)
    if options.faults != "calm":  # answers that the faults swallow are no news
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    theirs = [EngineEntry()] if options.opponent.partition(":")[0] == EngineEntry().name else []
    prepare = functools.partial(warm_up, [*settings.engines, *theirs], Console(stderr=True))
    service = Service(settings, signals, prepare_engines=prepare)
    if options.browser and settings.store is not None and settings.store.is_file():
        restore_games(fake, settings.store)
    if service.dashboard is not None:
        service.dashboard.take_commands(CommandHandler(service).handle)
    try:
        service.start()
        _print_addresses(fake, service, options)
        begun = time.monotonic()
        ended_games = _play_games(fake, service, options, opponent, signals)
        summary = summarize(ended_games, options.games, time.monotonic() - begun)
        _report(ended_games, summary, options, service, stopped=signals.asked)
        if options.browser:
            _wait_for_people(fake, options, signals)
        elif signals.asked:
            return 128 + signals.last
    finally:
        service.close()
    return ExitCode.OK if summary.ended_well else ExitCode.FAILED


def restore_games(fake: FakeLichess, store: Path) -> None:
    """Show the latest games of earlier runs in the lobby again. Raises StoreError."""
    for record in read_games(store, newest=RESTORED_GAMES, with_pgn=True):
        try:
            fake.restore_game(record.game_id, record.pgn, status=record.status, rated=record.rated)
        except ValueError as error:
            log.warning("game_not_restored", game_id=record.game_id, error=str(error))


def _print_addresses(fake: FakeLichess, service: Service, options: OfflineOptions) -> None:
    """Say where to watch: the games as on Lichess, and the bot's own dashboard. With faults, say how to repeat them."""
    stream = sys.stderr if options.json else sys.stdout
    if options.faults != "calm":
        stream.write(f"faults     {options.faults}; --seed {options.seed} repeats them\n")
    stream.write(f"board      {fake.url}\n")
    if service.dashboard is not None and service.dashboard.url:
        stream.write(f"dashboard  {service.dashboard.url}\n")
    stream.flush()


def _play_games(
    fake: FakeLichess, service: Service, options: OfflineOptions, opponent: str, signals: StopSignals
) -> list[OfflineGame]:
    if options.json:
        match = Match(fake, options, opponent, on_end=_print_json)
        match.play(signals)
        return match.ended_games
    with Display(Console(), options.games, lambda game_id: _score(service, game_id)) as display:
        match = Match(fake, options, opponent, on_look=display.look, on_end=display.ended)
        match.play(signals)
    return match.ended_games


def _score(service: Service, game_id: str) -> Score | None:
    """What the bot thinks of its game."""
    if service.dispatcher is None:
        return None
    loops = service.dispatcher.snapshot().loops
    return next((loop.last_score for loop in loops if loop.game_id == game_id), None)


def _print_json(ended_game: OfflineGame) -> None:
    sys.stdout.write(json.dumps(ended_game.as_json()) + "\n")
    sys.stdout.flush()


def _report(
    ended_games: list[OfflineGame],
    summary: Summary,
    options: OfflineOptions,
    service: Service,
    *,
    stopped: bool = False,
) -> None:
    if options.json:
        sys.stdout.write(json.dumps(summary.as_json()) + "\n")
    elif options.games:
        for ended_game in ended_games:
            if pgn := _stored_pgn(service.store, ended_game.report):
                sys.stdout.write(f"\n{wrapped(pgn)}\n")
        sys.stdout.write(summary.in_words(options.games, stopped=stopped))
        sys.stdout.write(files_left(service.settings))
    sys.stdout.flush()


def _stored_pgn(store: Store, report: GameReport) -> str:
    """Return the PGN of a finished game, "" for one that is not kept. The recorder may still be at work."""
    deadline_s = time.monotonic() + RECORDED_WITHIN_S
    while (record := store.game(report.id)) is None and len(report.moves) >= ABORTABLE_PLIES:
        if time.monotonic() > deadline_s:
            break
        time.sleep(POLL_S)
    return record.pgn if record is not None else ""


def wrapped(pgn: str) -> str:
    """Return PGN with its moves in lines of 80 characters, broken between words but not within [%clk 0:01:00]."""

    def fill(line: str) -> str:
        whole = re.sub(r"\[%(\w+) ", "[%\\1\0", line)
        return textwrap.fill(whole, 80, break_long_words=False, break_on_hyphens=False).replace("\0", " ")

    return "\n".join(line if line.startswith("[") else fill(line) for line in pgn.splitlines())


def files_left(settings: Settings) -> str:
    """Say which files stay behind."""
    kept = {"store": settings.store, "PGN": settings.pgn_folder, "log": settings.log.file}
    named = [f"{what} {path}" for what, path in kept.items() if path is not None]
    kernels = "engine88's compiled kernels, which later starts use"
    return f"files left: {', '.join([*named, kernels])}\n"


def _wait_for_people(fake: FakeLichess, options: OfflineOptions, signals: StopSignals) -> None:
    """Print the address once the bot can be challenged there, and wait for a signal."""
    while not fake.is_online(BOT_NAME) and not signals.wait(0.05):
        continue
    stream = sys.stderr if options.json else sys.stdout
    stream.write(f"Open {fake.url} in a browser to play against {BOT_NAME}; Ctrl-C ends.\n")
    stream.flush()
    while not signals.wait(3600.0):
        continue
