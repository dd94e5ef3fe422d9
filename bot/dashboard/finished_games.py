"""The pages of finished games: the list, each game with its moves, scores and review, its PGN."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame, PlayedMove, read_played, time_control
from bot.archive.review.summary import tally_of
from bot.archive.review.values import GameReview, ReviewedMove
from bot.board import materials
from bot.dashboard.charts import evaluation_chart
from bot.dashboard.games import board_position, clock_words
from bot.dashboard.layout import FLIP, HEADERS, HTML, board, captured, document, message_page, respond, rows
from bot.dashboard.picture import Observer
from bot.engine_pool.values import score_text
from bot.errors import StoreError
from bot.events.game import Outcome
from bot.play.game_log import clock_text

GAMES_PER_PAGE = 50
UNREADABLE = "The store cannot be read."
MISSING = "There is no such game in the store. It may still be running."
#: The filters of the list and what they offer; None: a text that the opponent or the opening contains.
FILTERS: dict[str, tuple[str, ...] | None] = {
    "opponent": None,
    "opening": None,
    "result": tuple(outcome.word for outcome in Outcome),
    "color": ("white", "black"),
    "rated": ("rated", "casual"),
}
_GAME_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_RESULTS = {Outcome.WIN: "We won", Outcome.DRAW: "Drawn", Outcome.LOSS: "We lost"}
_STEPS = {
    "first": ("«", "First position"),
    "back": ("‹", "Back"),
    "next": ("›", "Next"),
    "last": ("»", "Last position"),
}
_TERMINATIONS = {"mate": "checkmate", "resign": "resignation", "outoftime": "time forfeit"}
_GLYPHS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}


class FinishedGamePages:
    """The handlers; Starlette runs them in threads of its own."""

    def __init__(self, observer: Observer) -> None:
        """Answer from what the observer reads."""
        self._observer, self._sources = observer, observer.sources

    def games(self, request: Request) -> Response:
        """The list."""
        wanted = {name: request.query_params.get(name, "").strip()[:50] for name in FILTERS}
        return respond(games_page(self._observer.played(), _number(request, "page") or 1, wanted), HTML)

    def game(self, request: Request) -> Response:
        """One game, at the position that `ply` names."""
        game_id = request.path_params["game_id"]
        try:
            found = self._find(game_id)
        except StoreError:
            return respond(message_page(f"Game {game_id}", UNREADABLE), HTML, 503)
        if found is None:
            return respond(message_page(f"Game {game_id}", MISSING), HTML, 404)
        played, review = read_played(found), self._sources.review(game_id)
        return respond(game_page(played, self._sources.server_url, _number(request, "ply"), review), HTML)

    def pgn(self, request: Request) -> Response:
        """One game as a file."""
        try:
            found = self._find(request.path_params["game_id"])
        except StoreError:
            return respond(UNREADABLE, "text/plain", 503)
        if found is None or not found.pgn:
            return respond(MISSING, "text/plain", 404)
        disposition = {"Content-Disposition": f'attachment; filename="{found.game_id}.pgn"'}
        return Response(found.pgn.strip() + "\n", 200, HEADERS | disposition, "application/x-chess-pgn")

    def _find(self, game_id: str) -> GameRecord | None:
        """A game by its id; raises StoreError."""
        return self._sources.game(game_id) if _GAME_ID.fullmatch(game_id) else None


def _number(request: Request, name: str) -> int | None:
    """A number of the query; None for none, or for what is none."""
    text = request.query_params.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) else None


def games_page(games: Sequence[GameRecord] | None, page: int, wanted: Mapping[str, str] | None = None) -> str:
    """Return the page of the finished games that the filters select; `page` counts from 1."""
    wanted = {name: value for name, value in (wanted or {}).items() if value}
    found = [game for game in games or () if _is_wanted(game, wanted)]
    pages = max(1, -(-len(found) // GAMES_PER_PAGE))
    page = max(1, min(page, pages))
    shown = found[(page - 1) * GAMES_PER_PAGE : page * GAMES_PER_PAGE]
    if shown:
        body = games_table(shown)
    elif games:
        body = rows((), "No game matches the filters.")
    else:
        body = rows((), "No game has ended in 30 days." if games is not None else UNREADABLE)
    steps = [("Newer", page - 1)] if page > 1 else []
    steps += [("Older", page + 1)] if page < pages else []
    links = "".join(f'<a href="/games?{escape(urlencode(wanted | {"page": at}))}">{word}</a>' for word, at in steps)
    turn = f'<nav aria-label="Pages of games" class="turn">{links}</nav>' if links else ""
    count = f"{len(found)} games in 30 days" + (f", page {page} of {pages}" if pages > 1 else "")
    main = f'<main id="content"><header><h1>Finished games</h1><p class="server">{count}</p></header>'
    text = f'{main}{_filters(wanted)}<section class="panel recent">{body}</section>{turn}</main>'
    return document("Finished games · bot88", text, here="/games")


def _is_wanted(game: GameRecord, wanted: Mapping[str, str]) -> bool:
    has = {
        "opponent": game.opponent,
        "opening": f"{game.eco} {game.opening}",
        "result": game.outcome.word if game.outcome else "",
        "color": game.color,
        "rated": "rated" if game.rated else "casual",
    }
    return all(
        value.lower() in has[name].lower() if FILTERS[name] is None else value == has[name]
        for name, value in wanted.items()
    )


def _filters(wanted: Mapping[str, str]) -> str:
    fields = []
    for name, values in FILTERS.items():
        now = wanted.get(name, "")
        if values is None:
            field = f'<input name="{name}" value="{escape(now)}" maxlength="50" autocomplete="off">'
        else:
            chosen = (f"<option{' selected' if value == now else ''}>{value}</option>" for value in values)
            field = f'<select name="{name}"><option value="">any</option>{"".join(chosen)}</select>'
        fields.append(f"<label>{name.capitalize()} {field}</label>")
    reset = '<a href="/games">Show all</a>' if wanted else ""
    return f'<form class="panel controls" aria-label="Filters">{"".join(fields)}<button>Filter</button>{reset}</form>'


def games_table(games: Iterable[GameRecord]) -> str:
    """A table of finished games; each leads to its replay."""
    lines = "".join(_row(game) for game in games)
    names = ("Ended (UTC)", "Opponent", "Game", "Opening", "Result", "Moves")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
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
        f'<td>{escape(terms)}</td><td class="opening">{escape(f"{game.eco} {game.opening}".strip())}</td>'
        f'<td class="{game.outcome or "none"}">{escape(result)}</td><td>{(game.plies + 1) // 2}</td></tr>'
    )


def game_page(game: PlayedGame, server_url: str, ply: int | None = None, review: GameReview | None = None) -> str:
    """Return the page, at a position (None: the last). Without JavaScript the moves are links to it."""
    record = game.record
    at = len(game.moves) if ply is None else max(0, min(ply, len(game.moves)))
    reviewed = review.moves if review is not None and len(review.moves) == len(game.moves) else ()
    players = [("white", _name(game, "White")), ("black", _name(game, "Black"))]
    title = " – ".join(name for _side, name in players)
    below, above = players if game.our_side else players[::-1]
    shown = _positions(game, reviewed)
    body = (
        f'<main id="content" class="replay"><header><h1>{escape(title)}</h1>'
        f'<p class="badge {record.outcome or "none"}">{escape(_result(game))}</p>'
        f'<p class="server">{escape(_facts(game))}</p></header>'
        f'<div class="game"><div class="split"><div class="table"><div class="seat">{_player(game, *above, at, FLIP)}'
        f"{board(shown[at], _position(game, at))}{_player(game, *below, at)}</div>"
        f'{_buttons(at, len(game.moves))}</div><div class="info">{_now(game, at, reviewed)}{_chart(game, at)}'
        f"{_review(review, reviewed)}{_moves(game, at, shown, reviewed)}{_links(game, server_url)}"
        f"</div></div></div></main>"
    )
    return document(f"{title} · bot88", body, script="replay")


def _positions(game: PlayedGame, reviewed: Sequence[ReviewedMove]) -> list[dict[str, str]]:
    """Return what the board shows after each half-move, the start first; an arrow is what the review preferred."""
    position, found = game.last.root(), []
    best: str | None
    for ply, material in enumerate(materials(game.last)):
        best = reviewed[ply].better[0] if ply < len(reviewed) and reviewed[ply].better else None
        arrow = "" if best is None else position.parse_san(best).uci()
        found.append(board_position(position, game.our_side, material) | {"best": arrow})
        if ply < len(game.moves):
            position.push(game.last.move_stack[ply])
    return found


def _result(game: PlayedGame) -> str:
    record = game.record
    status = record.status
    if status in ("outoftime", "timeout"):
        status = game.headers.get("Termination", status)
    how = _TERMINATIONS.get(status, status)
    result = _RESULTS[record.outcome] if record.outcome else "No result"
    return f"{result}: {how}" if how not in ("", "draw") else result


def _facts(game: PlayedGame) -> str:
    record = game.record
    variant = "" if record.variant == "standard" else record.variant
    control = clock_words(*time_control(game.headers.get("TimeControl", "")))
    opening = f"{record.eco} {record.opening}".strip()
    ended = time.strftime("%d %b %Y %H:%M UTC", time.gmtime(record.ended_s))
    parts = (variant, control, record.speed, "rated" if record.rated else "casual", opening, ended)
    return " · ".join(part for part in parts if part)


def _name(game: PlayedGame, side: str) -> str:
    """Return a player's name with title and rating."""
    tags, is_ours = game.headers, (side == "White") == game.our_side
    name = tags.get(side) or ("bot88" if is_ours else game.record.opponent)
    return " ".join(part for part in (tags.get(f"{side}Title", ""), name, tags.get(f"{side}Elo", "")) if part)


