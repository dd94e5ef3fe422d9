"""The page of the running bot, made from a picture. Every text that comes from outside is escaped."""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape

from bot.dashboard.charts import line_chart, share_bar
from bot.dashboard.games import GameView
from bot.dashboard.pages.game_card import game_card
from bot.dashboard.pages.layout import document, panel, rows
from bot.dashboard.pages.lists import UNREADABLE, log_lines, recent_games
from bot.dashboard.pages.operator_forms import controls, sign_link
from bot.dashboard.pages.texts import duration_text
from bot.dashboard.picture import Picture

MOST_RATINGS = 5  # speeds and variants that are shown


def render(picture: Picture, now_s: float | None = None, signed_in: bool | None = None) -> str:
    """Return the whole page; `now_s`: epoch seconds, for the age of the picture.

    `signed_in`: whether who asks may give commands; None where nobody may.
    """
    name = picture.account or "bot88"
    age_ms = max(0, round(((time.time() if now_s is None else now_s) - picture.taken_s) * 1000))
    body = "\n".join(
        [
            f'<main id="content" data-live data-age="{age_ms}">',
            _header(picture, name),
            *([controls(picture.paused)] if signed_in else []),
            _games(picture.games),
            '<div class="panels">',
            *(_results(picture), _ratings(picture), _queue(picture), _health(picture)),
            "</div>",
            '<div class="panels wide">',
            *(recent_games(picture.recent), log_lines(picture.log)),
            "</div>",
            "</main>",
        ]
    )
    sign = sign_link(signed_in) if signed_in is not None else ""
    return document(f"{name} · bot88", body, script="live", style="overview", here="/", sign=sign)


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
        return panel(title, rows((), UNREADABLE))
    counts = [(name, picture.results.get(name, 0)) for name in ("won", "drawn", "lost")]
    words = ", ".join(f"{count} {name}" for name, count in counts)
    return panel(title, share_bar(counts, f"Results of the day: {words}") + rows((n, str(c)) for n, c in counts))


def _ratings(picture: Picture) -> str:
    """A line for each speed or variant: the rating at the start of each game of the last weeks."""
    lines = []
    for perf, points in list(picture.ratings.items())[:MOST_RATINGS]:
        first, last = points[0][1], points[-1][1]
        change = f"{last - first:+d}" if last != first else "±0"
        label = f"{perf} rating over {len(points)} games: now {last}, {change}"
        lines.append(
            f'<div class="rating-line"><span class="perf">{escape(perf)}</span>{line_chart(points, label)}'
            f'<strong>{last}</strong><span class="change">{change}</span></div>'
        )
    none = (
        '<p class="none">No game with a rating in 30 days.</p>' if picture.recent is not None else rows((), UNREADABLE)
    )
    return panel("Rating, 30 days", "".join(lines) or none)


def _queue(picture: Picture) -> str:
    found = [("playing", str(picture.uses["playing"])), ("free slots", str(max(0, picture.free_slots)))]
    if picture.uses["parked"]:
        found.append(("correspondence, waiting", str(picture.uses["parked"])))
    found.append(("challenges waiting", str(len(picture.waiting))))
    found += [(one.challenger, one.terms) for one in picture.waiting]
    limits = [(name, f"{duration_text(left_s)} left") for name, left_s in picture.limits.items()]
    return panel("Games and queue", rows(found) + "<h3>Rate limits</h3>" + rows(limits, "None in force."))


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
    for entry in picture.engines:
        text = f"{entry.leased} of {entry.slots} slots, {len(entry.pids)} processes"
        found.append((entry.name, text + (f", {entry.replaced} replaced" if entry.replaced else "")))
    found += [(f"memory, {name}", f"{size / 2**20:.0f} MiB") for name, size in picture.memory.items()]
    return panel("Health and engines", rows(found))
