"""Targets for what comes from files: FEN, PGN, settings, books, tables, and the store."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import chess
import chess.polyglot

from bot.archive.store import Store
from bot.errors import ConfigurationError, StoreError
from bot.lichess.rate_limits import Window
from bot.move_sources.book import BookSource
from bot.move_sources.request import MoveRequest
from bot.move_sources.tablebases import GaviotaSource, SyzygySource
from bot.play.game import UnplayableGameError, starting_board
from bot.settings import BookSettings, GaviotaSettings, SyzygySettings
from bot.settings.model import parse_settings
from engine88.rules.fen import FenError
from engine88.rules.position import Position
from tests.fuzz.mutate import mutated_bytes, mutated_words
from tests.fuzz.target import verdict

ROOT = Path(__file__).resolve().parents[2]
FENS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - e3 12 40",
    "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1",
)
FEN_TOKENS = (b"/", b"9", b"0", b"K", b"k", b"P", b"p", b" ", b"-", b"e3", b"\xd9\xa3", b"99999999999")
BOOK = bytes.fromhex("463b96181691fc9c031c000100000000") * 2 + bytes.fromhex("ffffffffffffffff0fff000100000000")
SMALL = b"""concurrency: 2
engines: [{name: a, command: [x, y], options: {Hash: 64}, slots: 2}]
rules: [{opponents: human, engines: [a], depth: 3}]
challenges: {speeds: [blitz], max_rating: 2000}
"""
ENDING = MoveRequest(chess.Board("8/8/8/8/8/4k3/8/4K2Q w - - 0 1"))


class Reader:
    """A target made of a function that reads, its seeds, and the errors it may raise."""

    def __init__(
        self,
        name: str,
        read: Callable[[bytes], None],
        seeds: Sequence[bytes],
        allowed: tuple[type[Exception], ...],
        tokens: Sequence[bytes] = (b"\x00", b"\xff", b"\n", b"\xc3(", b":", b"-", b"[", b"{", b"&a", b"*a", b"!!"),
    ) -> None:
        self.name, self._read, self._seeds, self._allowed, self._tokens = name, read, seeds, allowed, tokens

    def make(self, rng: random.Random) -> bytes:
        """A seed with a few changes of its words or bytes."""
        data = rng.choice(self._seeds)
        if rng.random() < 0.3:
            words = mutated_words(rng, data.decode("latin-1").split(" "))
            data = words.encode("utf-8", "surrogatepass")
        return mutated_bytes(rng, data, rng.choice([1, 2, 5]), self._tokens)

    def check(self, data: bytes) -> str:
        """Read it."""
        return verdict(self._read, data, self._allowed)

    def close(self) -> None:
        """Nothing runs."""


def read_engine_fen(data: bytes) -> None:
    """A FEN as engine88 reads it; what it takes, it writes and reads again alike."""
    position = Position.from_fen(data.decode("utf-8", "replace"))
    again = Position.from_fen(position.fen())
    if again.fen() != position.fen() or again.key != position.key:
        raise ArithmeticError(f"{position.fen()} is read as {again.fen()}")


def read_bot_fen(data: bytes) -> None:
    """A FEN as the bot takes it from the server, in every variant by turns."""
    text = data.decode("utf-8", "replace")
    for variant in ("standard", "chess960", "fromPosition", "crazyhouse", "atomic"):
        try:
            starting_board(variant, text)
        except UnplayableGameError:
            continue


def read_settings(data: bytes) -> None:
    """A configuration file."""
    parse_settings(data.decode("utf-8", "replace"), "bot88.yml", folder=Path("/nonexistent"), environ={})


def file_reader(read: Callable[[Path], None], name: str) -> Callable[[bytes], None]:
    """Feed a reader of files with bytes."""

    def run(data: bytes) -> None:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            read(path)

    return run


def read_book(path: Path) -> None:
    """A Polyglot book, asked for the first move: it must be legal."""
    source = BookSource(BookSettings(path=path))
    try:
        choice = source.choose(MoveRequest(chess.Board()), 1.0)
        if choice is not None and not chess.Board().is_legal(choice.move):
            raise ArithmeticError(f"{choice.move} is not legal")
    finally:
        source.close()


def read_syzygy(path: Path) -> None:
    """A damaged table, asked for a position that it should know."""
    source = SyzygySource(SyzygySettings(paths=(path.parent,)))
    try:
        source.choose(ENDING, 1.0)
    finally:
        source.close()


def read_gaviota(path: Path) -> None:
    """A damaged table, asked for a position that it should know."""
    source = GaviotaSource(GaviotaSettings(paths=(path.parent,)))
    try:
        source.choose(ENDING, 1.0)
    finally:
        source.close()


def whole_store() -> bytes:
    """The bytes of a store that holds a little."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "store")
        store = Store(path)
        store.save_window("move", Window(4e9, 2))
        store.note_begun("abcdefgh")
        store.close()
        return path.read_bytes()


def read_store(path: Path) -> None:
    """A damaged store: refused in one line or started again."""
    store = Store(path)
    store.windows()
    store.unfinished_games()
    store.close()


TEXT_SETTINGS = (ROOT / "config" / "bot88.yml").read_bytes()
TABLE_TOKENS = (b"\x00" * 16, b"\xff" * 16, b"\x71\xe8\x23\x5d", b"\xd7\x66\x0c\xa5", bytes(range(64)))
TARGETS: dict[str, Callable[[], Reader]] = {
    "fen": lambda: Reader("fen", read_engine_fen, [fen.encode() for fen in FENS], (FenError,), FEN_TOKENS),
    "bot-fen": lambda: Reader("bot-fen", read_bot_fen, [fen.encode() for fen in FENS], (), FEN_TOKENS),
    "settings": lambda: Reader("settings", read_settings, [TEXT_SETTINGS[-3000:], SMALL], (ConfigurationError,)),
    "book": lambda: Reader("book", file_reader(read_book, "a.bin"), [BOOK], (ConfigurationError,), TABLE_TOKENS),
    # a source of moves may raise anything: the caller continues (see MoveSource)
    "syzygy": lambda: Reader(
        "syzygy", file_reader(read_syzygy, "KQvK.rtbw"), [b"\x71\xe8\x23\x5d" + bytes(200)], (Exception,), TABLE_TOKENS
    ),
    "gaviota": lambda: Reader(
        "gaviota", file_reader(read_gaviota, "kqk.gtb.cp4"), [bytes(range(200))], (Exception,), TABLE_TOKENS
    ),
    "store": lambda: Reader(
        "store", file_reader(read_store, "s.sqlite3"), [whole_store()], (StoreError,), TABLE_TOKENS
    ),
}