def _player(game: PlayedGame, side: str, name: str, at: int, more: str = "") -> str:
    clock_ms = game.clock_ms(at, white=side == "white")
    return (
        f'<p class="player"><span class="name">{escape(name)}</span>{captured(side)}{more}'
        f'<time id="clock-{side}">{_clock(clock_ms)}</time></p>'
    )


def _clock(clock_ms: int | None) -> str:
    return "" if clock_ms is None else clock_text(clock_ms)


def _buttons(at: int, plies: int) -> str:
    targets = {"first": 0, "back": max(0, at - 1), "next": min(plies, at + 1), "last": plies}
    links = "".join(
        f'<a class="button" id="{name}" href="?ply={targets[name]}" aria-label="{words}">{sign}</a>'
        for name, (sign, words) in _STEPS.items()
    )
    return f'<div class="steps" role="group" aria-label="Step through the game">{links}</div>'


def _now(game: PlayedGame, at: int, reviewed: Sequence[ReviewedMove]) -> str:
    """The present move in words; read out when it changes."""
    label, score, note = _known(game.moves[at - 1], game, reviewed) if at else ("Start", "", "")
    return (
        f'<p class="facts" role="status"><span class="last" id="now-move">{escape(label)}</span>'
        f'<strong class="score" id="now-score">{escape(score)}</strong>'
        f'<span class="terms" id="now-note">{escape(note)}</span></p>'
    )


