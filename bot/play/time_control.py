"""How long the engine may think: the server's clocks and the measured lag become a chess.engine.Limit. Pure.

A loss at every move is a negative increment. So the overhead is taken from the increment first; where it exceeds the
increment, the deficit of the moves to come is taken from the clock. Any engine then plans right, whatever it knows of
networks.
"""

from __future__ import annotations

import chess
from chess.engine import Limit

from bot.play.game import Game
from bot.settings import Settings

LONGEST_FIRST_MOVE_S = 2.0
FIRST_MOVE_SHARE = 100  # the free first move takes a hundredth of the game, so that nobody waits long
MOVES_TO_COME = 25  # moves whose lag is set aside in a game without enough increment
MAX_SHARE_FOR_LAG = 0.6  # ... but never more of the clock than this: a slow network must not stop us thinking
SHORTEST_S = 0.02  # a time of zero would mean no limit
FLOOR_MS = 10.0  # engines misread clocks of zero
LONGEST_PAUSE_S = 10.0  # a move that is found at once is held back no longer, whatever the share of the clock
CORRESPONDENCE_SHARE = 20  # at most this part of what is left of the days


def first_move_s(initial_ms: int, increment_ms: int) -> float:
    """Seconds for the move before the clocks run: short in short games, though it costs nothing."""
    estimated_ms = initial_ms + 40 * increment_ms
    return min(LONGEST_FIRST_MOVE_S, max(0.1, estimated_ms / 1000 / FIRST_MOVE_SHARE))


def thinking_clock(clock_ms: float, increment_ms: float, overhead_ms: float) -> tuple[float, float]:
    """(clock, increment) in ms as an engine without lag would have them to end with the same game."""
    deficit = max(0.0, overhead_ms - increment_ms)
    reserve = min(overhead_ms + deficit * MOVES_TO_COME, clock_ms * MAX_SHARE_FOR_LAG)
    # one move's lag goes in full, however little is left: the flag does not bargain
    usable = min(clock_ms - reserve, clock_ms - overhead_ms)
    return max(FLOOR_MS, usable), max(0.0, increment_ms - overhead_ms)


def limit_for(game: Game, now_s: float, overhead_ms: float, settings: Settings) -> Limit:
    """Return the engine's limit for the move that `game` wants from us at `now_s` (monotonic seconds).

    The engine rule that fits the game may fix depth, nodes or time on top of the clocks.
    """
    limit = _time_limit(game, now_s, overhead_ms, settings)
    rule = settings.rule_for(game.facts)
    limit.depth, limit.nodes = rule.depth, rule.nodes
    caps = [cap for cap in (limit.time, rule.move_time_s, settings.clock.max_move_s) if cap is not None]
    limit.time = max(SHORTEST_S, min(caps)) if caps else None
    return limit


def earliest_move_s(game: Game, settings: Settings) -> float:
    """When our move may be sent at the soonest (monotonic seconds), 0 where it need not take a share of the clock."""
    rule = settings.rule_for(game.facts)
    share = settings.clock.min_move_share if rule.min_move_share is None else rule.min_move_share
    if not share or game.is_correspondence or not game.clock_runs:
        return 0.0
    return game.turn_began_s + min(LONGEST_PAUSE_S, share * game.my_clock_ms / 1000)


def time_left_ms(game: Game, now_s: float) -> float:
    """Return what is left on our clock: the server's last value less the time since."""
    return max(0.0, game.my_clock_ms - max(0.0, now_s - game.clocks_told_s) * 1000)


def _time_limit(game: Game, now_s: float, overhead_ms: float, settings: Settings) -> Limit:
    if game.is_correspondence:
        left_s = max(0.1, (game.my_clock_ms - overhead_ms) / 1000)
        return Limit(time=min(settings.correspondence.think_s, left_s / CORRESPONDENCE_SHARE))
    if not game.clock_runs:
        initial_ms = game.full.initial_ms or game.my_clock_ms
        return Limit(time=first_move_s(initial_ms, game.my_increment_ms))
    mine, my_increment = thinking_clock(time_left_ms(game, now_s), game.my_increment_ms, overhead_ms)
    theirs, their_increment = float(game.opponent_clock_ms), float(game.opponent_increment_ms)
    sides = [(mine / 1000, my_increment / 1000), (theirs / 1000, their_increment / 1000)]
    (white_s, white_inc_s), (black_s, black_inc_s) = sides if game.my_color == chess.WHITE else reversed(sides)
    return Limit(white_clock=white_s, white_inc=white_inc_s, black_clock=black_s, black_inc=black_inc_s)
