"""The pages of finished games: the list, each game with its moves and scores, its PGN, pictures of positions."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from bot.archive.game_record import GameRecord
from bot.archive.pgn import PlayedGame, PlayedMove, read_played
from bot.dashboard.charts import board_svg, evaluation_chart
from bot.dashboard.layout import HEADERS, HTML, document, respond, rows
from bot.dashboard.picture import Observer
from bot.engine_pool.values import score_text
from bot.errors import StoreError
from bot.events.game import Outcome
from bot.play.game_log import clock_text

GAMES_PER_PAGE = 50
UNREADABLE = "The store cannot be read."
_GAME_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_LONGEST_PLACEMENT = 200
_RESULTS = {Outcome.WIN: "We won", Outcome.DRAW: "Drawn", Outcome.LOSS: "We lost"}
_STEPS = {
    "first": ("«", "First position"),
    "back": ("‹", "Back"),
    "next": ("›", "Next"),
    "last": ("»", "Last position"),
}
_TERMINATIONS = {"mate": "checkmate", "resign": "resignation", "outoftime": "time forfeit"}


class FinishedGamePages:
    """The handlers; Starlette runs them in threads of its own."""

    def __init__(self, observer: Observer) -> None:
        """Answer from what the observer reads."""
        self._observer = observer

    def games(self, request: Request) -> Response:
        """The list."""
        return respond(games_page(self._observer.played(), _number(request, "page") or 1), HTML)

    def game(self, request: Request) -> Response:
        """One game, at the position that `ply` names."""
        game_id = request.path_params["game_id"]
        try:
            found = self._find(game_id)
        except StoreError:
            return respond(missing_page(game_id, UNREADABLE), HTML, 503)
        if found is None:
            return respond(missing_page(game_id, "No such game is kept; it may still be running."), HTML, 404)
        page = game_page(read_played(found), self._observer.server_url, _number(request, "ply"))
        return respond(page, HTML)

    def pgn(self, request: Request) -> Response:
        """One game as a file."""
        game_id = request.path_params["game_id"]
        try:
            found = self._find(game_id)
        except StoreError:
            return respond(UNREADABLE, "text/plain", 503)
        if found is None or not found.pgn:
            return respond("no such game is kept", "text/plain", 404)
        disposition = {"Content-Disposition": f'attachment; filename="{found.game_id}.pgn"'}
        return Response(found.pgn.strip() + "\n", 200, HEADERS | disposition, "application/x-chess-pgn")

    def position(self, request: Request) -> Response:
        """The picture of any position: `fen` (the pieces alone), `last` (a move in UCI), `side`."""
        query = request.query_params
        fen, last = query.get("fen", "")[:_LONGEST_PLACEMENT], query.get("last", "")
        try:
            picture = board_svg(fen, last, query.get("side") != "black")
        except (ValueError, IndexError):
            return respond("this is not a position", "text/plain", 400)
        return respond(picture, "image/svg+xml", cache="max-age=86400")

    def _find(self, game_id: str) -> GameRecord | None:
        """A game by its id; raises StoreError."""
        return self._observer.game(game_id) if _GAME_ID.fullmatch(game_id) else None


def _number(request: Request, name: str) -> int | None:
    """A number of the query; None for none, or for what is none."""
    text = request.query_params.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) else None


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
    return document("Finished games · bot88", text, here="/games")


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


def game_page(game: PlayedGame, server_url: str, ply: int | None = None) -> str:
    """Return the page, at a position (None: the last). Without JavaScript the moves are links to it."""
    record = game.record
    at = len(game.moves) if ply is None else max(0, min(ply, len(game.moves)))
    players = (("white", _name(game, "White")), ("black", _name(game, "Black")))
    title = " – ".join(name for _side, name in players)
    below, above = players if game.our_side else players[::-1]
    body = (
        f'<main id="content" class="replay"><header><h1>{escape(title)}</h1>'
        f'<p class="badge {record.outcome or "none"}">{escape(_result(game))}</p>'
        f'<p class="server">{escape(_facts(game))}</p></header>'
        f'<div class="game"><div class="split"><div class="table">{_player(game, *above, at)}'
        f'<div class="board" id="board" tabindex="0" role="group" aria-label="Board: step with the arrow keys">'
        f'<img src="{escape(position_address(game, at))}" width="520" height="520" alt="{escape(_position(game, at))}">'
        f"</div>{_player(game, *below, at)}{_buttons(at, len(game.moves))}</div>"
        f'<div class="info">{_now(game, at)}{_chart(game, at)}{_moves(game, at)}'
        f"{_links(game, server_url)}</div></div></div></main>"
    )
    return document(f"{title} · bot88", body, script="replay")


def missing_page(game_id: str, words: str) -> str:
    """Return a page that says why a game is not shown."""
    text = f'<p class="panel">{escape(words)} <a href="/games">Finished games</a></p>'
    main = f'<main id="content"><header><h1>Game {escape(game_id)}</h1></header>{text}</main>'
    return document(f"Game {game_id} · bot88", main)


def position_address(game: PlayedGame, ply: int) -> str:
    """Where the picture of a position is."""
    query = {"fen": game.placement(ply), "last": game.moves[ply - 1].uci if ply else ""}
    return "/position.svg?" + urlencode(query | ({} if game.our_side else {"side": "black"}))


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
    mode, control = "rated" if record.rated else "casual", game.headers.get("TimeControl", "-")
    opening = f"{record.eco} {record.opening}".strip()
    ended = time.strftime("%d %b %Y %H:%M UTC", time.gmtime(record.ended_s))
    return " · ".join(part for part in (variant, record.speed, mode, control, opening, ended) if part)


def _name(game: PlayedGame, side: str) -> str:
    """Return a player's name with title and rating."""
    tags, is_ours = game.headers, (side == "White") == game.our_side
    name = tags.get(side) or ("bot88" if is_ours else game.record.opponent)
    return " ".join(part for part in (tags.get(f"{side}Title", ""), name, tags.get(f"{side}Elo", "")) if part)


