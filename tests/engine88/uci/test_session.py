"""The commands that need the engine, without a process around them."""

import threading
from collections.abc import Iterator

import chess
import pytest

from engine88.contract import SearchProgress
from engine88.uci.session import Session
from engine88.uci.text import UciError
from tests.engine88.games import compiled_only
from tests.helpers.processes import wait_until


class Talk:
    """A session and all it wrote."""

    def __init__(self) -> None:
        """Start a session."""
        self.lines: list[str] = []
        self.session = Session(self.lines.append)

    def say(self, *commands: str) -> None:
        """Obey commands."""
        for command in commands:
            self.session.execute(command.split())

    def answer(self, *commands: str, until: str = "bestmove") -> str:
        """Obey commands and wait for a line that begins so."""
        self.lines.clear()
        self.say(*commands)
        assert wait_until(lambda: any(line.startswith(until) for line in self.lines))
        return next(line for line in self.lines if line.startswith(until))


@pytest.fixture(scope="module")
def shared() -> Iterator[Talk]:
    """One session for all tests: starting one takes a while."""
    talk = Talk()
    yield talk
    talk.session.close()


@pytest.fixture
def talk(shared: Talk) -> Talk:
    """The session with default options in the start position."""
    shared.say("stop", "setoption name UCI_Chess960 value false", "setoption name MultiPV value 1", "position startpos")
    shared.lines.clear()
    return shared


def fen_of(talk: Talk) -> str:
    """The FEN that ``d`` shows."""
    return talk.answer("d", until="Fen: ").removeprefix("Fen: ")


def test_a_position_is_played_through(talk: Talk) -> None:
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"):
        board.push_uci(move)
    talk.say("position startpos moves " + " ".join(move.uci() for move in board.move_stack))
    assert fen_of(talk) == board.fen(en_passant="legal")


def test_a_longer_move_list_continues_and_another_one_starts_afresh(talk: Talk) -> None:
    for moves in (["e2e4"], ["e2e4", "c7c5"], ["e2e4", "c7c5", "g1f3"], ["d2d4"], ["g1f3"], ["e2e4", "c7c5"], []):
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        talk.say("position startpos" + " moves " * bool(moves) + " ".join(moves))
        assert fen_of(talk) == board.fen(en_passant="legal")


def test_a_bad_move_leaves_the_position_as_it_was(talk: Talk) -> None:
    talk.say("position startpos moves e2e4")
    before = fen_of(talk)
    with pytest.raises(UciError, match="e7e4"):
        talk.say("position startpos moves e2e4 e7e4")
    assert fen_of(talk) == before


def test_repetitions_are_known_from_the_moves(talk: Talk) -> None:
    """White is a queen up and may not repeat for the third time: the engine sees the history."""
    shuffle = "g1h1 g8h8 h1g1 h8g8 " * 2
    answer = talk.answer(f"position fen 6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1 moves {shuffle}", "go depth 4")
    assert answer.split()[1] != "g1h1"


def test_perft_divides(talk: Talk) -> None:
    assert talk.answer("go perft 3", until="Nodes searched") == "Nodes searched: 8902"
    assert "e2e4: 600" in talk.lines
    assert len([line for line in talk.lines if ": " in line]) == 21
    assert talk.answer("go perft 0", until="Nodes searched") == "Nodes searched: 1"


def test_perft_of_chess960(talk: Talk) -> None:
    talk.say("setoption name UCI_Chess960 value true")
    talk.say("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")
    assert talk.answer("go perft 3", until="Nodes searched") == "Nodes searched: 12189"


