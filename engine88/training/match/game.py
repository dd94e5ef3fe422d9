"""One game between two engines, its moves in SAN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine88.board.defs import WHITE
from engine88.rules.fen import START_FEN
from engine88.rules.position import Position
from engine88.training.match.uci_engine import BestMove, EngineError, UciEngine


def san(position: Position, move: str) -> str:
    """The notation of a legal move, given in UCI notation."""
    after = position.push(move)
    mark = "" if not after.is_check() else "+" if after.legal_codes() else "#"
    return _without_mark(position, move) + mark


def _without_mark(position: Position, move: str) -> str:
    pieces = _pieces(position)
    source, target, promotion = move[:2], move[2:4], move[4:].upper()
    letter = pieces[source].upper()
    if letter == "K" and abs(ord(source[0]) - ord(target[0])) == 2:
        return "O-O" if target[0] == "g" else "O-O-O"
    takes = "x" if target in pieces or (letter == "P" and source[0] != target[0]) else ""
    if letter == "P":
        return (source[0] if takes else "") + takes + target + (f"={promotion}" if promotion else "")
    others = [
        name[:2]
        for name in position.legal_moves()
        if name[2:4] == target and name[:2] != source and pieces[name[:2]] == pieces[source]
    ]
    return letter + _told_apart(source, others) + takes + target


def _told_apart(source: str, others: list[str]) -> str:
    """The file, rank or square that distinguishes a piece from others of its kind that could move there."""
    if not others:
        return ""
    if all(other[0] != source[0] for other in others):
        return source[0]
    return source[1] if all(other[1] != source[1] for other in others) else source


def _pieces(position: Position) -> dict[str, str]:
    """The letter of the piece on each occupied square."""
    found = {}
    for rank, row in zip("87654321", position.fen().split()[0].split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found["abcdefgh"[file] + rank] = letter
                file += 1
    return found


_HANGS_S: Final = 120.0
"""An engine without a clock that says nothing for so long has hung; with a clock, after this beside its time."""
_WIDTH: Final = 100
_HALF_POINTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


@dataclass(frozen=True, slots=True)
class GameLimits:
    """Nodes of each move, or base and increment of the clock; and when a game is called won, drawn, long enough.

    Won: both engines have said so for `won_moves` moves each, by `won_cp`. Drawn: from move `level_from_move` on, both
    have said less than `level_cp` for `level_moves` moves each. After `most_moves` moves it is drawn.
    """

    nodes: int = 0
    base_ms: int = 0
    increment_ms: int = 0
    margin_ms: int = 50
    won_cp: int = 600
    won_moves: int = 4
    level_cp: int = 10
    level_moves: int = 8
    level_from_move: int = 40
    most_moves: int = 200

    def told(self) -> str:
        """The limit as PGN's TimeControl spells it."""
        return f"nodes {self.nodes}" if self.nodes else f"{self.base_ms / 1000:g}+{self.increment_ms / 1000:g}"


@dataclass(slots=True)
class MatchGame:
    """A game that was played: start, moves with their comments, result for White, why it ended."""

    fen: str
    moves: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    scores_cp: tuple[list[int | None], list[int | None]] = field(default_factory=lambda: ([], []))
    result: str = "*"
    reason: str = ""

    @property
    def half_points(self) -> int:
        """White's half points."""
        return _HALF_POINTS[self.result]


