"""The live view: state, games, queue and results in a few lines above the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from chess.engine import Cp
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from bot.control.report import Status, clock_in_words, limits_in_words, results_in_words
from bot.dashboard.games import GameView, Side
from bot.engine_pool.values import score_text

_BESIDE_GAMES = 6  # lines: the rule, the queue, the rest, the prompt, and room for what scrolls by
_STATES = {"starting": "dim", "playing": "green", "paused": "bold yellow", "ending": "bold yellow"}


def live_view(status: Status, height: int) -> RenderableType:
    """Draw the view for a terminal of so many lines."""
    picture = status.picture
    title = Text.assemble(
        f"{picture.account or 'bot88'} on {picture.server_url} · ", (status.state, _STATES[status.state])
    )
    if picture.health.reasons and status.state != "starting":
        title.append(f" · {'; '.join(picture.health.reasons)}", "bold red")
    parts: list[RenderableType] = [Rule(title, style="dim"), *_games(picture.games, height - _BESIDE_GAMES)]
    if picture.waiting:
        waiting = ", ".join(f"{one.challenger} {one.terms}" for one in picture.waiting)
        parts.append(_line(f"queue {len(picture.waiting)}: {waiting}"))
    return Group(*parts, _line(_rest(status), "dim"))


def _games(games: Sequence[GameView], most: int) -> list[RenderableType]:
    if not games:
        return [_line("no games are running", "dim")]
    shown = games if len(games) <= most else games[: max(1, most - 1)]
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(6):
        table.add_column(no_wrap=True, overflow="ellipsis")
    for game in shown:
        table.add_row(
            Text(game.game_id, "dim"),
            f"{'rated' if game.rated else 'casual'} {game.variant if game.variant != 'standard' else game.speed}",
            _side(game.white),
            _side(game.black),
            game.last_move,
            _score(game),
        )
    more = len(games) - len(shown)
    return [table, *([_line(f"and {more} more: `games` lists all", "dim")] if more else [])]


def _side(side: Side) -> Text:
    rating = f" ({side.rating})" if side.rating is not None else ""
    return Text.assemble(f"{side.name}{rating} ", (clock_in_words(side.clock_ms), "bold" if side.running else "dim"))


def _score(game: GameView) -> Text:
    ours = game.score.pov(game.our_side) if game.score is not None else Cp(0)
    style = "green" if ours >= Cp(50) else "red" if ours <= Cp(-50) else ""
    return Text(score_text(game.score, game.our_side), style)


def _rest(status: Status) -> str:
    picture = status.picture
    parts = [
        f"{max(0, picture.free_slots)} of {status.slots} slots free",
        f"today {results_in_words(picture)}",
        *([f"limits {limits_in_words(picture)}"] if picture.limits else []),
        *([f"blocked {', '.join(status.blocked)}"] if status.blocked else []),
    ]
    return " · ".join(parts)


def _line(text: str, style: str = "") -> Text:
    return Text(text, style, no_wrap=True, overflow="ellipsis")
