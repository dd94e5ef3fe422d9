"""Draw offers, takebacks, claims and presence: the rules between two players, on a Game."""

from __future__ import annotations

import chess

from .. import errors
from ..errors import ApiError
from .game_end import GameEnd, cannot_win
from .server_game import Game

PLIES_BETWEEN_DRAW_OFFERS = 20
CLAIM_AFTER_S = {"blitz": 41.0, "rapid": 81.0, "classical": 121.0}  # blitz and faster
FLAG_MARGIN_MS = 3000  # by which the countdown ends before the flag falls (lila `RoundAsyncActor.Tick`)
WORTH = ((chess.PAWN, 1), (chess.KNIGHT, 3), (chess.BISHOP, 3), (chess.ROOK, 5), (chess.QUEEN, 9))
TAKEBACK_BLOCK_S = 10.0  # for which the first decline blocks proposals


def can_offer_draw(game: Game, color: chess.Color) -> bool:
    """Whether a draw may be offered: from ply 2, once in 20 plies, not to the computer or with `noEarlyDraw`."""
    player, plies = game.players[color], len(game.moves)
    if not game.playable or plies < 2 or player.offers_draw or game.players[not color].ai_level is not None:
        return False
    if "noEarlyDraw" in game.spec.rules and plies < 60:
        return False
    return player.draw_offered_at is None or player.draw_offered_at < plies - PLIES_BETWEEN_DRAW_OFFERS


def draw(game: Game, color: chess.Color, yes: bool, now_ms: float) -> None:
    """Offer, accept, claim or decline a draw; does nothing if that is impossible.

    A draw is claimed after a threefold repetition and against an opponent who could never mate.
    """
    opponent = game.players[not color]
    if not game.playable:
        return
    if not yes:
        opponent.offers_draw = False
    elif opponent.offers_draw or game.board.is_repetition(3):
        game.finish(GameEnd("draw", None), now_ms)
    elif cannot_win(game.board, not color):
        game.finish(GameEnd("insufficientMaterialClaim", None), now_ms)
    elif can_offer_draw(game, color):
        game.players[color].offers_draw = True
        game.players[color].draw_offered_at = len(game.moves)
        game.listener.state_changed(game)


def takeback(game: Game, color: chess.Color, yes: bool, now_ms: float) -> None:
    """Propose, accept, withdraw or decline a takeback; ignored if impossible or not wanted (lila `Takebacker`)."""
    me, opponent = game.players[color], game.players[not color]
    if not game.playable or game.spec.in_tournament or game.check_flag(now_ms):
        return
    if not yes:
        _refuse_takeback(game, now_ms)
    elif not _allow_takebacks(game):
        return
    elif opponent.takeback_offered_at is not None:
        single = opponent.takeback_offered_at == len(game.moves) and game.board.turn == color
        take_back(game, 1 if single else 2, now_ms)
    elif opponent.ai_level is not None:
        take_back(game, 2 if game.board.turn == color else 1, now_ms)
    elif game.both_moved and not me.offers_takeback and _may_propose(game, now_ms):
        me.takeback_offered_at = len(game.moves)
        game.listener.state_changed(game)


def _refuse_takeback(game: Game, now_ms: float) -> None:
    """Withdraw or decline the open proposal, which counts as a decline either way."""
    if any(player.offers_takeback for player in game.players.values()):
        for player in game.players.values():
            player.takeback_offered_at = None
        game.takebacks_declined += 1
        game.takeback_declined_ms = now_ms
        game.listener.state_changed(game)


def _allow_takebacks(game: Game) -> bool:
    accounts = [player.account for player in game.players.values() if player.account is not None]
    return all((one.takebacks == "casual" and not game.spec.rated) or one.takebacks is True for one in accounts)


def _may_propose(game: Game, now_ms: float) -> bool:
    """Each decline blocks proposals for longer: 10 s, 40 s, 90 s, at most 1,000 s."""
    blocked_s = TAKEBACK_BLOCK_S * min(10, game.takebacks_declined) ** 2
    return game.takebacks_declined == 0 or now_ms - game.takeback_declined_ms >= blocked_s * 1000


def take_back(game: Game, plies: int, now_ms: float) -> None:
    """Undo the last plies, and restore the clocks."""
    plies = min(len(game.moves), plies)
    for _ in range(plies):
        game.board.pop()
        game.moves.pop()
    game.clock.take_back(plies, now_ms)
    game.takebacks_declined = 0
    for player in game.players.values():
        player.offers_draw, player.takeback_offered_at = False, None
        if player.draw_offered_at is not None:
            player.draw_offered_at = min(player.draw_offered_at, len(game.moves))
    game.listener.state_changed(game)


def arrive(game: Game, color: chess.Color) -> None:
    """Count an opened stream of a player."""
    player = game.players[color]
    player.connections += 1
    if player.gone_since_ms is not None:
        player.gone_since_ms = None
        game.listener.presence_changed(game, color)


def leave(game: Game, color: chess.Color, since_ms: float) -> None:
    """Mark a player without a stream as gone since some time, and notify the opponent."""
    player = game.players[color]
    if player.connections == 0 and player.gone_since_ms is None and game.playable:
        player.gone_since_ms = since_ms
        game.listener.presence_changed(game, color)


def claim_in_ms(game: Game, color: chess.Color, now_ms: float, claim_after_s: float | None) -> float | None:
    """Return how long the opponent must still be gone before `color` may claim, None if no claim is possible.

    The countdown runs in a real-time game that has begun, on either side's turn; the claim itself waits for the
    opponent's turn. `claim_after_s` replaces the time that Lichess demands.
    """
    since = game.players[not color].gone_since_ms
    if since is None or not game.playable or not game.both_moved:
        return None
    if game.spec.control.limit_ms is None or "noClaimWin" in game.spec.rules:
        return None
    after_s = _claim_after_s(game, not color) if claim_after_s is None else claim_after_s
    return max(0.0, since + after_s * 1000 - now_ms)


def _claim_after_s(game: Game, gone: chess.Color) -> float:
    """Return the time that Lichess demands: by speed, a third of it if the absent player is four points behind."""
    after_s = CLAIM_AFTER_S.get(game.spec.speed, CLAIM_AFTER_S["blitz"])
    material = {
        color: sum(worth * len(game.board.pieces(kind, color)) for kind, worth in WORTH) for color in chess.COLORS
    }
    return after_s / 3 if material[gone] <= material[not gone] - 4 else after_s


def countdown_ms(game: Game, color: chess.Color, now_ms: float, claim_after_s: float | None) -> float | None:
    """Return the countdown that `color` sees, None if there is none or the absent player's flag falls first."""
    left = claim_in_ms(game, color, now_ms, claim_after_s)
    runs_out = left is not None and left > 0 and game.clock.remaining_ms(not color, now_ms) <= left + FLAG_MARGIN_MS
    return None if runs_out else left


def claim(game: Game, color: chess.Color, win: bool, now_ms: float, claim_after_s: float | None) -> None:
    """Claim the win or a draw against an opponent who has left; raises ApiError if it is too early."""
    if game.board.turn == color or claim_in_ms(game, color, now_ms, claim_after_s) != 0:
        raise ApiError(400, errors.NO_CLAIM_WIN if win else errors.NO_CLAIM_DRAW)
    game.finish(GameEnd("timeout", color if win else None), now_ms)
