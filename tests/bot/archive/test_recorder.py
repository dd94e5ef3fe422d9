"""Every game that began ends in the archive, once, with its true result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import chess.engine
import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot.archive import look_up as look_up_module
from bot.archive import recorder as module
from bot.archive.look_up import GameLookUp
from bot.archive.pgn_file import PgnFolder
from bot.archive.recorder import FIRST_LOOK_UP_S, START_LOOK_UP_S, GameRecorder
from bot.archive.store import Store, search_notes
from bot.engine_pool.values import Answer
from bot.errors import EngineError, LichessError, NetworkError, NotFound
from bot.events.account import GameInfo
from bot.events.game import GameExport, Outcome, Player
from bot.play.game import Game
from bot.play.observer import EndedGame
from tests.helpers.finished_games import FOOLS_MATE, games_in, is_written, pgns_written
from tests.helpers.finished_games import finished as full
from tests.helpers.processes import wait_until

GAME = "abcdefgh"
ME, ALICE = Player("me", "Me", "BOT", 2000), Player("alice", "Alice")
INFO = GameInfo(GAME, ALICE)
LAST_MOVE_MS = 1_700_000_300_000


def export(status: str = "mate", winner: str = "black", sans: str = "f3 e5 g4 Qh4#") -> GameExport:
    """The export of the game."""
    moves = tuple(sans.split())
    return GameExport(
        GAME, status, winner, moves, white=ME, black=ALICE, speed="blitz", created_at_ms=1_700_000_000_000,
        last_move_at_ms=LAST_MOVE_MS,
    )  # fmt: skip


def game(moves: str = FOOLS_MATE, status: str = "mate", winner: str = "black") -> Game:
    """A game that has ended."""
    return Game(full(moves, status, winner), "me", 0.0)


class Harness:
    """A recorder over a store in memory; `script` is answered by the export, its last entry for good."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(None, PgnFolder(folder))
        self.script: list[GameExport | LichessError] = [export("started", "")]
        self.asked = 0
        self.played: set[str] = set()
        self.look_up = GameLookUp(self.export_game, between_s=0.0)
        self.recorder = GameRecorder(self.store, self.look_up, "me", "https://lichess.test", self.played.__contains__)

    def export_game(self, _game_id: str) -> GameExport:
        """Answer by the script."""
        self.asked += 1
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, LichessError):
            raise answer
        return answer

    def kept(self) -> list[tuple[str, Outcome | None]]:
        """Status and outcome of every game."""
        is_written(self.store, 30.0)
        return [(one.status, one.outcome) for one in self.store.games()]

    def pgn(self) -> str:
        """All PGN, once it is written."""
        assert wait_until(lambda: pgns_written(self.store))
        return "".join(file.read_text(encoding="utf-8") for file in self.folder.iterdir())


@pytest.fixture
def harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Harness]:
    monkeypatch.setattr(module, "FIRST_LOOK_UP_S", 0.01)
    monkeypatch.setattr(module, "START_LOOK_UP_S", 0.01)
    monkeypatch.setattr(look_up_module, "PAUSES_S", (0.01, 0.02))
    one = Harness(tmp_path / "pgn")
    one.look_up.start()
    yield one
    one.look_up.close()
    one.store.close()


def test_a_game_whose_end_was_seen_is_recorded_without_a_question(harness: Harness) -> None:
    harness.recorder.started(INFO)
    for _ in range(2):
        harness.recorder.ended(EndedGame(GAME, game()))
        harness.recorder.ended(EndedGame(GAME))
    assert harness.kept() == [("mate", Outcome.LOSS)]
    assert harness.store.unfinished_games() == []
    assert harness.pgn().count("[Event ") == 1
    assert harness.asked == 0
    (kept,) = harness.store.games()
    assert (kept.color, kept.opponent, kept.my_rating, kept.opponent_rating) == ("white", "AI level 3", 2000, None)
    assert (kept.eco, kept.opening, kept.plies) == ("A00", "Barnes Opening: Fool's Mate", 4)
    assert kept.begun_s == 1_700_000_000.0


def test_a_game_whose_last_line_never_came_is_recorded_with_result_and_date_of_the_server(harness: Harness) -> None:
    harness.script = [export("started", ""), NetworkError("timed out"), export()]
    harness.recorder.started(INFO)
    harness.recorder.ended(EndedGame(GAME))
    assert wait_until(lambda: harness.kept() == [("mate", Outcome.LOSS)])
    assert harness.store.unfinished_games() == []
    assert "Qh4#" in harness.pgn()
    assert harness.store.games()[0].ended_s == LAST_MOVE_MS / 1000


def test_a_game_that_ended_while_the_bot_was_down_is_recorded_after_the_start(harness: Harness) -> None:
    harness.store.note_begun(GAME)
    harness.script = [export("resign", "white", "e4 e5 Nf3")]
    harness.recorder.start()
    assert wait_until(lambda: harness.kept() == [("resign", Outcome.WIN)])


