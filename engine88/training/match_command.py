"""The command `match`: two engines, pairs of games with colours changed, until a number of games or a verdict."""

import argparse
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import in_order
from engine88.training.match.game import GameLimits
from engine88.training.match.pair import MatchSettings, PairOpening, close_engines, play_pair
from engine88.training.match.standing import Sprt, Standing, read_pairs, verdict
from engine88.training.match.uci_engine import EngineError, EngineSpec
from engine88.training.selfplay.books import Book, read_books
from engine88.training.selfplay.run_file import keep_settings, locked, reporting, say

_CLOCK: Final = re.compile(r"(?P<base>\d+(?:\.\d+)?)\+(?P<increment>\d+(?:\.\d+)?)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("first", help="command of the engine whose Elo is shown, in quotes")
    parser.add_argument("second", help="command of the other one")
    parser.add_argument("--out", type=Path, required=True, help="PGN to write; an existing match is continued")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--nodes", type=int, default=0, help="nodes of each move")
    limit.add_argument("--tc", help="base and increment in seconds, like 8+0.08")
    parser.add_argument("--games", type=int, default=1000, help="games at most, both colours counted")
    parser.add_argument(
        "--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="end when one of the two is accepted"
    )
    parser.add_argument("--model", choices=("logistic", "normalised"), default="logistic", help="Elo of --sprt")
    parser.add_argument("--names", nargs=2, default=("A", "B"), help="names of the engines in the PGN")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="UCI option of both engines"
    )
    parser.add_argument("--option-first", action="append", default=[], metavar="NAME=VALUE", help="of the first")
    parser.add_argument("--option-second", action="append", default=[], metavar="NAME=VALUE", help="of the second")
    parser.add_argument("--books", type=Path, nargs="+", default=(), help="EPD files (default: eight random plies)")
    parser.add_argument("--seed", default="1", help="chooses the openings")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play what the options say; returns the exit status."""
    try:
        return reporting("match", lambda: _match(options))
    except EngineError as error:
        say(f"match: {error}")
        return 1
    finally:
        close_engines()


def _match(options: argparse.Namespace) -> int:
    settings = _settings(options)
    sprt = _sprt(options)
    book = read_books(options.books, say)
    out: Path = options.out
    out.parent.mkdir(parents=True, exist_ok=True)
    with locked(out) as descriptor:
        record = read_pairs(out.read_text(encoding="utf-8"))
        keep_settings(out, {**asdict(settings), "books": book.files})
        os.ftruncate(descriptor, record.size)
        standing = Standing(record.pairs)
        if record.pairs:
            say(f"{out}: going on after {2 * len(record.pairs)} games")
        wanted = -(-options.games // 2)
        decided = sprt and verdict(standing.pentanomial, sprt)
        if not decided and standing.pairs < wanted:
            with open_pool.open_pool(options, say) as pool:
                openings = _openings(standing.pairs, wanted, book, options.seed)
                for pgn in in_order(pool, play_pair, (settings, None), openings):
                    _append(descriptor, pgn, standing)
                    say(standing.line(sprt))
                    decided = sprt and verdict(standing.pentanomial, sprt)
                    if decided:
                        break
    say(f"{settings.first.name} - {settings.second.name}: {standing.line(sprt)}; {standing.endings()}")
    if sprt is not None:
        say(decided or "SPRT: undecided")
    return 0


def _append(descriptor: int, pgn: str, standing: Standing) -> None:
    """Write a pair in one piece and count it; report an engine's fault at once."""
    data = pgn.encode()
    if os.write(descriptor, data) != len(data):
        raise OSError("the PGN could not be written whole; is the disk full?")
    renumbered = re.sub(r'\[Round "\d+\.', '[Round "1.', pgn)
    (pair,) = read_pairs(renumbered).pairs
    standing.add(pair)
    for reason in pair.reasons:
        if reason.startswith(("engine failed", "illegal move", "time forfeit")):
            say(f"!! pair {standing.pairs}: {reason}")


def _openings(first: int, end: int, book: Book, seed: str) -> Iterator[PairOpening]:
    for pair in range(first, end):
        yield PairOpening(pair, book.pick(seed, pair, 1.0))


def _settings(options: argparse.Namespace) -> MatchSettings:
    if options.games < 2:
        raise ValueError(f"--games must be 2 or more, not {options.games}")
    if options.names[0] == options.names[1]:
        raise ValueError(f"--names must be two different ones, not twice {options.names[0]!r}")
    first, second = (
        EngineSpec(name, command, tuple(_option(text) for text in [*options.option, *more]))
        for name, command, more in (
            (options.names[0], options.first, options.option_first),
            (options.names[1], options.second, options.option_second),
        )
    )
    return MatchSettings(first, second, _limits(options), options.seed)


def _limits(options: argparse.Namespace) -> GameLimits:
    if options.tc is None:
        if options.nodes < 1:
            raise ValueError(f"--nodes must be 1 or more, not {options.nodes}")
        return GameLimits(nodes=options.nodes)
    clock = _CLOCK.fullmatch(options.tc)
    if clock is None:
        raise ValueError(f"--tc must be like 8+0.08 (seconds), not {options.tc!r}")
    return GameLimits(base_ms=round(1000 * float(clock["base"])), increment_ms=round(1000 * float(clock["increment"])))


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ValueError(f"an option is given as NAME=VALUE, not {text!r}")
    return name, value


def _sprt(options: argparse.Namespace) -> Sprt | None:
    if options.sprt is None:
        return None
    elo0, elo1 = options.sprt
    if elo0 >= elo1:
        raise ValueError(f"--sprt needs two Elo with the smaller first, not {elo0:g} and {elo1:g}")
    return Sprt(elo0, elo1, options.model)
