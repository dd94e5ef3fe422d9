"""The page, made from a picture. Every text that comes from outside is escaped; nothing is loaded from outside."""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape

from bot.dashboard.games import GameView, Side
from bot.dashboard.picture import Picture

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/page.css">
<script src="/static/page.js" defer></script>
</head>
<body>
"""


def render(picture: Picture) -> str:
    """Return the whole page."""
    name = picture.account or "bot88"
    parts = [
        _HEAD.format(title=escape(f"{name} · bot88")),
        "<main>",
        _header(picture, name),
        _games(picture.games),
        '<div class="panels">',
        _results(picture),
        _queue(picture),
        _limits(picture),
        _engines(picture),
        _health(picture),
        "</div>",
        "</main>",
        '<p id="offline" role="status" hidden>Connection lost; trying again…</p>',
        "</body>\n</html>\n",
    ]
    return "\n".join(parts)


def board_address(game: GameView) -> str:
    """Where the picture of a game's position is; another position has another address, so that it may be cached."""
    return f"/board/{game.game_id}.svg?at={game.ply}{game.last_uci}"


def _header(picture: Picture, name: str) -> str:
    well = picture.health.well
    word = "well" if well else "unwell"
    why = "" if well else f'<p class="why">{escape("; ".join(picture.health.reasons))}</p>'
    return (
        f'<header><h1>{escape(name)}</h1><p class="badge {word}">{word}</p>'
        f'<p class="server">{escape(picture.server_url)}</p>{why}</header>'
    )


def _games(games: Iterable[GameView]) -> str:
    cards = [_card(game) for game in games]
    body = "\n".join(cards) if cards else '<p class="none">No game is running.</p>'
    return f'<section class="games" aria-label="Running games">\n{body}\n</section>'


def _card(game: GameView) -> str:
    ours, theirs = (game.white, game.black) if game.our_color == "white" else (game.black, game.white)
    mode = "rated" if game.rated else "casual"
    score = "" if game.score_cp is None else f'<span class="score">{score_text(game.score_cp)}</span>'
    moved = f"last move {game.last_move}" if game.last_move else "no move yet"
    return (
        '<article class="game">'
        + _player(theirs)
        + f'<a href="{escape(game.url)}" rel="noreferrer"><img src="{escape(board_address(game))}" width="320"'
        + f' height="320" loading="lazy" alt="Position of game {escape(game.game_id)}, {escape(moved)}"></a>'
        + _player(ours)
        + f'<p class="facts"><span>{escape(game.last_move or "–")}</span>{score}'
        + f"<span>{escape(game.speed)} · {escape(game.variant)} · {mode}</span></p></article>"
    )


def _player(side: Side) -> str:
    rating = "" if side.rating is None else f' <span class="rating">{side.rating}</span>'
    running = ' data-running="yes"' if side.running else ""
    clock = (
        ""
        if side.clock_ms is None
        else f'<time data-ms="{side.clock_ms}"{running}>{escape(clock_text(side.clock_ms))}</time>'
    )
    return f'<p class="player"><span class="name">{escape(side.name)}{rating}</span>{clock}</p>'


def clock_text(left_ms: int) -> str:
    """A clock as players read it: 1:02:03, 4:05."""
    seconds = left_ms // 1000
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def score_text(score_cp: int) -> str:
    """A score from our side in pawns; mates come as numbers beyond thirty thousand."""
    if abs(score_cp) > 30_000:
        return f"{'#' if score_cp > 0 else '#-'}{32_000 - abs(score_cp)}"
    return f"{score_cp / 100:+.2f}"


def duration_text(seconds: float) -> str:
    """A span of time in its largest fitting unit."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _panel(title: str, rows: Iterable[tuple[str, str]], none: str) -> str:
    lines = [f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in rows]
    body = f"<dl>{''.join(lines)}</dl>" if lines else f'<p class="none">{escape(none)}</p>'
    return f'<section class="panel"><h2>{escape(title)}</h2>{body}</section>'


def _results(picture: Picture) -> str:
    if picture.results is None:
        return _panel("Today (UTC)", (), "The store cannot be read.")
    rows = [(name, str(count)) for name, count in picture.results.items()]
    return _panel("Today (UTC)", rows, "")


def _queue(picture: Picture) -> str:
    rows = [("playing", str(picture.uses["playing"])), ("free slots", str(max(0, picture.free_slots)))]
    if picture.uses["parked"]:
        rows.append(("correspondence, waiting", str(picture.uses["parked"])))
    rows += [(one.challenger, one.terms) for one in picture.waiting]
    return _panel("Games and queue", rows, "")


def _limits(picture: Picture) -> str:
    rows = [(name, f"{duration_text(left_s)} left") for name, left_s in picture.limits.items()]
    return _panel("Rate limits", rows, "None in force.")


def _engines(picture: Picture) -> str:
    rows = []
    for entry in picture.engines:
        text = f"{entry.leased} of {entry.slots} slots, {len(entry.pids)} processes"
        rows.append((entry.name, text + (f", {entry.replaced} replaced" if entry.replaced else "")))
    return _panel("Engines", rows, "None.")


def _health(picture: Picture) -> str:
    age_s = picture.stream_age_s
    rows = [
        ("event stream", "not open yet" if age_s is None else f"last line {duration_text(age_s)} ago"),
        ("stream openings", str(picture.stream_openings)),
        *((f"memory, {name}", f"{size / 2**20:.0f} MiB") for name, size in picture.memory.items()),
    ]
    if picture.last_error is not None:
        error = picture.last_error
        when = time.strftime("%d %b %H:%M", time.gmtime(error.at_s))
        rows.append(("last error", f"{when} UTC: {error.event} {error.text}".strip()))
    return _panel("Health", rows, "")
