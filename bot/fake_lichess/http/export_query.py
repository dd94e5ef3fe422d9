"""The query of an export: what is shown, and which games of a user are wanted."""

from __future__ import annotations

from bot.fake_lichess.http.export import ExportOptions, json_of, pgn_of
from bot.fake_lichess.http.request import Request, trueish
from bot.fake_lichess.wire import encoding
from bot.fake_lichess.wire.answer import Answer
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.game import Game
from bot.fake_lichess.world.variants import COLORS

NDJSON, PGN = "application/x-ndjson", "application/x-chess-pgn"


def number(request: Request, name: str, default: int) -> int:
    """A natural number of the query; the default where it is absent or none."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else default


def flag(request: Request, name: str, default: bool) -> bool:
    """A yes or no of the query."""
    return trueish(request.query[name]) if name in request.query else default


def read_options(request: Request, *, single: bool) -> ExportOptions:
    """What to show; unless the query says otherwise a single game comes with clocks and opening, a list without."""
    return ExportOptions(
        moves=flag(request, "moves", True),
        tags=flag(request, "tags", True),
        clocks=flag(request, "clocks", single),
        literate=flag(request, "literate", False),
        pgn_in_json=flag(request, "pgnInJson", False),
        last_fen=flag(request, "lastFen", False),
        opening=flag(request, "opening", single),
    )


def games_answer(request: Request, games: list[Game], base_url: str) -> Answer:
    """A list of games: a JSON line each where the client accepts that, else PGN."""
    options = read_options(request, single=False)
    if "json" in request.headers.get("accept", ""):
        return Answer(b"".join(encoding.line(json_of(game, base_url, options)) for game in games), media=NDJSON)
    return Answer("".join(pgn_of(game, base_url, options) for game in games).encode(), media=PGN)


def is_wanted(request: Request, game: Game, account: Account) -> bool:
    """Whether the filters of the query let a game of the account pass."""
    query = request.query
    if not flag(request, "ongoing", False) and game.playable:
        return False
    if not flag(request, "finished", True) and not game.playable:
        return False
    if "rated" in query and trueish(query["rated"]) != game.spec.rated:
        return False
    if trueish(query.get("analysed", "")):  # nothing is analysed here
        return False
    if query.get("perfType") and game.spec.perf not in query["perfType"].split(","):
        return False
    if not number(request, "since", 0) <= game.created_at_ms <= number(request, "until", 10**15):
        return False
    return _is_with(query.get("vs", ""), game) and _plays_as(query.get("color", ""), game, account)


def _is_with(name: str, game: Game) -> bool:
    names = [player.account.id for player in game.players.values() if player.account is not None]
    return not name or name.lower() in names


def _plays_as(name: str, game: Game, account: Account) -> bool:
    color = COLORS.get(name)
    return color is None or game.color_of(account) == color
