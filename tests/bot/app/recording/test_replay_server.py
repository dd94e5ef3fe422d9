"""What the server and the engine of a replay answer."""

from __future__ import annotations

import queue
from collections.abc import Callable

import chess
import chess.engine
import pytest

from bot.app.recording.record import Entry, Record
from bot.app.recording.replay_script import ReplayScript
from bot.app.recording.replay_server import ReplayEngine, ReplayServer, _RecordedResponse, _shortened
from bot.engine_pool import Answer
from bot.errors import LichessError, NetworkError, Rejected


def thought(move: str) -> Entry:
    """What the engine answered at the start of the game."""
    return Entry(0.0, "think", {"ply": 0, "move": move, "engine": "tiny"})


@pytest.mark.parametrize(
    ("recorded", "replayed"), [(["e2e4"], ["e2e4"] * 3), (["e2e4", "d2d4"], ["e2e4", "d2d4", "d2d4"])]
)
def test_answers_come_in_their_order_and_the_last_one_again(recorded: list[str], replayed: list[str]) -> None:
    told: list[str] = []
    record = Record("abcdefgh", "bot88", tuple(thought(move) for move in recorded))
    script = ReplayScript(record, lambda _seconds, text: told.append(text))
    engine = ReplayEngine(record, lambda _seconds, text: told.append(text), script)
    answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    found = []
    for _ in replayed:
        engine.play(chess.Board(), chess.engine.Limit(), ponder=False, on_done=answers.put)
        found.append(str(answers.get(timeout=60.0).move))
    assert (found, told) == (replayed, [])


def test_a_move_offers_a_draw_only_where_it_is_said() -> None:
    told: list[str] = []
    record = Record("abcdefgh", "bot88", (thought("e2e4"),))
    server = ReplayServer(ReplayScript(record, lambda _seconds, text: told.append(text)), lambda _seconds, _text: None)
    server.post_move("abcdefgh", "e2e4")
    server.post_move("abcdefgh", "d2d4", True)
    assert [line.split()[1] for line in told] == ["move/e2e4", "move/d2d4?offeringDraw=true"]


REQUESTS: list[tuple[Callable[[ReplayServer], object], str]] = [
    (lambda server: server.post_move("abcdefgh", "e2e4"), "move/e2e4"),
    (lambda server: server.abort("abcdefgh"), "abort"),
    (lambda server: server.resign("abcdefgh"), "resign"),
    (lambda server: server.draw("abcdefgh", True), "draw/yes"),
    (lambda server: server.draw("abcdefgh", False), "draw/no"),
    (lambda server: server.takeback("abcdefgh", True), "takeback/yes"),
    (lambda server: server.takeback("abcdefgh", False), "takeback/no"),
    (lambda server: server.claim_victory("abcdefgh"), "claim-victory"),
    (lambda server: server.claim_draw("abcdefgh"), "claim-draw"),
    (lambda server: server.chat("abcdefgh", "player", "Good luck!"), "chat"),
]


def server_of(*entries: Entry) -> tuple[ReplayServer, list[str]]:
    """A server of a record, and what it tells."""
    told: list[str] = []
    script = ReplayScript(Record("abcdefgh", "bot88", entries), lambda _seconds, _text: None)
    return ReplayServer(script, lambda _seconds, text: told.append(text)), told


def answered(path: str, status: int, text: str = "") -> Entry:
    return Entry(0.0, "answer", {"path": path, "status": status, "text": text})


