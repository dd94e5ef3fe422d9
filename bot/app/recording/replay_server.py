"""The server and the engine of a replay: they answer as the record says."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, cast

import chess
import chess.engine

from bot.app.recording.record import Entry, Record
from bot.app.recording.replay_script import ReplayScript
from bot.engine_pool import Answer
from bot.errors import EngineError, NetworkError
from bot.events import GameEvent, GameExport, GameInfo, parse_game_event
from bot.events.reading import clean
from bot.lichess import EventStream
from bot.lichess.rate_limits import Endpoint, RateLimits
from bot.lichess.translate import from_status


class ReplayServer:
    """The part of the gateway that a game needs, and chat."""

    def __init__(self, script: ReplayScript, tell: Callable[[float, str], None]) -> None:
        self._script = script
        self._tell = tell

    def stream_game(self, _game_id: str) -> EventStream[GameEvent]:
        """Open the stream, or refuse it as then."""
        refusal = self._script.refusal()
        if refusal is not None:
            self._tell(self._script.seconds, f"  the stream is refused: {_outcome_in_words(refusal)}")
            _raise_refusal(refusal, Endpoint.GAME_STREAM)
        self._tell(self._script.seconds, "  the stream is opened")
        response = _RecordedResponse(self._script, self._tell)
        return EventStream(cast("Any", response), parse_game_event, Endpoint.GAME_STREAM)

    def ongoing_games(self) -> tuple[GameInfo, ...]:
        """Nothing was recorded about other games."""
        return ()

    def export_game(self, game_id: str) -> GameExport:
        """The game runs until its stream says otherwise."""
        return GameExport(game_id, "started")

    def post_move(self, _game_id: str, uci: str, offering_draw: bool = False, *, timeout_s: float = 10.0) -> object:
        """Play a move."""
        self._request(f"move/{uci}{'?offeringDraw=true' if offering_draw else ''}", Endpoint.MOVE)
        return timeout_s

    def abort(self, _game_id: str) -> None:
        """Abort."""
        self._request("abort")

    def resign(self, _game_id: str) -> None:
        """Resign."""
        self._request("resign")

    def draw(self, _game_id: str, accept: bool) -> None:
        """Offer or accept, or decline."""
        self._request("draw/yes" if accept else "draw/no")

    def takeback(self, _game_id: str, accept: bool) -> None:
        """Accept or decline."""
        self._request("takeback/yes" if accept else "takeback/no")

    def claim_victory(self, _game_id: str) -> None:
        """Claim the win."""
        self._request("claim-victory")

    def claim_draw(self, _game_id: str) -> None:
        """Claim the draw."""
        self._request("claim-draw")

    def chat(self, _game_id: str, room: str, text: str) -> None:
        """Say something."""
        self._tell(self._script.seconds, f"> says to {room}: {text}")
        self._request("chat", Endpoint.CHAT)

    def _request(self, path: str, endpoint: Endpoint = Endpoint.GAME_ACTION) -> None:
        answer = self._script.made(path)
        if answer is not None and not 200 <= answer.number("status") < 300:
            self._tell(self._script.seconds, f"  {path} fails: {_outcome_in_words(answer)}")
            _raise_refusal(answer, endpoint)


class _RecordedResponse:
    """What EventStream reads: a response whose body comes line by line."""

    def __init__(self, script: ReplayScript, tell: Callable[[float, str], None]) -> None:
        self.raw = self
        self._script = script
        self._tell = tell
        self._closed = threading.Event()
        self._begun = False

    def read1(self, _size: int) -> bytes:
        """The next line; b"" at the clean end. Raises OSError where it broke."""
        entry = self._script.next(self._closed.is_set, self._begun)
        self._begun = True
        if entry is None:
            return b""
        if entry.kind == "line":
            text = entry.text("text")
            if text:
                self._tell(self._script.seconds, f"< {_shortened(clean(text))}")
            return text.encode("utf-8", "surrogateescape") + b"\n"
        error = entry.text("error")
        if not error or error == "closed by us":
            return b""
        self._tell(self._script.seconds, f"  the stream breaks: {error}")
        raise OSError(error)

    def shutdown(self) -> None:
        """End the reading."""
        self._closed.set()

    def close(self) -> None:
        """End the reading."""
        self._closed.set()


class ReplayEngine:
    """Gives for each ply what was answered then, the last answer again where more are asked for."""

    elo: int | None = None

    def __init__(self, record: Record, tell: Callable[[float, str], None], script: ReplayScript) -> None:
        self._answers: defaultdict[int, deque[Entry]] = defaultdict(deque)
        for entry in record.entries:
            if entry.kind == "think":
                self._answers[entry.number("ply")].append(entry)
        names = (entry.text("engine") for entry in record.entries if entry.kind == "think")
        self.name = next((name for name in names if name not in ("", "book")), "")
        self._tell = tell
        self._script = script

    def play(
        self, board: chess.Board, _limit: chess.engine.Limit, *, ponder: bool, on_done: Callable[[Answer], None]
    ) -> ReplayEngine:
        """Answer from another thread, as the pool does."""
        answer = self._answer(board)
        threading.Thread(target=on_done, args=(answer,), name=f"replay-engine-{ponder}", daemon=True).start()
        return self

    def abandon(self) -> None:
        """The answer is not wanted any more: whoever asked drops it."""

    def give_back(self) -> None:
        """Nothing was lent."""

    def _answer(self, board: chess.Board) -> Answer:
        ply = len(board.move_stack)
        answers = self._answers[ply]
        if not answers:
            move = next(iter(board.legal_moves), None)
            self._tell(self._script.seconds, f"  no answer was recorded at ply {ply}: {move} is played")
            return Answer(move, error=None if move else EngineError("no legal move"))
        entry = answers.popleft() if len(answers) > 1 else answers[0]
        move = chess.Move.from_uci(entry.text("move")) if entry.text("move") else None
        error = EngineError(entry.text("error")) if move is None else None
        return Answer(move, info_line=entry.text("info"), engine=entry.text("engine"), error=error)


def _shortened(line: str) -> str:
    """A line without its middle: what has changed stands at the end."""
    return line if len(line) <= 200 else f"{line[:60]} ... {line[-130:]}"


def _raise_refusal(answer: Entry, endpoint: Endpoint) -> None:
    if answer.number("status") == 0:
        raise NetworkError(answer.text("text"))
    raise from_status(answer.number("status"), {}, answer.text("text").encode(), endpoint, RateLimits())


def _outcome_in_words(answer: Entry) -> str:
    status = answer.number("status")
    return f"{status} {answer.text('text')}".strip()[:200] if status else f"no answer ({answer.text('text')})"
