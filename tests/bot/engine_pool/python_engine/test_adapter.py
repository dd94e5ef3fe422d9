"""What a class may declare and return, as a GUI sees it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import chess
import chess.engine
import pytest

from bot.engine_pool.python_engine.author_file import EngineFile
from bot.engine_pool.python_engine.uci import Adapter, deadline_s
from tests.helpers.processes import wait_until
from tests.helpers.python_engines import talking, write

FIRST = "next(iter(board.legal_moves))"
MATE_IN_ONE = "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


def choosing(body: str, more: str = "") -> str:
    """A class whose `choose_move` has this body."""
    return (
        f"import chess, chess.engine, time\nclass MyEngine:\n{more}\n    def choose_move(self, board, limit):\n{body}\n"
    )


def test_name_author_and_options_are_declared(tmp_path: Path) -> None:
    more = """
    name, author = "Mine", "A. Learner"
    options = {"Depth": (3, 1, 9), "Seed": 7, "Book": True, "Style": ["solid", "wild"], "File": ""}
    chess960 = True
    variants = ("atomic",)
    """
    body = "        return ['a2a3', 'b2b3'][self.options['Book']] if self.options['Depth'] == 5 else 'c2c3'"
    with talking(write(tmp_path, choosing(body, more))) as adapter:
        adapter.ask("uciok", "uci")
        assert adapter.lines[:-1] == [
            "id name Mine",
            "id author A. Learner",
            "option name Depth type spin default 3 min 1 max 9",
            "option name Seed type spin default 7 min -1000000000 max 1000000000",
            "option name Book type check default true",
            "option name Style type combo default solid var solid var wild",
            "option name File type string default <empty>",
            "option name UCI_Chess960 type check default false",
            "option name UCI_Variant type combo default chess var chess var atomic",
        ]
        assert adapter.move() == "c2c3"
        adapter.send("setoption name Depth value 5", "setoption name Book value false")
        assert adapter.move() == "a2a3"
        adapter.send("setoption name Depth value deep")
        assert adapter.move() == "a2a3"
        assert adapter.errors() == ["option Depth: 'deep' is not a number"]


@pytest.mark.parametrize(
    ("returned", "info", "move"),
    [
        ("chess.Move.from_uci('a1a8')", None, "a1a8"),
        ("'Ra8#'", None, "a1a8"),
        ("('a1a8', 250)", "info depth 1 score cp 250 time", "a1a8"),
        ("('a1a8', chess.engine.Mate(1), [chess.Move.from_uci('a1a8')])", "info depth 1 score mate 1 time", "a1a8"),
        (
            "chess.engine.PlayResult(chess.Move.from_uci('a1a8'), None, {'depth': 4, 'nodes': 99, 'score': "
            "chess.engine.PovScore(chess.engine.Cp(30), chess.BLACK), 'pv': ['Ra8', 'Nf3']})",
            "info depth 4 score cp -30 nodes 99 time",
            "a1a8",
        ),
        ("chess.engine.PlayResult('a1a8', None, draw_offered=True)", "info string offers a draw", "a1a8"),
        ("chess.engine.PlayResult(None, None, resigned=True)", "info string resigns", "a1a8"),
    ],
)
def test_a_move_comes_alone_or_with_what_the_engine_thinks(
    returned: str, info: str | None, move: str, tmp_path: Path
) -> None:
    with talking(write(tmp_path, choosing(f"        return {returned}"))) as adapter:
        assert adapter.move(position=MATE_IN_ONE) == move
        infos = [line for line in adapter.lines if line.startswith("info")]
        assert len(infos) == (info is not None)
        assert all(line.startswith(info or "") for line in infos)


def test_the_limit_holds_what_the_gui_allows(tmp_path: Path) -> None:
    body = "        return ['a2a3', 'b2b3'][(limit.white_clock, limit.black_inc, limit.depth) == (60, 0.5, 4)]"
    with talking(write(tmp_path, choosing(body))) as adapter:
        assert adapter.move("go wtime 60000 btime 1000 winc 0 binc 500 depth 4") == "b2b3"


def test_a_strength_is_passed_on(tmp_path: Path) -> None:
    source = """
    class MyEngine:
        strengths = (500, 1500)
        def choose_move(self, board, limit, strength=None):
            return {None: "a2a3", 900: "b2b3"}[strength]
    """
    with talking(write(tmp_path, source)) as adapter:
        adapter.ask("uciok", "uci")
        assert "option name UCI_Elo type spin default 1500 min 500 max 1500" in adapter.lines
        assert adapter.move() == "a2a3"
        adapter.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 900")
        assert adapter.move() == "b2b3"


def test_an_engine_that_keeps_thinking_is_stopped(tmp_path: Path) -> None:
    source = """
    import threading
    class MyEngine:
        def __init__(self):
            self.stopped = threading.Event()
        def stop(self):
            self.stopped.set()
        def choose_move(self, board, limit):
            print("thinking")
            self.stopped.wait()
            return "g1f3"
    """
    with talking(write(tmp_path, source)) as adapter:
        assert adapter.ask("bestmove", "position startpos", "go infinite", "stop") == "bestmove g1f3"
        assert adapter.errors() == []


def test_an_early_stop_is_no_fault_of_the_engine(tmp_path: Path) -> None:
    """A game may end while the engine thinks."""
    with talking(write(tmp_path, choosing("        time.sleep(1000)"))) as adapter:
        go = ("go wtime 600000 btime 600000", "go movetime 600000")
        for words in go:
            move = adapter.ask("bestmove", "position startpos", words, "stop").split()[1]
            assert chess.Move.from_uci(move) in chess.Board().legal_moves
        assert adapter.errors() == []


def test_a_class_that_hangs_at_every_move_leaves_time_for_the_game() -> None:
    clock_s = 30.0
    for hangs in range(200):
        clock_s -= deadline_s(chess.engine.Limit(white_clock=clock_s), chess.WHITE, hangs) or 0.0
    assert clock_s > 5.0


def test_hangs_in_a_row_are_counted_until_an_answer_or_a_new_game(tmp_path: Path) -> None:
    output = io.StringIO()
    # in short steps: while an interruption waits for the end of one, every other thread of this process is disturbed
    body = f"        while limit.nodes is None:\n            time.sleep(0.001)\n        return {FIRST}"
    adapter = Adapter(EngineFile(str(write(tmp_path, choosing(body)))), output)
    counts: list[int] = []

    def answered(searches: int) -> bool:
        return output.getvalue().count("bestmove") == searches

    def commands() -> Iterator[str]:
        for searched, words in enumerate(("wtime 400", "wtime 400", "nodes 1", "wtime 400"), start=1):
            yield f"go {words}"
            assert wait_until(partial(answered, searched))
            counts.append(adapter.hangs)
        yield "ucinewgame"
        counts.append(adapter.hangs)

    adapter.run(commands())
    assert counts == [1, 2, 0, 1, 0]


def test_a_generator_plays_its_latest_move(tmp_path: Path) -> None:
    body = """
        yield "a2a3"
        yield "b2b3", 12
        while True:
            time.sleep(0.001)
    """
    with talking(write(tmp_path, choosing(body))) as adapter:
        assert adapter.move("go wtime 6000 btime 6000") == "b2b3"
        assert adapter.move("go wtime 6000 btime 6000") == "b2b3"  # by a new object: the old one is still busy
        assert adapter.errors() == []


def test_pondering(tmp_path: Path) -> None:
    source = """
    import chess, threading
    class MyEngine:
        def __init__(self):
            self.seen, self.stopped = [], threading.Event()
        def ponder(self, board):
            self.seen.append(board.fen())
            self.stopped.wait()
        def stop(self):
            self.stopped.set()
        def choose_move(self, board, limit):
            moves = list(board.legal_moves)
            return (moves[len(self.seen)], 10, [moves[len(self.seen)], chess.Move.from_uci("e7e5")])
    """
    first, second = list(chess.Board().legal_moves)[:2]
    with talking(write(tmp_path, source)) as adapter:
        adapter.ask("uciok", "uci")
        assert "option name Ponder type check default false" in adapter.lines
        assert adapter.ask("bestmove", "position startpos", "go movetime 100") == f"bestmove {first.uci()} ponder e7e5"
        hit = adapter.ask("bestmove", "position startpos", "go ponder movetime 100", "ponderhit")
        assert hit.startswith(f"bestmove {second.uci()}")
        assert adapter.ask("bestmove", "go ponder movetime 100", "stop").split()[1] in map(
            str, chess.Board().legal_moves
        )
        assert adapter.errors() == []


def test_each_game_gets_a_new_object_or_a_call(tmp_path: Path) -> None:
    count = """
        self.moves = getattr(self, "moves", 0) + 1
        return list(board.legal_moves)[self.moves]
    """
    moves = [move.uci() for move in chess.Board().legal_moves]
    with talking(write(tmp_path, choosing(count))) as adapter:
        assert [adapter.move(), adapter.move()] == moves[1:3]
        adapter.send("ucinewgame")
        assert adapter.move() == moves[1]
    with talking(write(tmp_path, choosing(count, "    def new_game(self): self.moves = 9"))) as adapter:
        adapter.send("ucinewgame")
        assert adapter.move() == moves[10]


def test_an_edited_file_plays_from_the_next_game_on(tmp_path: Path) -> None:
    (tmp_path / "book.py").write_text("MOVE = 'a2a3'\n", encoding="utf-8")
    path = write(tmp_path, "import book\n" + choosing("        return book.MOVE"))
    with talking(path) as adapter:
        assert adapter.move() == "a2a3"
        (tmp_path / "book.py").write_text("MOVE = 'b2b3'\n", encoding="utf-8")
        os.utime(tmp_path / "book.py", ns=(1, 1))
        assert adapter.move() == "a2a3"
        adapter.send("ucinewgame")
        assert adapter.move() == "b2b3"
        path.write_text("class MyEngine\n", encoding="utf-8")
        adapter.send("ucinewgame")
        assert adapter.move() == "b2b3"  # a broken version is reported, and the last good one plays
        assert adapter.errors() == ["my_engine.py:1: SyntaxError: expected ':': `class MyEngine`"]
        path.write_text(choosing("        return 'c2c3'"), encoding="utf-8")
        adapter.send("ucinewgame")
        assert adapter.move() == "c2c3"


def test_no_legal_move_and_a_broken_command(tmp_path: Path) -> None:
    with talking(write(tmp_path, choosing(f"        return {FIRST}"))) as adapter:
        assert adapter.move(position="fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "(none)"
        adapter.send("position fen nonsense", "nonsense", "")
        assert adapter.move() == "g1h3"
        assert len(adapter.errors()) == 1


HOMEMADE = """
    import random
    import chess
    from chess.engine import Limit, PlayResult
    from lib.engine_wrapper import MinimalEngine
    from lib.lichess_types import MOVE, HOMEMADE_ARGS_TYPE, OPTIONS_GO_EGTB_TYPE
    from lib.types import COMMANDS_TYPE, MOVE as OLDER_MOVE

    class ExampleEngine(MinimalEngine):
        pass

    class First(ExampleEngine):
        def search(self, board: chess.Board, *args: HOMEMADE_ARGS_TYPE) -> PlayResult:
            return PlayResult(sorted(board.legal_moves, key=str)[0], None)

    class Timed(ExampleEngine):
        def __init__(self, commands, options, stderr, draw_or_resign, **popen_args):
            super().__init__(commands, options, stderr, draw_or_resign, **popen_args)
        def search(self, board, time_limit: Limit, ponder: bool, draw_offered: bool, root_moves: MOVE) -> PlayResult:
            assert (ponder, draw_offered) == (False, False), self.engine_name
            moves = root_moves if isinstance(root_moves, list) else list(board.legal_moves)
            move = sorted(moves, key=board.san)[0 if time_limit.white_clock else -1]
            return PlayResult(move, None, draw_offered=True)

    class Older(ExampleEngine):
        def search(self, board, time_limit, ponder, draw_offered):
            return PlayResult(list(board.legal_moves)[-1], None)
"""


@pytest.mark.parametrize(
    ("name", "go", "move"),
    [
        ("First", "go movetime 100", "a2a3"),
        ("Timed", "go wtime 60000 btime 60000", "b1a3"),
        ("Timed", "go movetime 100 searchmoves e2e4 d2d4", "e2e4"),
        ("Older", "go movetime 100", "a2a4"),
    ],
)
def test_homemade_engines_of_lichess_bot_run_unchanged(name: str, go: str, move: str, tmp_path: Path) -> None:
    with talking(f"{write(tmp_path, HOMEMADE, 'homemade.py')}:{name}") as adapter:
        adapter.ask("uciok", "uci")
        assert adapter.lines[0] == f"id name {name}"
        assert adapter.move(go) == move
        assert ("info string offers a draw" in adapter.lines) == (name == "Timed")
        assert adapter.errors() == []
