"""The page of the running bot, made from a picture. Every text from outside is escaped."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from html import escape

from bot.archive.game_record import GameRecord
from bot.dashboard.charts import FEWEST_PLIES, evaluation_chart, line_chart, share_bar
from bot.dashboard.finished_games import UNREADABLE, games_table
from bot.dashboard.games import GameView, SearchedMove, Side
from bot.dashboard.layout import FLIP, board, captured, count_text, document, duration_text, panel, rows
from bot.dashboard.log_tail import LogLine
from bot.dashboard.operator_pages import controls, sign_link
from bot.dashboard.picture import Picture
from bot.engine_pool.values import score_text
from bot.play.game_log import clock_text

MOST_RATINGS = 5  # speeds and variants that are shown


def render(picture: Picture, now_s: float | None = None, signed_in: bool | None = None) -> str:
    """Return the whole page; `now_s`: epoch seconds, for the age of the picture.

    `signed_in`: whether the user may give commands; None if nobody may.
    """
    name = picture.account or "bot88"
    age_ms = max(0, round(((time.time() if now_s is None else now_s) - picture.taken_s) * 1000))
    body = "\n".join(
        [
            f'<main id="content" data-age="{age_ms}">',
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
    return document(f"{name} · bot88", body, script="live", here="/", sign=sign)


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
    results = picture.results_by_word
    if results is None:
        return panel(title, rows((), UNREADABLE))
    counts = list(results.items())
    words = ", ".join(f"{count} {name}" for name, count in counts)
    return panel(title, share_bar(counts, f"Results of the day: {words}") + rows((n, str(c)) for n, c in counts))


def _ratings(picture: Picture) -> str:
    """Return a line for each speed or variant: the rating at the start of each game of the last weeks."""
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
    return panel("Games and queue", rows(found) + "<h3>Rate limits</h3>" + rows(limits, "None at present."))


def _health(picture: Picture) -> str:
    age_s = picture.stream_age_s
    found = [
        ("state", "; ".join(picture.health.reasons) or "well"),
        ("event stream", "not open yet" if age_s is None else f"last line {duration_text(age_s)} ago"),
        ("stream openings", str(picture.stream_openings)),
    ]
    if picture.visibility is not None:
        found.append(("found by", picture.visibility.in_words()))
        found.append(("to be found", picture.visibility.remedy(picture.server_url)))
    if picture.last_error is not None:
        error = picture.last_error
        when = time.strftime("%d %b %H:%M", time.gmtime(error.at_s))
        found.append(("last error", f"{when} UTC: {error.event} {error.text}".strip()))
    for entry in picture.engines:
        text = f"{entry.leased} of {entry.slots} slots, {len(entry.pids)} processes"
        found.append((entry.name, text + (f", {entry.replaced} replaced" if entry.replaced else "")))
    found += [(f"memory, {name}", f"{size / 2**20:.0f} MiB") for name, size in picture.memory.items()]
    return panel("Health and engines", rows(found))


def game_card(game: GameView) -> str:
    """Return the card of a running game; its id never changes."""
    ours, theirs = (game.white, game.black) if game.our_color == "white" else (game.black, game.white)
    moved = f"last move {game.last_move}" if game.last_move else "no move yet"
    score = score_text(game.score, game.our_side) or "–"
    return (
        f'<article class="game" id="game-{escape(game.game_id)}" aria-label="{escape(_title(game))}">'
        f'<div class="split"><div class="table seat">{_player(theirs, game)}'
        f"{board(game.position, f'Position of game {game.game_id}, {moved}')}{_player(ours, game)}</div>"
        f'<div class="info"><p class="facts"><a class="last" href="{escape(game.url)}" rel="noreferrer">'
        f'{escape(game.last_move or "–")}</a><strong class="score">{escape(score)}</strong>'
        f'<span class="terms">{escape(_terms(game))}</span></p>'
        f"{_chart(game)}{_search(game.search)}{_moves(game)}</div></div></article>"
    )


def _title(game: GameView) -> str:
    return f"{game.white.name} against {game.black.name}"


def _terms(game: GameView) -> str:
    variant = "" if game.variant == "standard" else f"{game.variant} · "
    clock = f"{game.clock} · " if game.clock else ""
    return f"{clock}{game.speed} · {variant}{'rated' if game.rated else 'casual'}"


def _player(side: Side, game: GameView) -> str:
    rating = "" if side.rating is None else f' <span class="rating">{side.rating}</span>'
    running = ' data-running="yes"' if side.running else ""
    clock = (
        ""
        if side.clock_ms is None
        else f'<time data-ms="{side.clock_ms}"{running}>{escape(clock_text(side.clock_ms))}</time>'
    )
    color = "white" if side is game.white else "black"
    flip = FLIP if color != game.our_color else ""
    return f'<p class="player"><span class="name">{escape(side.name)}{rating}</span>{captured(color)}{flip}{clock}</p>'


def _chart(game: GameView) -> str:
    now = f", now {score_text(game.scores[-1][1], game.our_side)}" if game.scores else ", nothing searched yet"
    label = f"Evaluation of game {game.game_id} from our side{now}"
    return evaluation_chart(game.scores, game.our_side, max(FEWEST_PLIES, game.ply), label)


def _search(search: SearchedMove | None) -> str:
    """Return the facts of the last search in one line, and its variation in another."""
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
    """Return all moves with their numbers; the style sheet shows the latest if there is little room."""
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


def recent_games(games: Sequence[GameRecord] | None) -> str:
    """The latest finished games, in a card."""
    if games is None:
        return panel("Finished games", rows((), UNREADABLE), "recent")
    if not games:
        return panel("Finished games", '<p class="none">None in 30 days.</p>', "recent")
    more = '<p class="more"><a href="/games">All games of the last 30 days</a></p>'
    return panel("Finished games", games_table(games) + more, "recent")


def log_lines(lines: Sequence[LogLine]) -> str:
    """The tail of the log, newest first, in a card."""
    if not lines:
        return panel("Log", '<p class="none">Nothing yet.</p>', "log")
    found = "".join(_log_line(line) for line in reversed(lines))
    return panel("Log", f'<ol tabindex="0" aria-label="Latest lines of the log">{found}</ol>', "log")


def _log_line(line: LogLine) -> str:
    moment = time.strftime("%H:%M:%S", time.gmtime(line.at_s))
    game = f' <span class="id">{escape(line.game_id)}</span>' if line.game_id else ""
    level = "" if line.level == "info" else f' <b class="level">{escape(line.level)}</b>'
    return (
        f'<li id="log-{line.number}" class="level-{escape(line.level)}"><time>{moment}</time>{level} '
        f"<strong>{escape(line.event)}</strong>{game} <span>{escape(line.fields)}</span></li>"
    )
