"""The typical mistakes of a learner: each is reported once, with the author's own line, and the game continues."""

from __future__ import annotations

import re
from pathlib import Path

import chess
import pytest

from tests.helpers.python_engines import refusal, talking, write

HEAD = "import chess, random, time\nclass MyEngine:\n    def choose_move(self, board, limit):\n"

#: Files that hold no usable engine, with the message at the start.
REFUSED = {
    "a syntax error": ("class MyEngine\n    pass", r"my_engine\.py:1: SyntaxError: expected ':': `class MyEngine`"),
    "a missing module": (
        "import numpyy\n",
        r"my_engine\.py:1: in <module>: `import numpyy`: ModuleNotFoundError: .*; "
        r"install it with `.* -m pip install numpyy`",
    ),
    "an error while importing": (
        "x = 1\ny = x / 0\n",
        r"my_engine\.py:2: in <module>: `y = x / 0`: ZeroDivisionError: .*",
    ),
    "a function instead of a class": (
        "def choose_move(board, limit):\n    return None",
        r"my_engine\.py: choose_move is a function: put it into a class, as choose_move\(self, board, limit\)",
    ),
    "a misspelled method": (
        "class MyEngine:\n    def chose_move(self, board, limit): ...",
        r'my_engine\.py: the method chose_move is never called; did you mean "choose_move"\?',
    ),
    "an empty file": ("", r"my_engine\.py: there is no class with a method choose_move\(self, board, limit\)"),
    "two engines": (
        HEAD + "        return None\nclass Other:\n    choose_move = MyEngine.choose_move\n",
        r"my_engine\.py: several engines: MyEngine, Other; name one, such as my_engine\.py:MyEngine",
    ),
    "a missing parameter": (
        "class MyEngine:\n    def choose_move(self, board):\n        return None",
        r"my_engine\.py:2: choose_move\(self, board\): write it as choose_move\(self, board, limit\)",
    ),
    "an async method": (
        "class MyEngine:\n    async def choose_move(self, board, limit): ...",
        r"my_engine\.py:2: choose_move must not be `async`: remove the word",
    ),
    "a constructor with arguments": (
        HEAD + "        return None\n    def __init__(self, depth): ...",
        r"TypeError: MyEngine\.__init__\(\) missing 1 required positional argument: 'depth'",
    ),
    "an option of a wrong kind": (
        HEAD + "        return None\n    options = {'Depth': 1.5}",
        r"option 'Depth': 1\.5 is none of True, 3, .*",
    ),
}

#: Engines that fail in a game, with the report.
FAULTY = {
    "an exception": (
        "        return self.best(board)\n    def best(self, board):\n        return {}[board.turn]",
        r"my_engine\.py:6: in best: `return \{\}\[board\.turn\]`: KeyError: True",
    ),
    "an exception below python-chess": (
        "        board.push_san('Ke5')\n",
        r"my_engine\.py:4: in choose_move: `board\.push_san\('Ke5'\)`: IllegalMoveError: .*",
    ),
    "no return": (
        "        random.choice(list(board.legal_moves))",
        r"my_engine\.py: choose_move: it returned None: is a `return` missing.*",
    ),
    "an illegal move": (
        "        return chess.Move.from_uci('e1e3')",
        r"my_engine\.py: choose_move: e1e3 is illegal: the king on e1 cannot go to e3",
    ),
    "the opponent's piece": ("        return 'e7e5'", r".*: e7e5 is illegal: the pawn on e7 is the opponent's"),
    "a list of moves": (
        "        return list(board.legal_moves)",
        r".*: it returned a list with 20 entries; return a chess\.Move",
    ),
    "a text that is not a move": (
        "        return 'pawn to e4'",
        r".*'pawn to e4', which is not a move such as \"e2e4\" or \"Nf3\"",
    ),
    "a push without a pop": (
        "        board.push_san('e4')\n        return next(iter(board.legal_moves))",
        r".*is illegal: the .* is the opponent's; 1 moves were pushed on the board without a pop",
    ),
    "endless recursion": (
        "        return self.choose_move(board, limit)",
        r"my_engine\.py:4: in choose_move: `return self\.choose_move\(board, limit\)`: RecursionError: .*",
    ),
    "an endless loop": (
        "        while True:\n            board.is_check()",
        r"my_engine\.py:[45]: in choose_move: `.*`: still running after .* s; limit\.time, or .*",
    ),
    "a sleep": (
        "        time.sleep(1000)",
        r"my_engine\.py:4: in choose_move: `time\.sleep\(1000\)`: still running after .*",
    ),
    "a question to the user": (
        "        return input('move? ')",
        r"my_engine\.py:4: .*EOFError: .*; an engine cannot ask its user.*",
    ),
    "exit": (
        "        exit()",
        r"my_engine\.py:4: in choose_move: `exit\(\)`: SystemExit: .*; return a move instead of calling exit.*",
    ),
    "a wrong score": (
        "        return next(iter(board.legal_moves)), 'good'",
        r"my_engine\.py: choose_move: the score 'good' is not a number of centipawns",
    ),
    "an empty choice": (
        "        return max([m for m in board.legal_moves if board.is_capture(m)])",
        r"my_engine\.py:4: in choose_move: `return max\(.*`: ValueError: max\(\).*empty.*",
    ),
}


HANGS = {"an endless loop", "a sleep"}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_file_without_a_usable_engine_is_refused(mistake: str, tmp_path: Path) -> None:
    source, message = REFUSED[mistake]
    assert re.fullmatch(message, line := refusal(write(tmp_path, source))), line


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("missing.py", r".*missing\.py: No such file or directory: name an existing Python file"),
        ("my_engine.py:MyEnjine", r'my_engine\.py: there is no class MyEnjine; did you mean "MyEngine"\?'),
        ("random.py", r"random\.py: rename the file: it hides the module 'random'"),
    ],
)
def test_a_wrong_file_or_class_is_named(file: str, message: str, tmp_path: Path) -> None:
    for name in ("my_engine.py", "random.py"):
        write(tmp_path, HEAD + "        return None", name)
    assert re.fullmatch(message, line := refusal(tmp_path / file)), line


@pytest.mark.parametrize("mistake", FAULTY)
def test_a_fault_in_a_game_costs_no_more_than_one_move(mistake: str, tmp_path: Path) -> None:
    source, message = FAULTY[mistake]
    with talking(write(tmp_path, HEAD + source)) as adapter:
        adapter.ask("uciok", "uci")
        for _ in range(2):  # the second time the same fault is not reported again
            move = adapter.move("go wtime 4000 btime 4000" if mistake in HANGS else "go movetime 60000")
            assert chess.Move.from_uci(move) in chess.Board().legal_moves
        assert adapter.ask("readyok", "isready")
    assert len(adapter.errors()) == 1, adapter.errors()
    assert re.fullmatch(message, adapter.errors()[0]), adapter.errors()[0]


def test_prints_do_not_reach_the_protocol(tmp_path: Path) -> None:
    with talking(write(tmp_path, HEAD + "        print('bestmove e2e5')\n        return 'e2e4'")) as adapter:
        assert adapter.move() == "e2e4"
    assert adapter.lines == ["bestmove e2e4"]