def _known(move: PlayedMove, game: PlayedGame, reviewed: Sequence[ReviewedMove]) -> tuple[str, str, str]:
    """Return a move, its score from our side, and what else is known about it."""
    parts = [] if move.depth is None else [f"depth {move.depth}"]
    parts += [f"{move.spent_ms / 1000:.1f} s"] if move.spent_ms is not None else []
    parts += [move.source] if move.source else []
    judged = reviewed[move.ply - 1] if reviewed else None
    if judged is not None and judged.judgement:
        parts.append(f"{judged.judgement}; better {' '.join(judged.better[:3])}")
    return move.label(" "), score_text(move.score, game.our_side), " · ".join(parts)


def _position(game: PlayedGame, ply: int) -> str:
    return f"Position after {game.moves[ply - 1].label(' ')}" if ply else "Position at the start"


def _chart(game: PlayedGame, at: int) -> str:
    scores = [(move.ply, move.score) for move in game.moves if move.score is not None]
    label = f"Evaluation over the game from our side, {len(scores)} scores" if scores else "No scores were kept"
    return evaluation_chart(scores, game.our_side, len(game.moves), label, cursor=at)


def _review(review: GameReview | None, reviewed: Sequence[ReviewedMove]) -> str:
    """The accuracy and the bad moves of both sides; how to get them where there is no review."""
    if review is None or not reviewed:
        return '<p class="review none">Not reviewed yet: <code>bot88 review</code> adds accuracy and mistakes.</p>'
    lines = []
    for name, is_white in (("White", True), ("Black", False)):
        tally = tally_of(move for move in reviewed if move.is_white == is_white)
        accuracy = "–" if tally.accuracy is None else f"{tally.accuracy:.0f} %"
        cells = "".join(f"<td>{count}</td>" for count in (tally.inaccuracies, tally.mistakes, tally.blunders))
        lines.append(f'<tr><th scope="row">{name}</th><td>{accuracy}</td>{cells}</tr>')
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Accuracy", "Inaccuracies", "Mistakes", "Blunders"))
    title = f"Reviewed by {review.engine}, {review.nodes} nodes a position"
    return (
        f'<table class="review" title="{escape(title)}"><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _moves(game: PlayedGame, at: int, shown: Sequence[Mapping[str, str]], reviewed: Sequence[ReviewedMove]) -> str:
    """A link for each position; what the page shows of it is in its data."""
    if game.unreadable:
        return f'<p class="none">{escape(game.unreadable)}</p>'
    links = []
    for ply, position in enumerate(shown):
        move = game.moves[ply - 1] if ply else None
        if move is not None and (move.is_white or ply == 1):
            links.append(f"<b>{move.number}.</b>" + ("" if move.is_white else "<span>…</span>"))
        label, score, note = _known(move, game, reviewed) if move is not None else ("Start", "", "")
        data = {
            "board": json.dumps(position),
            "label": label,
            "score": score,
            "note": note,
            "white": _clock(game.clock_ms(ply, white=True)),
            "black": _clock(game.clock_ms(ply, white=False)),
            "alt": _position(game, ply),
        }
        known = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
        current = ' aria-current="true"' if ply == at else ""
        judged = reviewed[ply - 1].judgement if ply and reviewed else ""
        kind = ' class="start"' if ply == 0 else f' class="{judged}"' if judged else ""
        words = "Start" if move is None else move.san + _GLYPHS.get(judged, "")
        links.append(f'<a href="?ply={ply}"{kind}{current}{known}>{escape(words)}</a>')
    return f'<div class="sheet" id="moves" role="group" aria-label="Moves">{"".join(links)}</div>'


def _links(game: PlayedGame, server_url: str) -> str:
    url = f"{server_url}/{game.game_id}"
    pgn = (
        f'<a class="button" href="/game/{escape(game.game_id)}.pgn" download>Download PGN</a>'
        if game.record.pgn
        else ""
    )
    return (
        f'<p class="links"><a class="button" href="{escape(url)}" rel="noreferrer">Open on Lichess</a>{pgn}'
        '<span class="none">Keys: ← → Home End</span></p>'
    )
