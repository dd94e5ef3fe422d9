"""The page of a finished game: the board, the evaluation over the game, and the moves to step through."""

from __future__ import annotations

import time
from html import escape
from urllib.parse import urlencode

from bot.archive.played_game import PlayedGame, PlayedMove, score_text
from bot.dashboard.charts import ScorePoint, evaluation_chart
from bot.dashboard.layout import clock_text, document
from bot.dashboard.overview import chart_figure
from bot.engine_pool.values import MATE_CP
from bot.events.outcome import Outcome

_RESULTS = {Outcome.WIN: "We won", Outcome.DRAW: "Drawn", Outcome.LOSS: "We lost"}
_STEPS = {
    "first": ("«", "First position"),
    "back": ("‹", "Back"),
    "next": ("›", "Next"),
    "last": ("»", "Last position"),
}
_TERMINATIONS = {"mate": "checkmate", "resign": "resignation", "outoftime": "time forfeit"}


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
        f'<div class="info">{_now(game, at)}{chart_figure(_chart(game, at))}{_moves(game, at)}'
        f"{_links(game, server_url)}</div></div></div></main>"
    )
    return document(f"{title} · bot88", body, script="replay", style="overview")


def missing_page(game_id: str, words: str) -> str:
    """Return a page that says why a game is not shown."""
    text = f'<p class="panel">{escape(words)} <a href="/games">Finished games</a></p>'
    main = f'<main id="content"><header><h1>Game {escape(game_id)}</h1></header>{text}</main>'
    return document(f"Game {game_id} · bot88", main, style="overview")


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
    scores = []
    for move in game.moves:
        if move.score is not None:
            ours = move.score.pov(game.our_side)
            scores.append(ScorePoint(move.ply, ours.score(mate_score=MATE_CP), ours.mate()))
    label = f"Evaluation over the game from our side, {len(scores)} scores" if scores else "No scores were kept"
    return evaluation_chart(scores, len(game.moves), label, cursor=at)


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
