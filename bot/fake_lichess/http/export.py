"""Games as PGN and JSON, and the query fields that choose and shape them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import chess
import chess.pgn

from ..openings import Opening, find_opening, opening_json
from ..wire.responses import Response, lines_response
from ..world import json_objects
from ..world.accounts import Account
from ..world.clocks import TimeControl
from ..world.json_objects import Json
from ..world.server_game import Game, Player
from ..world.variants import COLOR_NAMES, COLORS
from .division import division
from .request import Request, trueish

# lila's PgnDump: a running game is shown three plies late, but its first five plies always
DELAY_PLIES, ALWAYS_SHOWN_PLIES = 3, 5
TERMINATIONS = {
    "outoftime": "Time forfeit",
    "timeout": "Time forfeit",
    "aborted": "Abandoned",
    "noStart": "Abandoned",
    "created": "Unterminated",
    "started": "Unterminated",
    "cheat": "Rules infraction",
    "unknownFinish": "Unknown",
    "insufficientMaterialClaim": "Insufficient material",
}
PGN = "application/x-chess-pgn"


@dataclass(frozen=True)
class ExportOptions:
    """What an export contains: the query fields of the server's export endpoints, and who asked."""

    moves: bool = True
    tags: bool = True
    clocks: bool = True
    literate: bool = False
    pgn_in_json: bool = False
    last_fen: bool = False
    opening: bool = True
    division: bool = False
    viewer: Account | None = None


def shown_moves(game: Game) -> list[str]:
    """Return the moves that may be shown: all moves of a finished game, all but the last plies of a running one."""
    if not game.playable:
        return list(game.moves)
    return game.moves[: max(len(game.moves) - DELAY_PLIES, ALWAYS_SHOWN_PLIES)]


