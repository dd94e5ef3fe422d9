"""A Python engine as an entry of the configuration: leased, and its notes with the answer."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool.pool import EnginePool
from bot.engine_pool.values import Requirement
from bot.errors import ConfigurationError, EngineStartError
from bot.settings import EngineEntry, parse_settings
from tests.helpers.engines import best_move
from tests.helpers.python_engines import write

PATIENT = Limit(time=60.0)


def entry(path: Path | str, **more: object) -> EngineEntry:
    """The entry as a user writes it."""
    return EngineEntry.model_validate({"python": str(path), "spares": 0, **more})


def test_the_engine_plays_at_the_wanted_strength_and_reports_with_its_move(tmp_path: Path) -> None:
    source = """
    import chess.engine
    class MyEngine:
        options = {"First": "a2a3"}
        def choose_move(self, board, limit, strength=None):
            if board.turn == chess.BLACK:
                move = chess.Move.from_uci("e7e5")
                return chess.engine.PlayResult(move, None, {"score": 5}, draw_offered=True, resigned=True)
            return self.options["First"] if strength == 1200 else {}["nothing"]
    """
    after_e4 = chess.Board()
    after_e4.push_san("e4")
    with EnginePool([entry(write(tmp_path, source), options={"First": "h2h3"})], fallback=None) as pool:
        weak, strong = pool.lend(Requirement(elo=1200)), pool.lend()
        answer = best_move(weak, chess.Board(), PATIENT)
        assert (str(answer.move), answer.faults, answer.engine) == ("h2h3", (), "my_engine")
        answer = best_move(strong, chess.Board(), PATIENT)
        assert answer.move in list(chess.Board().legal_moves)
        assert answer.replaced == 0
        answer = best_move(strong, after_e4, PATIENT)
        assert (str(answer.move), answer.info.score) == ("e7e5", chess.engine.Cp(5))
        assert answer.notes == ("offers a draw", "resigns")


def test_a_fault_comes_with_the_answer_and_in_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = """
    class MyEngine:
        def choose_move(self, board, limit):
            return "e2e4" if not board.move_stack else undefined
    """
    board = chess.Board()
    board.push_san("e4")
    with EnginePool([entry(write(tmp_path, source))], fallback=None) as pool:
        engine = pool.lend()
        (fault,) = best_move(engine, board, PATIENT).faults
        assert fault.startswith(
            'my_engine.py:4: in choose_move: `return "e2e4" if not board.move_stack else undefined`'
        )
        assert best_move(engine, board, PATIENT).faults == ()


def test_an_engine_that_cannot_start_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(EngineStartError, match=r"my_engine: .*my_engine\.py:2: SyntaxError"):
        EnginePool([entry(write(tmp_path, "\nclass X\n"))], fallback=None).start()


def test_the_configuration_takes_a_file_and_a_class(tmp_path: Path) -> None:
    def read(text: str) -> EngineEntry:
        return parse_settings(f"engines: [{text}]", "ours.yml", folder=tmp_path, environ={}).engines[0]

    one = read("{python: engines/mine.py:Mine}")
    assert (one.name, one.variants) == ("mine", ("standard", "fromPosition"))
    assert one.argv[-1] == str(tmp_path / "engines/mine.py:Mine")
    assert "chess960" in read("{name: a, python: mine.py, variants: [standard, chess960]}").variants
    with pytest.raises(ConfigurationError, match="give either `command` or `python`, not both"):
        read("{python: mine.py, command: stockfish}")
    with pytest.raises(ConfigurationError, match="must be a path"):
        read("{python: 3}")
