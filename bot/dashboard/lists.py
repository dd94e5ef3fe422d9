"""Lists: finished games, lines of the log."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from html import escape

from bot.archive.game_record import GameRecord
from bot.dashboard.layout import document, panel, rows
from bot.dashboard.log_tail import LogLine

UNREADABLE = "The store cannot be read."
GAMES_PER_PAGE = 50


def recent_games(games: Sequence[GameRecord] | None) -> str:
    """The latest finished games, in a card."""
    if games is None:
        return panel("Finished games", rows((), UNREADABLE), "recent")
    if not games:
        return panel("Finished games", '<p class="none">None in 30 days.</p>', "recent")
    more = '<p class="more"><a href="/games">All games of the last 30 days</a></p>'
    return panel("Finished games", games_table(games) + more, "recent")


def games_page(games: Sequence[GameRecord] | None, page: int) -> str:
    """Return the page of all finished games; `page` counts from 1."""
    pages = max(1, -(-len(games or ()) // GAMES_PER_PAGE))
    page = max(1, min(page, pages))
    shown = (games or ())[(page - 1) * GAMES_PER_PAGE : page * GAMES_PER_PAGE]
    if shown:
        body = games_table(shown)
    else:
        body = rows((), "No game has ended in 30 days." if games is not None else UNREADABLE)
    steps = [_step("Newer", page - 1)] if page > 1 else []
    steps += [_step("Older", page + 1)] if page < pages else []
    turn = f'<nav aria-label="Pages of games" class="turn">{"".join(steps)}</nav>' if steps else ""
    count = f"{len(games or ())} games in 30 days" + (f", page {page} of {pages}" if pages > 1 else "")
    main = f'<main id="content"><header><h1>Finished games</h1><p class="server">{count}</p></header>'
    text = f'{main}<section class="panel recent">{body}</section>{turn}</main>'
    return document("Finished games · bot88", text, style="overview", here="/games")


def games_table(games: Iterable[GameRecord]) -> str:
    """A table of finished games; each leads to its replay."""
    lines = "".join(_row(game) for game in games)
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Ended (UTC)", "Opponent", "Game", "Result", "Moves"))
    return f'<table class="games-list"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'


def _row(game: GameRecord) -> str:
    rating = "" if game.opponent_rating is None else f' <span class="rating">{game.opponent_rating}</span>'
    variant = "" if game.variant == "standard" else f"{game.variant} "
    terms = f"{variant}{game.speed}, {'rated' if game.rated else 'casual'}, {game.color}"
    result = game.outcome.word if game.outcome else game.status
    ended = time.strftime("%d %b %H:%M", time.gmtime(game.ended_s))
    return (
        f'<tr id="played-{escape(game.game_id)}"><td>{ended}</td>'
        f'<td class="who"><a href="/game/{escape(game.game_id)}">{escape(game.opponent)}</a>{rating}</td>'
        f'<td>{escape(terms)}</td><td class="{game.outcome or "none"}">{escape(result)}</td>'
        f"<td>{(game.plies + 1) // 2}</td></tr>"
    )


def _step(word: str, page: int) -> str:
    return f'<a href="/games?page={page}">{word}</a>'


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