@pytest.mark.parametrize(("ask", "path"), REQUESTS, ids=[path for _ask, path in REQUESTS])
def test_each_request_ends_as_it_did(ask: Callable[[ReplayServer], object], path: str) -> None:
    recorded = [Entry(0.0, "post", {"path": path}), answered(path, 200), answered(path, 400, '{"error":"No"}')]
    server, told = server_of(*recorded, answered(path, 0, "ConnectionError"), answered(path, 199))
    ask(server)
    assert [text for text in told if "fails" in text] == []
    with pytest.raises(Rejected):
        ask(server)
    with pytest.raises(NetworkError, match="ConnectionError"):
        ask(server)
    with pytest.raises(LichessError):
        ask(server)
    assert [text for text in told if "fails" in text] == [
        f'  {path} fails: 400 {{"error":"No"}}',
        f"  {path} fails: no answer (ConnectionError)",
        f"  {path} fails: 199",
    ]
    ask(server)  # no answer was recorded: it is taken for done


def test_a_stream_that_was_refused_is_refused_again_and_opened_the_next_time() -> None:
    server, told = server_of(answered("stream", 502), Entry(0.0, "open", {}))
    with pytest.raises(LichessError):
        server.stream_game("abcdefgh")
    server.stream_game("abcdefgh").close()
    assert told == ["  the stream is refused: 502", "  the stream is opened"]
    assert server.ongoing_games() == ()
    assert server.export_game("abcdefgh").status == "started"


@pytest.mark.parametrize(
    ("board", "moves"),
    [(chess.Board(), True), (chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), False)],
    ids=["running", "stalemate"],
)
def test_where_no_answer_was_recorded_there_is_a_legal_move_or_an_error(board: chess.Board, moves: bool) -> None:
    told: list[str] = []
    record = Record("abcdefgh", "bot88", (Entry(0.0, "think", {"ply": 7, "move": "e2e4", "engine": "book"}),))
    script = ReplayScript(record, lambda _seconds, _text: None)
    engine = ReplayEngine(record, lambda _seconds, text: told.append(text), script)
    answer = engine._answer(board)
    assert (answer.move in list(board.legal_moves), answer.error is None) == (moves, moves)
    assert len(told) == 1
    assert engine.name == "", "a book is no engine"


def test_an_answer_without_a_move_is_an_error_again() -> None:
    entry = Entry(0.0, "think", {"ply": 0, "move": "", "error": "engine died", "engine": "tiny", "info": ""})
    record = Record("abcdefgh", "bot88", (Entry(0.0, "think", {"ply": 2, "engine": "book"}), entry))
    engine = ReplayEngine(record, lambda _s, _t: None, ReplayScript(record, lambda _s, _t: None))
    answer = engine._answer(chess.Board())
    assert (answer.move, str(answer.error), engine.name) == (None, "engine died", "tiny")


def test_of_a_long_line_beginning_and_end_are_told() -> None:
    assert _shortened("x" * 200) == "x" * 200
    assert _shortened("a" * 60 + "b" * 100 + "c" * 130) == "a" * 60 + " ... " + "c" * 130


def test_a_stream_gives_what_came_then_and_breaks_as_it_did() -> None:
    ends = ("", "closed by us", "ConnectionReset")
    entries = [Entry(0.0, "open", {}), Entry(0.0, "line", {"text": "{}\udcff"}), Entry(0.0, "line", {"text": ""})]
    entries += [Entry(0.0, "end", {"error": error}) for error in ends]
    told: list[str] = []
    script = ReplayScript(Record("abcdefgh", "bot88", tuple(entries)), lambda _seconds, _text: None)
    response = _RecordedResponse(script, lambda _seconds, text: told.append(text))
    assert [response.read1(99) for _ in range(4)] == [b"{}\xff\n", b"\n", b"", b""]
    with pytest.raises(OSError, match="ConnectionReset"):
        response.read1(99)
    assert told[1:] == ["  the stream breaks: ConnectionReset"]
    assert told[0].startswith("< {}")


@pytest.mark.parametrize("end", ["close", "shutdown"])
def test_a_stream_that_is_closed_ends(end: str) -> None:
    script = ReplayScript(Record("abcdefgh", "bot88", (Entry(0.0, "open", {}),)), lambda _seconds, _text: None)
    response = _RecordedResponse(script, lambda _seconds, _text: None)
    getattr(response, end)()
    assert response.read1(99) == b""