def test_chess960_castling_is_king_takes_rook(talk: Talk) -> None:
    talk.say("setoption name UCI_Chess960 value true", "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1h1")
    assert fen_of(talk) == "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"
    talk.say("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert talk.answer("go depth 2 searchmoves e1a1").startswith("bestmove e1a1")


def test_a_new_chess960_setting_reads_the_position_again(talk: Talk) -> None:
    command = "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    talk.say(command)
    assert talk.answer("go depth 2 searchmoves e1g1").startswith("bestmove e1g1")
    talk.say("setoption name UCI_Chess960 value true", command)
    assert talk.answer("go depth 2 searchmoves e1g1").startswith("bestmove e1h1")


@compiled_only("it searches thousands of nodes")
def test_multipv_lines_are_numbered(talk: Talk) -> None:
    talk.say("setoption name MultiPV value 3")
    talk.answer("go depth 3")
    last = [line for line in talk.lines if line.startswith("info depth 3 ")]
    assert [line.split()[line.split().index("multipv") + 1] for line in last] == ["1", "2", "3"]


def test_mate_and_stalemate_have_no_best_move(talk: Talk) -> None:
    assert talk.answer("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "go depth 3") == "bestmove (none)"
    assert "info depth 0 score mate 0" in talk.lines
    assert talk.answer("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go movetime 10") == "bestmove (none)"
    assert "info depth 0 score cp 0" in talk.lines


def test_eval_is_seen_from_white(talk: Talk) -> None:
    queen_up = "3qk3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert float(talk.answer(f"position fen {queen_up}", "eval", until="Final").split()[2]) < -3.0
    assert float(talk.answer(f"position fen {queen_up.replace(' w ', ' b ')}", "eval", until="Final").split()[2]) < -3.0
    talk.say("position fen 4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")
    assert "in check" in talk.answer("eval", until="Final")


def test_eval_shows_the_terms_of_the_hand_written_evaluation(talk: Talk) -> None:
    talk.answer("setoption name EvalFile value none", "position startpos moves e2e4", "eval", until="Final")
    assert any(line.startswith("King danger") for line in talk.lines)
    assert any("hand-written" in line for line in talk.lines)


def test_eval_by_the_network_is_one_number(talk: Talk) -> None:
    talk.answer("setoption name EvalFile value default", "position startpos moves e2e4", "eval", until="Final")
    assert not any(line.startswith("King danger") for line in talk.lines)
    assert any(line.startswith("Final evaluation") for line in talk.lines)


@pytest.mark.parametrize("depth", ["0", "99999", "deep"])
def test_bench_refuses_a_depth_out_of_range(talk: Talk, depth: str) -> None:
    with pytest.raises(UciError, match="from 1 to 127"):
        talk.say(f"bench {depth}")


def test_bench_takes_every_depth_in_range_and_its_own(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    depths: list[int] = []
    monkeypatch.setattr("engine88.uci.session.run_bench", lambda _write, depth, _is_stopped: depths.append(depth))
    for command, depth in (("bench 1", 1), ("bench 127", 127), ("bench", 12)):
        talk.say(command)
        assert wait_until(lambda depth=depth: depths[-1:] == [depth])  # type: ignore[misc]  # a default of its own


def test_a_job_that_fails_is_told_and_the_engine_goes_on(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine88.uci.session.run_bench", lambda *_: int("no\nnumber"))
    told = talk.answer("bench", until="info string internal error")
    assert told.startswith("info string internal error: ValueError: invalid literal")
    assert talk.answer("go depth 1").startswith("bestmove ")
    assert "Traceback" in capsys.readouterr().err


def test_signs_of_life_are_written(talk: Talk) -> None:
    talk.session._show_progress(SearchProgress(8, "e2e4", 9, 3, 1, 3000))
    assert talk.lines == ["info depth 8 currmove e2e4", "info nodes 9 nps 3 hashfull 1 time 3000"]


def test_a_fen_that_makes_no_sense_is_named(talk: Talk) -> None:
    with pytest.raises(UciError, match=r"^position: "):
        talk.say("position fen nonsense w - - 0 1")


def test_only_the_option_of_the_evaluation_tells_what_evaluates(talk: Talk) -> None:
    talk.session._reported_evaluation = ""
    talk.say("setoption name Hash value 16")
    assert talk.lines == []
    talk.say("setoption name EvalFile value default")
    assert len(talk.lines) == 1
    assert talk.lines[0].startswith("info string evaluation: network")


def test_d_draws_the_board(talk: Talk) -> None:
    talk.say("d")
    assert any("r n b q k b n r" in line for line in talk.lines)
    assert any(line.startswith("Key: ") for line in talk.lines)


@compiled_only("it searches thousands of nodes")
def test_a_new_game_forgets(talk: Talk) -> None:
    talk.answer("go depth 1")  # the first search says by what it evaluates
    talk.answer("ucinewgame", "go depth 6")
    first = [line.split(" nps ")[0] for line in talk.lines]
    talk.answer("ucinewgame", "go depth 6")
    assert [line.split(" nps ")[0] for line in talk.lines] == first


def test_clear_hash_and_known_silent_commands(talk: Talk) -> None:
    talk.say("setoption name Clear Hash", "debug on", "register later", "isready")
    assert talk.lines == ["readyok"]


def test_an_unknown_command_is_named(talk: Talk) -> None:
    with pytest.raises(UciError, match="unknown command 'castle'"):
        talk.say("castle")


def test_a_hash_too_large_for_the_machine_is_refused(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(size_mb: int) -> None:
        raise MemoryError

    monkeypatch.setattr("engine88.engine.TranspositionTable", no_memory)
    with pytest.raises(UciError, match="no memory for 'Hash' = 60000"):
        talk.say("setoption name Hash value 60000")
    monkeypatch.undo()
    talk.answer("go depth 2")
    assert not any("internal error" in line for line in talk.lines)


def test_a_failing_search_still_answers(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()

    def broken(*_: object) -> None:
        failed.set()
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("engine88.control.running_search.RunningSearch._search", broken)
    answer = talk.answer("go depth 2")
    assert failed.is_set()
    assert chess.Move.from_uci(answer.split()[1]) in chess.Board().legal_moves
    assert any("broken on purpose" in line for line in talk.lines)