def play_game(engines: Sequence[UciEngine], fen: str, limits: GameLimits) -> MatchGame:
    """Play one game; `engines` are White and Black. An engine that fails loses; the caller must replace it."""
    game = MatchGame(fen)
    clocks_ms = [float(limits.base_ms)] * 2
    position = Position.from_fen(fen)
    while True:
        game.result, game.reason = _ended(game, position, limits)
        if game.reason:
            return game
        mover = 0 if position.side == WHITE else 1
        lost = ("0-1", "1-0")[mover]
        try:
            answer = engines[mover].think(
                _position_command(game), _go(limits, clocks_ms), _timeout_s(limits, clocks_ms[mover])
            )
        except EngineError as error:
            game.result, game.reason = lost, f"engine failed: {error}"
            return game
        if not limits.nodes:
            clocks_ms[mover] -= answer.seconds * 1000
            if clocks_ms[mover] < -limits.margin_ms:
                game.result, game.reason = lost, "time forfeit"
                return game
            clocks_ms[mover] = max(clocks_ms[mover], 0.0) + limits.increment_ms
        if answer.move not in position.legal_moves():
            game.result, game.reason = lost, f"illegal move {answer.move}"
            return game
        _add(game, position, mover, answer)
        position = position.push(answer.move)


def _add(game: MatchGame, position: Position, mover: int, answer: BestMove) -> None:
    score = "?" if answer.score_cp is None else f"{answer.score_cp / 100:+.2f}"
    game.comments.append(f"{san(position, answer.move)} {{{score}/{answer.depth} {answer.seconds:.3f}s}}")
    game.moves.append(answer.move)
    game.scores_cp[mover].append(answer.score_cp)


def _ended(game: MatchGame, position: Position, limits: GameLimits) -> tuple[str, str]:
    """Result and reason; no reason while the game continues."""
    outcome = position.outcome(claim_draw=True)
    if outcome is not None:
        return outcome.result, outcome.termination.replace("_", " ")
    moves = len(game.moves) // 2
    if moves >= limits.most_moves:
        return "1/2-1/2", "too long"
    white, black = ([score for score in scores if score is not None] for scores in game.scores_cp)
    for result, ahead, behind in (("1-0", white, black), ("0-1", black, white)):
        last, other = ahead[-limits.won_moves :], behind[-limits.won_moves :]
        if (
            min(len(last), len(other)) == limits.won_moves
            and min(last) >= limits.won_cp
            and max(other) <= -limits.won_cp
        ):
            return result, "adjudication"
    level = white[-limits.level_moves :] + black[-limits.level_moves :]
    if (
        moves >= limits.level_from_move
        and len(level) == 2 * limits.level_moves
        and max(map(abs, level)) <= limits.level_cp
    ):
        return "1/2-1/2", "adjudication"
    return "*", ""


def _position_command(game: MatchGame) -> str:
    moves = f" moves {' '.join(game.moves)}" if game.moves else ""
    return f"position fen {game.fen}{moves}"


def _go(limits: GameLimits, clocks_ms: Sequence[float]) -> str:
    if limits.nodes:
        return f"go nodes {limits.nodes}"
    white_ms, black_ms = (max(1, round(clock_ms)) for clock_ms in clocks_ms)
    increment_ms = limits.increment_ms
    return f"go wtime {white_ms} btime {black_ms} winc {increment_ms} binc {increment_ms}"


def _timeout_s(limits: GameLimits, clock_ms: float) -> float:
    return _HANGS_S + (0 if limits.nodes else clock_ms / 1000)


def pgn_of(game: MatchGame, headers: dict[str, str]) -> str:
    """The PGN of a game, with an empty line at the end."""
    tags = {**headers, "Result": game.result, "Termination": game.reason}
    if game.fen != START_FEN:
        tags |= {"SetUp": "1", "FEN": game.fen}
    lines = [f'[{name} "{value.replace(chr(92), "/").replace(chr(34), chr(39))}"]' for name, value in tags.items()]
    fields = game.fen.split()
    number, black = int(fields[5]), fields[1] == "b"
    line = ""
    words = []
    for ply, comment in enumerate(game.comments, black):
        mark = f"{number + ply // 2}. " if ply % 2 == 0 else f"{number + ply // 2}... "
        words.append(mark + comment)
    lines.append("")
    for word in [*words, game.result]:
        if line and len(line) + len(word) >= _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line]) + "\n\n"
