"""The log of one game: what an operator reads while it is played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import chess
import pytest
from structlog.testing import capture_logs

from bot.engine_pool.values import Answer
from bot.errors import EngineError
from bot.events.game import UNLIMITED_MS
from bot.play.game_log import GameLog, clock_text, numbered_san
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import ME, OTHER, full, game, state
from tests.helpers.processes import wait_until

Lines = list[Any]


@pytest.fixture
def lines() -> Iterator[Lines]:
    with capture_logs() as captured:
        yield captured


def moves_of(lines: Lines) -> Lines:
    return [line for line in lines if line["event"] == "move"]


def answer(uci: str, info_line: str = "info depth 14 score cp 34 nodes 5 pv g1f3", engine: str = "test") -> Answer:
    return Answer(chess.Move.from_uci(uci), info_line=info_line, engine=engine, elapsed_ms=1234.0)


def test_a_game_from_its_address_to_its_end(lines: Lines) -> None:
    harness = GameHarness()
    harness.receive(full())
    harness.search.answer("e2e4", score_cp=31)
    assert wait_until(lambda: harness.server.count("move") == 1)
    harness.receive(state("e2e4"))
    harness.receive(state("e2e4 e7e5", wtime_ms=59_000))
    harness.receive(state("e2e4 e7e5", wtime_ms=59_000, status="resign", winner="white"))
    assert harness.loop.join(30)
    told = [line for line in lines if line["log_level"] == "info" and line["event"] != "action_done"]
    assert told == [
        {"event": "game_opened", "game_id": "abcdefgh", "log_level": "info", "color": "white", "plies": 0,
         "url": "https://lichess.org/abcdefgh"},
        {"event": "move", "game_id": "abcdefgh", "log_level": "info", "san": "1.e4", "score": "+0.31", "depth": 1,
         "time_s": 0.0, "clock": "1:00"},
        {"event": "game_over", "game_id": "abcdefgh", "log_level": "info", "status": "resign", "result": "won",
         "plies": 2},
    ]  # fmt: skip


def test_the_line_of_a_move_tells_what_it_cost_the_clock(lines: Lines) -> None:
    harness = GameHarness()
    harness.receive(full(state("e2e4 e7e5")))
    harness.search.answer("g1f3")
    assert wait_until(lambda: harness.server.count("move") == 1)
    harness.receive(state("e2e4 e7e5 g1f3"))
    harness.receive(state("e2e4 e7e5 g1f3 b8c6"))  # seen to begin: from now on the cost is measured
    harness.search.answer("f1b5")
    assert wait_until(lambda: harness.server.count("move") == 2)
    harness.receive(state("e2e4 e7e5 g1f3 b8c6 f1b5", wtime_ms=50_000))
    first, second = moves_of(lines)
    assert (first["san"], second["san"]) == ("2.Nf3", "3.Bb5")
    assert "lag_ms" not in first
    assert isinstance(second["lag_ms"], int)


def test_a_mating_move_has_its_line_though_the_game_is_over_with_it(lines: Lines) -> None:
    harness = GameHarness()
    harness.receive(full(state("f2f3 e7e5 g2g4"), white=OTHER, black=ME))
    harness.search.answer("d8h4")
    harness.receive(state("f2f3 e7e5 g2g4 d8h4", status="mate", winner="black", btime_ms=8_460))
    assert harness.loop.join(30)
    (line,) = moves_of(lines)
    assert (line["san"], line["clock"]) == ("2...Qh4#", "0:08.4")


@pytest.mark.parametrize(
    ("before", "uci", "shown"),
    [
        ("", "e2e4", [""]),  # the server never shows it
        *[("", "e2e4", [other, "e2e4"]) for other in ("d2d4", "g1f3", "d2d4 e7e5")],  # another was played in its place
        ("e2e4 e7e5", "g1f3", ["e2e4", "e2e4 c7c5", "e2e4 c7c5 g1f3"]),  # taken back, and played later
    ],
)
def test_a_move_that_was_not_played_has_no_line(before: str, uci: str, shown: list[str], lines: Lines) -> None:
    log = GameLog("abcdefgh", "https://lichess.org")
    log.move_sent(game(state(before)), uci, answer(uci))
    for moves in shown:
        log.state_came(game(state(moves)), None)
    log.over(game(state(shown[-1], status="aborted")) if shown == [""] else game(state("d2d4", status="aborted")))
    assert [line["event"] for line in lines] == ["game_over"]


def test_a_move_is_written_once(lines: Lines) -> None:
    log = GameLog("abcdefgh", "https://lichess.org")
    log.move_sent(game(), "e2e4", answer("e2e4"))
    for played in ("", "", "e2e4 e7e5", "e2e4 e7e5"):  # as it was until the server shows it, then again and again
        log.state_came(game(state(played)), 31.4)
    (line,) = moves_of(lines)
    assert (line["score"], line["depth"], line["time_s"], line["lag_ms"]) == ("+0.34", 14, 1.2, 31)


@pytest.mark.parametrize(
    ("given", "source"),
    [
        (answer("e2e4", "", "engine88"), "engine88"),
        (Answer(chess.Move.from_uci("e2e4"), source="syzygy", wdl=2), "syzygy"),
        (Answer(None, error=EngineError("gone")), "any legal move: no engine answers"),
    ],
)
def test_a_move_that_no_engine_judged_tells_where_it_is_from(given: Answer, source: str, lines: Lines) -> None:
    log = GameLog("abcdefgh", "https://lichess.org")
    log.move_sent(game(), "e2e4", given)
    log.state_came(game(state("e2e4")), None)
    (line,) = moves_of(lines)
    assert line["source"] == source
    assert not {"score", "depth", "time_s"} & set(line)


def test_a_game_without_clock_shows_none(lines: Lines) -> None:
    log = GameLog("abcdefgh", "https://lichess.org")
    log.move_sent(game(), "e2e4", answer("e2e4"))
    log.state_came(game(state("e2e4", wtime_ms=UNLIMITED_MS)), None)
    assert "clock" not in moves_of(lines)[0]


@pytest.mark.parametrize(
    ("clock_ms", "text"),
    [(-5, "0:00.0"), (0, "0:00.0"), (49, "0:00.0"), (8_460, "0:08.4"), (9_999, "0:09.9"), (10_000, "0:10"),
     (151_300, "2:31"), (3_751_000, "1:02:31")],
)  # fmt: skip
def test_clocks_as_people_read_them(clock_ms: int, text: str) -> None:
    assert clock_text(clock_ms) == text


def test_castling_in_chess960_is_written_as_castling() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K1R1 w G - 0 40", chess960=True)
    assert numbered_san(board, "e1g1") == "40.O-O"


def test_a_game_of_days_has_no_clock_in_its_lines(lines: Lines) -> None:
    harness = GameHarness()
    harness.receive(full(initial_ms=None, increment_ms=None, speed="correspondence"))
    harness.search.answer("e2e4")
    harness.receive(state("e2e4", wtime_ms=604_800_000))
    assert wait_until(lambda: len(moves_of(lines)) == 1)
    assert "clock" not in moves_of(lines)[0]


def test_the_answer_to_an_offer_is_told(lines: Lines) -> None:
    harness = GameHarness()
    harness.receive(full(state("e2e4 e7e5")))
    harness.receive(state("e2e4 e7e5", bdraw=True))
    assert wait_until(lambda: any(line["event"] == "action_done" for line in lines))
    told = [line for line in lines if line["event"] == "action_done"]
    assert [(line["action"], line["answer"]) for line in told] == [("draw-answer", "declined")]
