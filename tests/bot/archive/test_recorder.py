"""Every game that began ends in the archive, once, with its true result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import chess
import chess.engine
import pytest

from bot.archive import recorder as game_recorder
from bot.archive.game_archive import GameArchive
from bot.archive.recorder import NOT_FOUND_ENDS, GameRecorder
from bot.archive.store import GameRecord, Store
from bot.engine_pool import Answer
from bot.errors import EngineError, LichessError, NetworkError, NotFound, StoreError
from bot.events import GameExport, GameInfo, Player
from bot.play.game import Game
from bot.play.observer import EndedGame
from tests.helpers.finished_games import FOOLS_MATE, games_in
from tests.helpers.finished_games import finished as full
from tests.helpers.processes import wait_until

GAME = "abcdefgh"
ME, ALICE = Player("me", "Me", "BOT"), Player("alice", "Alice")
INFO = GameInfo(GAME, "white", ALICE)


def export(status: str = "mate", winner: str = "black", sans: str = "f3 e5 g4 Qh4#") -> GameExport:
    """The export of the game."""
    return GameExport(GAME, status, winner, tuple(sans.split()), white=ME, black=ALICE, speed="blitz")


def ended(moves: str, status: str, winner: str = "") -> EndedGame:
    """A game that ended in this state."""
    return EndedGame(GAME, Game(full(moves, status, winner), "me", 0.0))


class RecorderHarness:
    """A recorder with a store in memory; `script` is answered by the export, its last entry for ever."""

    def __init__(self, folder: Path) -> None:
        self.store = Store()
        self.folder = folder
        self.script: list[GameExport | LichessError] = [export("started", "")]
        self.asked = 0
        self.played: set[str] = set()
        self.recorder = GameRecorder(
            GameArchive(self.store, "me", "https://lichess.test", folder),
            self.store,
            self.export_game,
            lambda game_id: game_id in self.played,
        )

    def export_game(self, _game_id: str) -> GameExport:
        """Answer by the script."""
        self.asked += 1
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, LichessError):
            raise answer
        return answer

    def kept(self) -> list[tuple[str, str]]:
        """Status and result of every row."""
        return [(game.status, game.result) for game in self.store.games_since(0.0)]

    def pgn(self) -> str:
        """All PGN, once the store knows of none that is missing in the files."""
        assert wait_until(lambda: self.store.flush(1.0) and not self.store.games_without_pgn())
        return "".join(file.read_text(encoding="utf-8") for file in self.folder.iterdir())


@pytest.fixture
def harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecorderHarness]:
    """Not started; closed at the end."""
    for name in ("FIRST_LOOK_UP_S", "START_LOOK_UP_S", "BETWEEN_LOOK_UPS_S"):
        monkeypatch.setattr(game_recorder, name, 0.01)
    monkeypatch.setattr(game_recorder, "PAUSES_S", (0.01, 0.02))
    one = RecorderHarness(tmp_path / "pgn")
    yield one
    one.recorder.close()


def test_a_game_whose_end_was_seen_is_kept_without_a_question(harness: RecorderHarness) -> None:
    harness.recorder.started(INFO)
    harness.recorder.ended(ended(FOOLS_MATE, "mate", "black"))
    harness.recorder.start()
    harness.recorder.close()
    assert harness.kept() == [("mate", "0-1")]
    assert harness.store.unfinished_games() == []
    assert harness.asked == 0


def test_a_game_whose_last_line_never_came_is_kept_with_its_true_result(harness: RecorderHarness) -> None:
    harness.script = [export("started", ""), NetworkError("timed out"), export()]
    harness.recorder.start()
    harness.recorder.started(INFO)
    harness.recorder.ended(ended("f2f3 e7e5", "started"))
    assert wait_until(lambda: harness.kept() == [("mate", "0-1")])
    assert wait_until(lambda: harness.store.unfinished_games() == [])
    assert '[Result "0-1"]' in harness.pgn()
    assert "Qh4#" in harness.pgn()


def test_a_game_that_ended_while_the_bot_was_down_is_kept_at_the_next_start(harness: RecorderHarness) -> None:
    harness.store.note_begun(GAME)
    harness.script = [export("resign", "white", "e4 e5 Nf3")]
    harness.recorder.start()
    assert wait_until(lambda: harness.kept() == [("resign", "1-0")])


def test_a_row_that_stayed_started_is_completed(harness: RecorderHarness) -> None:
    harness.store.record_game(
        GameRecord(GAME, "alice", False, "white", "standard", "blitz", False, "started", "*", 2, 1.0)
    )
    harness.script = [export()]
    harness.recorder.start()
    assert wait_until(lambda: harness.kept() == [("mate", "0-1")])


def test_a_game_told_twice_is_kept_once(harness: RecorderHarness) -> None:
    harness.script = [export()]
    harness.recorder.start()
    for _ in range(3):
        harness.recorder.ended(ended(FOOLS_MATE, "mate", "black"))
        harness.recorder.ended(EndedGame(GAME))
    harness.recorder.close()
    assert harness.kept() == [("mate", "0-1")]
    assert harness.pgn().count("[Event ") == 1


@pytest.mark.parametrize(("moves", "kept"), [("", []), ("e2e4", []), ("e2e4 e7e5", [("aborted", "*")])])
def test_an_aborted_empty_game_does_not_belong_in_the_archive(
    harness: RecorderHarness, moves: str, kept: list[tuple[str, str]]
) -> None:
    harness.recorder.started(INFO)
    harness.recorder.ended(ended(moves, "aborted"))
    harness.recorder.start()
    harness.recorder.close()
    assert harness.kept() == kept
    assert harness.store.unfinished_games() == []


def test_a_late_finish_of_a_settled_game_raises_no_question(harness: RecorderHarness) -> None:
    harness.recorder.ended(ended("", "aborted"))
    harness.recorder.ended(EndedGame(GAME))
    harness.recorder.start()
    assert wait_until(lambda: harness.recorder._tasks.empty())
    harness.recorder.close()
    assert harness.asked == 0
    assert not harness.recorder._look_ups


def test_a_game_that_is_played_again_is_not_asked_about(harness: RecorderHarness) -> None:
    harness.store.note_begun(GAME)
    harness.played.add(GAME)
    harness.recorder.start()
    assert wait_until(lambda: not harness.recorder._look_ups and harness.recorder._tasks.empty())
    assert harness.asked == 0
    assert harness.store.unfinished_games() == [GAME]


def test_a_game_unknown_to_the_server_is_given_up_after_several_questions(harness: RecorderHarness) -> None:
    harness.store.note_begun(GAME)
    harness.script = [NotFound(404)]
    harness.recorder.start()
    assert wait_until(lambda: harness.store.unfinished_games() == [])
    assert harness.asked == NOT_FOUND_ENDS
    assert harness.kept() == []


def test_a_store_that_fails_for_a_moment_loses_no_game(
    harness: RecorderHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [StoreError("database is locked")] * 2
    has_finished_game = harness.store.has_finished_game

    def fail_first(game_id: str) -> bool:
        if failures:
            raise failures.pop()
        return has_finished_game(game_id)

    monkeypatch.setattr(harness.store, "has_finished_game", fail_first)
    harness.recorder._store_backoff._first_s = 0.01
    harness.recorder.ended(ended(FOOLS_MATE, "mate", "black"))
    harness.recorder.start()
    assert wait_until(lambda: harness.kept() == [("mate", "0-1")])


def answer(uci: str, score: str, source: str = "") -> Answer:
    """What the engine, or a source, said of our move."""
    return Answer(chess.Move.from_uci(uci), info_line=f"info depth 12 score {score}", engine="engine88", source=source)


def test_the_pgn_tells_score_depth_source_and_clock_of_each_move(harness: RecorderHarness) -> None:
    note = harness.recorder.answered
    note(GAME, 0, Answer(chess.Move.from_uci("f2f3"), source="book"))
    note(GAME, 2, Answer(None, error=EngineError("no engine")))
    note(GAME, 2, answer("g2g4", "mate -1"))
    harness.recorder.ended(ended(FOOLS_MATE, "mate", "black"))
    note(GAME, 4, answer("a2a3", "cp 5"))  # late: the game is kept
    harness.recorder.start()
    harness.recorder.close()
    (game,) = games_in(harness.pgn())
    first, second, third, fourth = game.mainline()
    assert first.comment == "book"
    assert (third.eval_depth(), third.eval()) == (12, chess.engine.PovScore(chess.engine.Mate(-1), chess.WHITE))
    assert third.comment.startswith("engine88 [%eval #-1,12]")
    assert [node.clock() for node in (first, second, third, fourth)] == [None, None, 0.001, 0.001]
    assert game.headers["Annotator"] == "engine88"
    assert game.headers["ECO"] == "A00"
    assert game.headers["Opening"] == "Barnes Opening: Fool's Mate"
    assert harness.store.search_notes(GAME) == []


def test_what_was_known_before_a_restart_is_in_the_pgn_too(harness: RecorderHarness) -> None:
    """The clocks come from the server's export then."""
    harness.recorder.answered(GAME, 0, answer("f2f3", "cp -70"))
    harness.script = [replace(export(), clocks_ms=(180_000, 179_000, 178_000, 177_000))]
    harness.recorder.ended(EndedGame(GAME))
    harness.recorder.start()
    assert wait_until(lambda: harness.kept() == [("mate", "0-1")])
    (game,) = games_in(harness.pgn())
    assert [node.clock() for node in game.mainline()] == [180.0, 179.0, 178.0, 177.0]
    first = game.next()
    assert first is not None
    assert first.eval() == chess.engine.PovScore(chess.engine.Cp(-70), chess.WHITE)


def test_an_aborted_game_leaves_no_notes(harness: RecorderHarness) -> None:
    harness.recorder.answered(GAME, 0, answer("f2f3", "cp 0"))
    harness.recorder.ended(ended("f2f3", "aborted"))
    harness.recorder.start()
    harness.recorder.close()
    assert harness.store.search_notes(GAME) == []