def _player(game: PlayedGame, side: str, name: str, at: int) -> str:
    clock_ms = game.clock_ms(at, white=side == "white")
    return (
        f'<p class="player"><span class="name">{escape(name)}</span>'
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


def _now(game: PlayedGame, at: int) -> str:
    """The present move in words; read out when it changes."""
    label, score, note = _known(game, game.moves[at - 1]) if at else ("Start", "", "")
    return (
        f'<p class="facts" role="status"><span class="last" id="now-move">{escape(label)}</span>'
        f'<strong class="score" id="now-score">{escape(score)}</strong>'
        f'<span class="terms" id="now-note">{escape(note)}</span></p>'
    )


def _known(game: PlayedGame, move: PlayedMove) -> tuple[str, str, str]:
    """Return a move, its score from our side, and what else is known about it."""
    parts = [] if move.depth is None else [f"depth {move.depth}"]
    parts += [f"{move.spent_ms / 1000:.1f} s"] if move.spent_ms is not None else []
    parts += [move.source] if move.source else []
    return move.label(" "), score_text(move.score, game.our_side), " · ".join(parts)


def _position(game: PlayedGame, ply: int) -> str:
    return f"Position after {game.moves[ply - 1].label(' ')}" if ply else "Position at the start"


def _chart(game: PlayedGame, at: int) -> str:
    scores = [(move.ply, move.score) for move in game.moves if move.score is not None]
    label = f"Evaluation over the game from our side, {len(scores)} scores" if scores else "No scores were kept"
    return evaluation_chart(scores, game.our_side, len(game.moves), label, cursor=at)


def _moves(game: PlayedGame, at: int) -> str:
    """A link for each position; what the page shows of it is in its data."""
    if game.unreadable:
        return f'<p class="none">{escape(game.unreadable)}</p>'
    links = [_link(game, 0, "Start", "Start", at)]
    for index, move in enumerate(game.moves):
        if move.is_white or index == 0:
            links.append(f"<b>{move.number}.</b>" + ("" if move.is_white else "<span>…</span>"))
        links.append(_link(game, move.ply, move.san, move.label(" "), at))
    return f'<div class="sheet" id="moves" role="group" aria-label="Moves">{"".join(links)}</div>'


def _link(game: PlayedGame, ply: int, words: str, label: str, at: int) -> str:
    _, score, note = _known(game, game.moves[ply - 1]) if ply else ("", "", "")
    data = {
        "board": position_address(game, ply),
        "label": label,
        "score": score,
        "note": note,
        "white": _clock(game.clock_ms(ply, white=True)),
        "black": _clock(game.clock_ms(ply, white=False)),
        "alt": _position(game, ply),
    }
    known = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    current = ' aria-current="true"' if ply == at else ""
    kind = ' class="start"' if ply == 0 else ""
    return f'<a href="?ply={ply}"{kind}{current}{known}>{escape(words)}</a>'


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
