"""A store under load: filled with thousands of games, and with a disk that takes nothing for a while."""

from __future__ import annotations

import random
import sqlite3
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import chess
from chess.engine import Cp, PovScore

from bot.account.account_facts import recent_games_with
from bot.archive.game_record import GameRecord
from bot.archive.look_up import GameLookUp
from bot.archive.pgn import MoveNote, pgn_of
from bot.archive.recorder import GameRecorder
from bot.archive.store import Store, read_games
from bot.dashboard.history import MOST_GAMES, History
from bot.engine_pool.values import Answer
from bot.events.game import GameExport
from tests.helpers.finished_games import finished, is_written, record, record_game

PLIES = 80  # half-moves of a game; its PGN has about 4 kB
DIFFERENT_GAMES = 200  # more than fit into the window of a compression
GAP_S = 300.0  # between the ends of two games


def fill(path: Path, games: int) -> None:
    """Write a store with so many games, the newest of which ended now."""
    store = Store(path)
    pgns = [a_pgn(seed) for seed in range(min(games, DIFFERENT_GAMES))]
    now_s = time.time()
    for start in range(0, games, 1000):
        for number in range(start, min(games, start + 1000)):
            game = a_game(number, now_s - (games - 1 - number) * GAP_S)
            pgn = pgns[number % DIFFERENT_GAMES].replace("abcdefgh", game.game_id)
            record_game(store, replace(game, pgn=pgn))
        assert is_written(store, 600.0)
    store.close()


def a_pgn(seed: int) -> str:
    """The PGN that the bot writes for a game of random moves, with clocks, and scores at its own moves."""
    chance = random.Random(seed)
    board, notes, score_cp, clocks_ms = chess.Board(), {}, 20, [180_000, 180_000]
    for ply in range(1, PLIES + 1):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
        score_cp += chance.randint(-30, 30)
        clocks_ms[ply % 2] += 2000 - chance.randint(200, 6000)
        score = PovScore(Cp(score_cp), chess.WHITE) if ply % 2 else None
        notes[ply] = MoveNote(
            clocks_ms[ply % 2], score, chance.randint(9, 22) if score else None, "engine88" * (ply % 2)
        )
    game = finished(" ".join(move.uci() for move in board.move_stack))
    return pgn_of(game, game.state, board, "https://lichess.org", notes)


def a_game(number: int, ended_s: float) -> GameRecord:
    """A game against one of a hundred opponents."""
    name, is_bot = f"opponent{number % 100}", bool(number % 2)
    return record(
        f"g{number:07}", opponent_id=name, opponent=name, opponent_is_bot=is_bot, plies=PLIES, ended_s=ended_s,
        my_rating=2000, opponent_rating=1900, eco="C20", opening="King's Pawn Game",
    )  # fmt: skip


def fastest_ms(act: Callable[[], object], times: int = 20) -> float:
    """The shortest time of several runs."""
    found = []
    for _ in range(times):
        begun_s = time.perf_counter()
        act()
        found.append((time.perf_counter() - begun_s) * 1000)
    return min(found)


def rule_ms(path: Path) -> float:
    """The time that the rule "games with this opponent today" takes."""
    store = Store(path)
    try:
        return fastest_ms(lambda: recent_games_with(store, "opponent7", 86_400.0))
    finally:
        store.close()


def refresh_ms(path: Path) -> float:
    """The time that the dashboard needs to read what has changed since its last look."""
    store = Store(path)
    history = History(lambda since_s: store.games(since_s, newest=MOST_GAMES))
    now_s = time.monotonic()
    history.look(now_s)
    looks = iter(range(1, 100))
    try:
        return fastest_ms(lambda: (history.look(now_s + 60.0 * next(looks)), store.outcomes(time.time() - 43_200.0)))
    finally:
        store.close()


def keep_notes_while_locked(path: Path, notes: int, games: int) -> tuple[float, int]:
    """Hand over so many search notes and then games while another program locks the store, then unlock it.

    Returns how many megabytes they took meanwhile, and how many games are kept in the end.
    """
    store = Store(path)
    recorder = GameRecorder(store, GameLookUp(lambda game_id: GameExport(game_id, "started")), "me", "", bool)
    answer = Answer(chess.Move.from_uci("e2e4"), info_line="info depth 12 score cp 30", engine="tiny")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        tracemalloc.start()
        for number in range(notes):
            recorder.answered(f"g{number % 50:07}", 10, answer)
        megabytes = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        for number in range(games):
            record_game(store, a_game(number, time.time()))
        other.rollback()
    is_written(store, 60.0)
    store.close()
    return megabytes, len(read_games(path))