def result_of(game: Game) -> str:
    """Return 1-0, 0-1, 1/2-1/2 or *."""
    if game.playable or game.status == "aborted":
        return "*"
    return {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[game.winner]


def end_in_words(game: Game) -> str:
    """Return the end of a game as a sentence for a literate PGN; empty for a running one."""
    winner = "" if game.winner is None else COLOR_NAMES[game.winner].capitalize()
    loser = "" if game.winner is None else COLOR_NAMES[not game.winner].capitalize()
    if game.winner is None:
        draws = {"stalemate": "Draw by stalemate.", "aborted": "Game was aborted.", "started": ""}
        return draws.get(game.status, "The game is a draw.")
    sentences = {
        "mate": f"{winner} wins by checkmate.",
        "resign": f"{loser} resigns.",
        "outoftime": f"{winner} wins on time.",
        "timeout": f"{loser} left the game.",
    }
    return sentences.get(game.status, f"{winner} wins.")


def _control(control: TimeControl) -> str:
    if control.limit_ms is not None:
        return f"{control.limit_ms // 1000}+{control.increment_ms // 1000}"
    if control.days is None:
        return "-"
    return f"{control.days} day{'s' if control.days > 1 else ''} per move"


def _name(player: Player) -> str:
    return player.name if player.ai_level is None else f"lichess AI level {player.ai_level}"


def opening_of_game(game: Game) -> Opening | None:
    """Return the opening of the moves that may be shown."""
    return find_opening(game.spec.variant.key, json_objects.initial_fen(game), shown_moves(game))


def _tags(game: Game, base_url: str, options: ExportOptions) -> dict[str, str]:
    """Return the tags in the server's order; players' tags only if they have a value."""
    started = datetime.datetime.fromtimestamp(game.created_at_ms / 1000, datetime.UTC)
    date = started.strftime("%Y.%m.%d")
    sides = [("White", game.players[chess.WHITE]), ("Black", game.players[chess.BLACK])]
    kind = f"{'rated' if game.spec.rated else 'casual'} {game.spec.perf} game"
    tags = {"Event": game.spec.tournament_name or kind, "Site": f"{base_url}/{game.id}", "Date": date, "Round": "-"}
    tags |= {side: _name(player) for side, player in sides}
    tags |= {"Result": result_of(game), "GameId": game.id, "UTCDate": date, "UTCTime": started.strftime("%H:%M:%S")}
    tags |= {f"{side}Elo": "?" if player.account is None else str(player.rating) for side, player in sides}
    tags |= {f"{side}RatingDiff": f"{p.rating_diff:+d}" for side, p in sides if p.rating_diff is not None}
    tags |= {f"{side}Title": p.account.title for side, p in sides if p.account is not None and p.account.title}
    tags |= {f"{side}Berserk": "true" for side, player in sides if player.berserk}
    tags |= {"Variant": game.spec.variant.name, "TimeControl": _control(game.spec.control)}
    opening = opening_of_game(game)
    tags["ECO"] = opening.eco if opening else "?"
    if options.opening:
        tags["Opening"] = opening.name if opening else "?"
    tags["Termination"] = TERMINATIONS.get(game.status, "Normal")
    return tags | ({"Annotator": "lichess.org"} if options.literate else {})


def pgn_of(game: Game, base_url: str, options: ExportOptions) -> str:
    """Return the game as PGN; clocks are whole seconds."""
    root = chess.pgn.Game()
    root.setup(game.first_board)
    for name, value in _tags(game, base_url, options).items():
        root.headers[name] = value
    node: chess.pgn.GameNode = root
    times = game.clock.history_ms()
    for uci, left_ms in zip(shown_moves(game) if options.moves else (), times, strict=False):
        node = node.add_variation(node.board().parse_uci(uci))
        if options.clocks and game.spec.control.limit_ms is not None:
            node.set_clock(round(left_ms / 1000))
    if options.literate and node is not root:
        _annotate(root, opening_of_game(game))
        node.comment = " ".join(filter(None, (node.comment, end_in_words(game))))
    return f"{root.accept(chess.pgn.StringExporter(headers=options.tags, columns=None))}\n\n\n"


def _annotate(root: chess.pgn.Game, opening: Opening | None) -> None:
    """Write the opening's name after the move that reached it."""
    if opening is None:
        return
    for node in root.mainline():
        if node.ply() == opening.ply:
            node.comment = " ".join(filter(None, (node.comment, f"{opening.eco} {opening.name}")))


def _positions(game: Game) -> tuple[list[str], list[chess.Board]]:
    """Return the moves that may be shown, and the positions before and after them."""
    board, sans = game.first_board.copy(), []
    boards = [board.copy(stack=False)]
    for uci in shown_moves(game):
        move = board.parse_uci(uci)
        sans.append(board.san(move))
        board.push(move)
        boards.append(board.copy(stack=False))
    return sans, boards


def file_name(game: Game) -> str:
    """Return the name under which a browser saves a game."""
    date = datetime.datetime.fromtimestamp(game.created_at_ms / 1000, datetime.UTC).strftime("%Y.%m.%d")
    white, black = (_name(game.players[color]).replace(" ", "_") for color in (chess.WHITE, chess.BLACK))
    return f"lichess_pgn_{date}_{white}_vs_{black}.{game.id}.pgn"


def attachment(name: str) -> tuple[bytes, bytes]:
    """Return the header that makes a browser save a response."""
    return b"content-disposition", f"attachment; filename={name}".encode("ascii", "replace")


def json_of(game: Game, base_url: str, options: ExportOptions) -> Json:
    """Return the game as the export's JSON object; times of `clock` in seconds, of `clocks` in hundredths."""
    found = json_objects.summary(game) | {
        "lastMoveAt": game.last_move_at_ms,
        "status": game.status,
        "source": game.spec.source,
        "players": json_objects.players_json(game),
    }
    if game.spec.initial_fen is not None:
        found["initialFen"] = game.spec.initial_fen
    opening = opening_of_game(game) if options.opening else None
    if opening is not None:
        found["opening"] = opening_json(opening)
    color = None if options.viewer is None else game.color_of(options.viewer)
    if color is not None:
        found["fullId"] = game.players[color].full_id
    sans, boards = _positions(game)
    if options.moves:
        found["moves"] = " ".join(sans)
    if options.last_fen:
        found["lastFen"] = boards[-1].fen()
    if options.division:
        found["division"] = division(boards)
    if options.pgn_in_json:
        found["pgn"] = pgn_of(game, base_url, options)
    return found | _clock_fields(game, options)


def _clock_fields(game: Game, options: ExportOptions) -> Json:
    control = game.spec.control
    found = json_objects.clock_json(control)
    if control.limit_ms is not None and options.clocks:
        found["clocks"] = [left // 10 for left in game.clock.history_ms()[: len(shown_moves(game))]]
    if control.days is not None:
        found["daysPerTurn"] = control.days
    if game.spec.tournament_id is not None:
        found["arenaTour"] = {"id": game.spec.tournament_id, "name": game.spec.tournament_name}
    return found


def number(request: Request, name: str, default: int) -> int:
    """Return a natural number of the query, or the default if it is absent or invalid."""
    text = request.query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else default


def flag(request: Request, name: str, default: bool) -> bool:
    """Return a boolean of the query."""
    return trueish(request.query[name]) if name in request.query else default


def read_options(request: Request, *, single: bool) -> ExportOptions:
    """Read the options of an export. By default a single game has clocks and opening, a list does not."""
    return ExportOptions(
        moves=flag(request, "moves", True),
        tags=flag(request, "tags", True),
        clocks=flag(request, "clocks", single),
        literate=flag(request, "literate", False),
        pgn_in_json=flag(request, "pgnInJson", False),
        last_fen=flag(request, "lastFen", False),
        opening=flag(request, "opening", single),
        division=flag(request, "division", single),
        viewer=request.account,
    )


def game_response(request: Request, game: Game, base_url: str) -> Response:
    """Return one game: JSON where the client asks for it, else PGN under a name for browsers."""
    options = read_options(request, single=True)
    if "json" in request.headers.get("accept", ""):
        return Response(json_of(game, base_url, options))
    return Response(pgn_of(game, base_url, options).encode(), media=PGN, headers=(attachment(file_name(game)),))


def games_response(request: Request, games: list[Game], base_url: str) -> Response:
    """Return a list of games: one JSON line each if the client accepts that, else PGN."""
    options = read_options(request, single=False)
    if "json" in request.headers.get("accept", ""):
        return lines_response(json_of(game, base_url, options) for game in games)
    return Response("".join(pgn_of(game, base_url, options) for game in games).encode(), media=PGN)


def is_wanted(request: Request, game: Game, account: Account) -> bool:
    """Return whether the filters of the query let a game of the account pass."""
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