@pytest.mark.parametrize(("moves", "kept"), [("", []), ("e2e4", []), ("e2e4 e7e5", [("aborted", None)])])
def test_a_game_aborted_before_each_side_moved_is_not_recorded(
    harness: Harness, moves: str, kept: list[tuple[str, Outcome | None]]
) -> None:
    harness.recorder.started(INFO)
    harness.recorder.answered(GAME, 0, answer("e2e4", "cp 0"))
    harness.recorder.ended(EndedGame(GAME, game(moves, "aborted", "")))
    harness.recorder.ended(EndedGame(GAME))  # a late gameFinish
    assert harness.kept() == kept
    assert harness.store.unfinished_games() == []
    assert harness.store.read(lambda connection: search_notes(connection, GAME)) == []
    assert harness.asked == 0


def test_a_game_that_is_played_again_is_not_asked_about(harness: Harness) -> None:
    harness.store.note_begun(GAME)
    harness.played.add(GAME)
    harness.recorder.start()
    assert wait_until(lambda: not harness.look_up._questions)
    assert harness.asked == 0
    assert harness.store.unfinished_games() == [GAME]


@pytest.mark.parametrize("answer_of_server", [NotFound(404), export(sans="e4 e4")])
def test_a_game_without_a_result_is_forgotten(harness: Harness, answer_of_server: GameExport | LichessError) -> None:
    harness.store.note_begun(GAME)
    harness.script = [answer_of_server]
    with capture_logs() as logged:
        harness.recorder.start()
        assert wait_until(lambda: harness.store.unfinished_games() == [])
    assert next(line["event"] for line in logged if line["log_level"] == "warning") in (
        "game_unknown_to_server", "game_without_result",
    )  # fmt: skip
    assert harness.kept() == []


def test_the_pauses_before_the_first_request_leave_time_for_the_last_line_and_for_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, float] = {}
    harness = Harness(tmp_path)
    monkeypatch.setattr(
        harness.look_up, "ask", lambda game_id, _answer, after_s, **_more: asked.update({game_id: after_s})
    )
    harness.store.note_begun("resumed1")
    harness.recorder.start()
    harness.recorder.ended(EndedGame(GAME))
    is_written(harness.store, 30.0)
    assert asked == {"resumed1": START_LOOK_UP_S, GAME: FIRST_LOOK_UP_S}
    assert (START_LOOK_UP_S, FIRST_LOOK_UP_S) == (10.0, 2.0)
    harness.store.close()


def test_a_game_that_cannot_be_written_as_pgn_still_has_its_row(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, logs: list[EventDict]
) -> None:
    def fail(*_words: object) -> str:
        raise AssertionError("python-chess")

    monkeypatch.setattr(module, "pgn_of", fail)
    harness.recorder.ended(EndedGame(GAME, game()))
    assert harness.kept() == [("mate", Outcome.LOSS)]
    assert [(line["event"], line["game_id"]) for line in logs] == [("pgn_not_made", GAME)]
    assert pgns_written(harness.store)


def answer(uci: str, score: str, source: str = "") -> Answer:
    """What the engine, or a source, answered for our move."""
    return Answer(chess.Move.from_uci(uci), info_line=f"info depth 12 score {score}", engine="engine88", source=source)


def test_the_pgn_has_score_depth_source_and_clock_of_each_move(harness: Harness) -> None:
    harness.recorder.answered(GAME, 0, Answer(chess.Move.from_uci("f2f3"), source="book"))
    harness.recorder.answered(GAME, 2, Answer(None, error=EngineError("no engine")))
    harness.recorder.answered(GAME, 2, answer("a2a3", "cp 5"))  # taken back
    harness.recorder.answered(GAME, 2, answer("g2g4", "mate -1"))
    harness.recorder.ended(EndedGame(GAME, game()))
    harness.recorder.answered(GAME, 4, answer("a2a3", "cp 5"))  # late: the game is recorded
    (found,) = games_in(harness.pgn())
    first, second, third, fourth = found.mainline()
    assert first.comment == "book"
    assert (third.eval_depth(), third.eval()) == (12, chess.engine.PovScore(chess.engine.Mate(-1), chess.WHITE))
    assert third.comment.startswith("engine88 [%eval #-1,12]")
    assert [node.clock() for node in (first, second, third, fourth)] == [None, None, 0.001, 0.001]
    assert (found.headers["Annotator"], found.headers["ECO"]) == ("engine88", "A00")
    assert harness.store.read(lambda connection: search_notes(connection, GAME)) == []


def test_what_was_known_before_a_restart_is_in_the_pgn_with_the_clocks_of_the_export(harness: Harness) -> None:
    harness.recorder.answered(GAME, 0, answer("f2f3", "cp -70"))
    harness.script = [replace(export(), clocks_ms=(180_000, 179_000, 178_000, 177_000))]
    harness.recorder.ended(EndedGame(GAME))
    assert wait_until(lambda: harness.kept() == [("mate", Outcome.LOSS)])
    (found,) = games_in(harness.pgn())
    assert [node.clock() for node in found.mainline()] == [180.0, 179.0, 178.0, 177.0]
    first = found.next()
    assert first is not None
    assert first.eval() == chess.engine.PovScore(chess.engine.Cp(-70), chess.WHITE)
