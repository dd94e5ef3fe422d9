"""A running game: board, clocks, evaluation, what the last search found, moves."""

from __future__ import annotations

from html import escape

from bot.dashboard.charts import FEWEST_PLIES, evaluation_chart
from bot.dashboard.games import GameView, LastSearch, Side, position_name
from bot.dashboard.pages.texts import clock_text, count_text, score_text

#: The levels that the chart's scale names; the style sheet knows where they are.
_SCALE = (("top", "+10"), ("high", "+3"), ("zero", "0"), ("low", "−3"), ("bottom", "−10"))


def game_card(game: GameView) -> str:
    """Return the card; its id stays the same as long as the game runs."""
    ours, theirs = (game.white, game.black) if game.our_color == "white" else (game.black, game.white)
    moved = f"last move {game.last_move}" if game.last_move else "no move yet"
    score = "–" if game.score_cp is None else score_text(game.score_cp)
    return (
        f'<article class="game" id="game-{escape(game.game_id)}" aria-label="{escape(_title(game))}">'
        f'<div class="split"><div class="table">{_player(theirs)}'
        f'<a class="board" href="{escape(game.url)}" rel="noreferrer"><img src="{escape(board_address(game))}"'
        f' width="320" height="320" alt="Position of game {escape(game.game_id)}, {escape(moved)}"></a>'
        f'{_player(ours)}</div><div class="info"><p class="facts"><span class="last">{escape(game.last_move or "–")}'
        f'</span><strong class="score">{escape(score)}</strong><span class="terms">{escape(_terms(game))}</span></p>'
        f"{chart_figure(_chart(game))}{_search(game.search)}{_moves(game)}</div></div></article>"
    )


def board_address(game: GameView) -> str:
    """Where the picture of a game's position is; another position has another address, so that it may be cached."""
    return f"/board/{game.game_id}.svg?at={position_name(game)}"


def chart_figure(chart: str) -> str:
    """A chart of the evaluation with its scale."""
    scale = "".join(f'<span class="{level}">{text}</span>' for level, text in _SCALE)
    return f'<figure class="chart">{chart}<div class="scale" aria-hidden="true">{scale}</div></figure>'


def _title(game: GameView) -> str:
    return f"{game.white.name} against {game.black.name}"


def _terms(game: GameView) -> str:
    variant = "" if game.variant == "standard" else f"{game.variant} · "
    return f"{game.speed} · {variant}{'rated' if game.rated else 'casual'}"


def _player(side: Side) -> str:
    rating = "" if side.rating is None else f' <span class="rating">{side.rating}</span>'
    running = ' data-running="yes"' if side.running else ""
    clock = (
        ""
        if side.clock_ms is None
        else f'<time data-ms="{side.clock_ms}"{running}>{escape(clock_text(side.clock_ms))}</time>'
    )
    return f'<p class="player"><span class="name">{escape(side.name)}{rating}</span>{clock}</p>'


def _chart(game: GameView) -> str:
    now = f", now {score_text(game.scores[-1].score_cp)}" if game.scores else ", nothing searched yet"
    label = f"Evaluation of game {game.game_id} from our side{now}"
    return evaluation_chart(game.scores, max(FEWEST_PLIES, game.ply), label)


def _search(search: LastSearch | None) -> str:
    """What the last search found, in one line, and its variation in another."""
    if search is None:
        return '<p class="search none">No search yet</p><p class="variation"></p>'
    if search.source:
        return f'<p class="search">from {escape(search.source)}</p><p class="variation"></p>'
    parts = [f"{search.time_ms / 1000:.1f} s"]
    if search.nps is not None:
        parts.insert(0, f"{count_text(search.nps)} nodes/s")
    if search.nodes is not None:
        parts.insert(0, f"{count_text(search.nodes)} nodes")
    if search.depth is not None:
        parts.insert(0, f"depth {search.depth}")
    facts = "".join(f"<span>{escape(part)}</span>" for part in parts)
    return f'<p class="search">{facts}</p><p class="variation" title="Our line">{escape(search.variation)}</p>'


def _moves(game: GameView) -> str:
    """All moves with their numbers; the style sheet shows the latest where there is little room."""
    words = []
    for index, san in enumerate(game.san):
        ply = game.first_ply + index
        dots = "." if ply % 2 == 0 else "..."
        number = f"<b>{ply // 2 + 1}{dots}</b>&nbsp;" if ply % 2 == 0 or index == 0 else ""
        words.append(f"{number}<span>{escape(san)}</span>")
    return (
        f'<div class="moves" tabindex="0" role="group" aria-label="Moves of game {escape(game.game_id)}">'
        f"<p>{' '.join(words)}</p></div>"
    )
