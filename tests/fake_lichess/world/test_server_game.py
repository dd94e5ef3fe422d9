"""Any sequence of acts by two players keeps a game whole."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import chess
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.world import offers
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.chat_room import ChatLine
from bot.fake_lichess.world.clocks import GameClock, TimeControl
from bot.fake_lichess.world.json_objects import STATUS_IDS, game_full
from bot.fake_lichess.world.server_game import Game, GameSpec, Player
from bot.fake_lichess.world.variants import VARIANTS
from tests.helpers.examples import scaled

LIMIT_MS, INCREMENT_MS = 60_000, 1_000


class Silent:
    """Counts the notifications of a game."""

    def __init__(self) -> None:
        self.ends = 0

    def state_changed(self, game: Game) -> None:
        """Nothing to do."""

    def finished(self, game: Game) -> None:
        """Count."""
        self.ends += 1

    def chatted(self, game: Game, line: ChatLine) -> None:
        """Nothing to do."""

    def presence_changed(self, game: Game, color: chess.Color) -> None:
        """Nothing to do."""


def new_game(variant: str) -> tuple[Game, Silent]:
    """A game at time 0."""
    kind, listener = VARIANTS[variant], Silent()
    spec = GameSpec("abcdefgh", kind, TimeControl(LIMIT_MS, INCREMENT_MS), False, "bullet", "bullet")
    board = kind.board_class()
    players = {color: Player(Account(name), "abcdefgh1234") for color, name in ((chess.WHITE, "A"), (chess.BLACK, "B"))}
    return Game(spec, board, players, GameClock(spec.control, board.turn, 0), listener), listener


def act(game: Game, kind: int, color: chess.Color, choice: int, now_ms: float) -> None:
    """One act; what the rules forbid is refused with an ApiError."""
    legal = sorted(move.uci() for move in game.board.legal_moves) or ["a1a1"]
    acts: dict[int, Callable[[], object]] = {
        0: lambda: game.play(color, legal[choice % len(legal)], now_ms),
        1: lambda: offers.draw(game, color, choice % 2 == 0, now_ms),
        2: lambda: offers.takeback(game, color, choice % 3 > 0, now_ms),
        3: lambda: offers.leave(game, color, now_ms),
        4: lambda: offers.arrive(game, color),
        5: lambda: offers.claim(game, color, choice % 2 == 0, now_ms, 5_000),
        6: lambda: game.check_flag(now_ms),
        7: lambda: game.resign(color, now_ms) if choice == 0 else None,
        8: lambda: game.abort(now_ms) if choice == 0 else None,
    }
    with contextlib.suppress(ApiError):
        acts[kind]()


STEP = st.tuples(
    st.sampled_from([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]), st.booleans(), st.integers(0, 60), st.integers(0, 8_000)
)


@settings(max_examples=scaled(80), deadline=None)
@given(st.sampled_from(["standard", "crazyhouse", "antichess", "threeCheck"]), st.lists(STEP, max_size=80))
def test_a_game_stays_whole(variant: str, steps: list[tuple[int, bool, int, int]]) -> None:
    game, listener = new_game(variant)
    now_ms = 0.0
    for kind, own_turn, choice, passed_ms in steps:
        now_ms += passed_ms
        color = game.board.turn if own_turn else not game.board.turn
        before = (game.status, list(game.moves))
        act(game, kind, color, choice, now_ms)
        if before[0] != "started":
            assert (game.status, game.moves) == before, "nothing changes after the end"
        times = [game.clock.remaining_ms(side, now_ms) for side in (chess.WHITE, chess.BLACK)]
        assert all(0 <= left <= LIMIT_MS + INCREMENT_MS * len(steps) for left in times)
    assert listener.ends == (game.status != "started")
    assert game.status in STATUS_IDS
    replay = game.first_board.copy()
    for uci in game.moves:
        replay.push_uci(uci)
    assert replay.fen() == game.board.fen()
    assert len(game.clock.history_ms()) == len(game.moves)
    assert game_full(game, now_ms)["id"] == "abcdefgh"
