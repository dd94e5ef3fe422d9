"""The page of the running bot, made from a picture. Every text that comes from outside is escaped."""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape

from bot.dashboard.charts import share_bar
from bot.dashboard.games import GameView
from bot.dashboard.pages.game_card import game_card
from bot.dashboard.pages.layout import document, panel, rows
from bot.dashboard.pages.texts import duration_text
from bot.dashboard.picture import Picture


def render(picture: Picture, now_s: float | None = None) -> str:
    """Return the whole page; `now_s`: epoch seconds, for the age of the picture."""
    name = picture.account or "bot88"
    age_ms = max(0, round(((time.time() if now_s is None else now_s) - picture.taken_s) * 1000))
    body = "\n".join(
        [
            f'<main id="content" data-live data-age="{age_ms}">',
            _header(picture, name),
            _games(picture.games),
            '<div class="panels">',
            *(_results(picture), _queue(picture), _engines(picture), _health(picture)),
            "</div>",
            "</main>",
        ]
    )
    return document(f"{name} · bot88", body, script="live", style="overview", here="/")


def _header(picture: Picture, name: str) -> str:
    well = picture.health.well
    word = "well" if well else "unwell"
    why = "" if well else f'<p class="why" role="status">{escape("; ".join(picture.health.reasons))}</p>'
    paused = '<p class="badge paused">paused</p>' if picture.paused else ""
    return (
        f'<header><h1>{escape(name)}</h1><p class="badge {word}">{word}</p>{paused}'
        f'<p class="server">{escape(picture.server_url)}</p>{why}</header>'
    )


def _games(games: Iterable[GameView]) -> str:
    cards = [game_card(game) for game in games]
    body = "\n".join(cards) if cards else '<p class="none">No game is running.</p>'
    return f'<section class="games" aria-label="Running games">\n{body}\n</section>'


def _results(picture: Picture) -> str:
    title = "Today (UTC)"
    if picture.results is None:
        return panel(title, rows((), "The store cannot be read."))
    counts = [(name, picture.results.get(name, 0)) for name in ("won", "drawn", "lost")]
    words = ", ".join(f"{count} {name}" for name, count in counts)
    return panel(title, share_bar(counts, f"Results of the day: {words}") + rows((n, str(c)) for n, c in counts))


def _queue(picture: Picture) -> str:
    found = [("playing", str(picture.uses["playing"])), ("free slots", str(max(0, picture.free_slots)))]
    if picture.uses["parked"]:
        found.append(("correspondence, waiting", str(picture.uses["parked"])))
    found.append(("challenges waiting", str(len(picture.waiting))))
    found += [(one.challenger, one.terms) for one in picture.waiting]
    return panel("Games and queue", rows(found))


def _engines(picture: Picture) -> str:
    found = []
    for entry in picture.engines:
        text = f"{entry.leased} of {entry.slots} slots, {len(entry.pids)} processes"
        found.append((entry.name, text + (f", {entry.replaced} replaced" if entry.replaced else "")))
    limits = [(name, f"{duration_text(left_s)} left") for name, left_s in picture.limits.items()]
    memory = [(f"memory, {name}", f"{size / 2**20:.0f} MiB") for name, size in picture.memory.items()]
    body = rows([*found, *memory], "No engine.") + "<h3>Rate limits</h3>" + rows(limits, "None in force.")
    return panel("Engines and limits", body)


def _health(picture: Picture) -> str:
    age_s = picture.stream_age_s
    found = [
        ("state", "; ".join(picture.health.reasons) or "well"),
        ("event stream", "not open yet" if age_s is None else f"last line {duration_text(age_s)} ago"),
        ("stream openings", str(picture.stream_openings)),
    ]
    if picture.last_error is not None:
        error = picture.last_error
        when = time.strftime("%d %b %H:%M", time.gmtime(error.at_s))
        found.append(("last error", f"{when} UTC: {error.event} {error.text}".strip()))
    return panel("Health", rows(found))
