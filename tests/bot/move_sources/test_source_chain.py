"""Sources from settings, asked in order, in bounded time, whatever they do."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from chess.engine import Limit
from structlog.typing import EventDict

from bot.errors import ConfigurationError, NetworkError
from bot.events.game import GameFull, Player
from bot.move_sources import MoveSources, check_sources, source_chain
from bot.move_sources.book import BookSource
from bot.move_sources.request import NO_MOVE, Choice, MoveRequest, MoveSource, close_files
from bot.move_sources.source_chain import build_sources
from bot.play.game import Game
from bot.settings import SourceSettings
from tests.bot.move_sources.test_book import write_book
from tests.helpers.ending import closed_at_end
from tests.helpers.games import ME, OTHER, full
from tests.helpers.scarce_threads import refuse_threads
from tests.helpers.shared import shared_data


def facts(**fields: Any) -> GameFull:
    """What a game says about itself."""
    return dataclasses.replace(full(speed="blitz"), **fields)


def played(of_game: GameFull | None = None) -> Game:
    """A game of ours."""
    return Game(of_game or facts(), ME.id, 100.0)


def silent(url: str, params: dict[str, str], *, timeout_s: float) -> Any:
    """A service that knows nothing."""
    return {"moves": []}


def settings(**sections: object) -> SourceSettings:
    """Settings from plain values."""
    return SourceSettings.model_validate(sections)


def test_order_and_presence() -> None:
    chosen = settings(
        order=["explorer", "syzygy", "gaviota"],
        syzygy={"paths": [shared_data("syzygy3-4")]},
        gaviota={"paths": [shared_data("gaviota3")]},
        online={"explorer": {"enabled": True}, "cloud": {"enabled": True}},
    )
    assert [source.name for source in build_sources(chosen, silent)] == ["explorer", "syzygy", "gaviota"]
    assert [source.name for source in build_sources(chosen, None)] == ["syzygy", "gaviota"]
    assert build_sources(settings(), silent) == ()


def test_a_game_asks_the_book_and_then_nobody(tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", {"e2e4": 1})
    sources = MoveSources(settings(books=[{"path": path, "max_ply": 1}]))
    game = played()
    ask = sources.source_for(game, Limit(white_clock=60, black_clock=60))
    assert ask is not None
    assert ask(game.board) == Choice(chess.Move.from_uci("e2e4"), "book book.bin")
    game.board.push_uci("e2e4")
    assert sources.source_for(game, Limit(white_clock=60, black_clock=60)) is None


def test_a_book_has_its_opponents(tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", {"e2e4": 1})
    sources = closed_at_end(MoveSources(settings(books=[{"path": path, "opponents": "human"}])))
    limit = Limit(white_clock=60, black_clock=60)
    assert sources.source_for(played(), limit) is not None
    assert sources.source_for(played(facts(game_id="robots00", black=ME)), limit) is None


def test_a_request_tells_who_plays() -> None:
    request = MoveSources(settings()).request_for(played(), Limit(time=1))
    assert (request.me, request.facts.user, request.facts.color) == (ME.id, OTHER.id, "white")
    black = played(facts(white=OTHER, black=ME))
    request = MoveSources(settings()).request_for(black, Limit(time=1))
    assert (request.me, request.facts.user, request.facts.color) == (ME.id, OTHER.id, "black")


@pytest.mark.parametrize(
    ("initial_ms", "increment_ms", "clock"),
    [(180_000, 2000, (180.0, 2.0)), (60_000, None, (60.0, 0.0)), (None, None, (None, None))],
)
def test_rules_are_held_against_limit_and_increment(
    initial_ms: int | None, increment_ms: int | None, clock: tuple[float | None, float | None]
) -> None:
    found = played(facts(initial_ms=initial_ms, increment_ms=increment_ms)).facts
    assert (found.limit_s, found.increment_s) == clock


def test_a_book_for_a_rating_and_an_exact_clock(tmp_path: Path) -> None:
    path = write_book(tmp_path / "book.bin", {"e2e4": 1})
    entry = {"path": path, "speeds": "1+0", "min_rating": 1000, "mode": "casual", "tournament": False}
    sources, limit = MoveSources(settings(books=[entry])), Limit(time=1)
    strong = Player("x", "X", rating=1500)
    assert sources.source_for(played(facts(black=strong)), limit) is not None
    for other in ({"initial_ms": 120_000}, {"rated": True}, {"tournament_id": "abcdefgh"}):
        assert sources.source_for(played(facts(black=strong, **other)), limit) is None
    assert sources.source_for(played(facts(black=Player("y", "Y"))), limit) is None
    sources.close()


def test_our_clock_is_the_one_that_counts() -> None:
    request = MoveSources(settings()).request_for(played(), Limit(white_clock=1.5, black_clock=99))
    assert (request.remaining_ms, request.move_time_ms) == (1500, None)
    request = MoveSources(settings()).request_for(played(), Limit(time=60.0))
    assert (request.remaining_ms, request.move_time_ms) == (None, 60_000)


def test_misses_are_counted_game_by_game() -> None:
    sources = MoveSources(settings(online={"explorer": {"enabled": True}, "max_misses": 1}), silent)
    limit = Limit(white_clock=600, black_clock=600)
    one, other = played(), played(facts(game_id="other123"))
    ask = sources.source_for(one, limit)
    assert ask is not None
    assert ask(one.board) is None
    assert sources.source_for(one, limit) is None
    assert sources.source_for(other, limit) is not None


def test_the_games_played_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_chain, "GAMES_REMEMBERED", 2)
    sources = MoveSources(settings())
    for game_id in ("first000", "second00", "first000", "third000"):
        sources._misses_of(game_id)["explorer"] += 1
    kept = {game_id: sources._misses_of(game_id) for game_id in ("third000", "first000", "second00")}
    assert kept == {"third000": {"explorer": 1}, "first000": {"explorer": 2}, "second00": {}}


def test_every_source_is_closed_also_when_another_one_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(BookSource, "close", lambda book: closed.append(book.name))
    books = [{"path": write_book(tmp_path / name, {"e2e4": 1})} for name in ("one.bin", "two.bin")]
    MoveSources(settings(books=books)).close()
    assert closed == ["book one.bin", "book two.bin"]
    assert check_sources(settings(books=books)) == ""
    assert check_sources(settings(books=[*books, {"path": tmp_path / "gone.bin"}])) != ""
    assert closed == ["book one.bin", "book two.bin"] * 3


def test_problems_with_files_are_told(tmp_path: Path) -> None:
    broken = settings(books=[{"path": tmp_path / "gone.bin"}])
    assert "gone.bin cannot be read" in check_sources(broken)
    assert check_sources(settings()) == ""
    with pytest.raises(ConfigurationError):
        MoveSources(broken)


E4, D4 = chess.Move.from_uci("e2e4"), chess.Move.from_uci("d2d4")


class Scripted:
    """A source that answers, fails or hangs as configured."""

    def __init__(
        self,
        name: str,
        move: chess.Move | None = None,
        *,
        online: bool = False,
        limit_s: float = 30.0,
        fails: Exception | None = None,
        wdl: int | None = None,
    ) -> None:
        self.name, self.move, self.online, self.limit_s, self.fails = name, move, online, limit_s, fails
        self.wdl = wdl
        self.hangs: threading.Event | None = None
        self.timeouts: list[float] = []

    def close(self) -> None:
        """Nothing is open."""

    def applies(self, request: MoveRequest) -> bool:
        return True

    def choose(self, request: MoveRequest, timeout_s: float, /) -> Choice | None:
        self.timeouts.append(timeout_s)
        if self.hangs is not None:
            self.hangs.wait(60)
        if self.fails is not None:
            raise self.fails
        return None if self.move is None else Choice(self.move, self.name, self.wdl)


def choose_from(sources: Sequence[MoveSource], request: MoveRequest | None = None, **online: float) -> Choice | None:
    """Ask these sources, under these limits for online ones."""
    chain = MoveSources(SourceSettings.model_validate({"online": online}))
    chain.sources = tuple(sources)
    return chain.choose(request or MoveRequest(chess.Board(), remaining_ms=60_000))


def test_the_first_that_knows_is_taken() -> None:
    last = Scripted("last", E4)
    assert choose_from([Scripted("empty"), Scripted("second", D4), last]) == Choice(D4, "second")
    assert last.timeouts == []


def test_a_result_without_a_move_is_kept_until_somebody_has_one() -> None:
    knows = Scripted("tables", NO_MOVE, wdl=0)
    assert choose_from([knows, Scripted("empty")]) == Choice(NO_MOVE, "tables", 0)
    assert choose_from([knows, Scripted("book", D4)]) == Choice(D4, "book", 0)
    assert choose_from([knows, Scripted("other tables", D4, wdl=2)]) == Choice(D4, "other tables", 0)


def test_nobody_knows() -> None:
    assert choose_from([Scripted("empty"), Scripted("empty too", online=True)]) is None


@pytest.mark.parametrize("error", [NetworkError("cut"), RuntimeError("bug"), KeyError("shape")])
def test_a_failing_source_is_skipped_and_logged(error: Exception, logs: list[EventDict]) -> None:
    assert choose_from([Scripted("bad", fails=error), Scripted("good", E4)]) == Choice(E4, "good")
    assert [line["source"] for line in logs if line["event"].startswith("move_source_")] == ["bad"]


def test_a_source_is_skipped_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refuse_threads(monkeypatch, times=1) == []
    assert choose_from([Scripted("unlucky", D4), Scripted("good", E4)]) == Choice(E4, "good")


def test_an_illegal_move_is_no_move() -> None:
    assert choose_from([Scripted("bad", chess.Move.from_uci("e1e5")), Scripted("good", E4)]) == Choice(E4, "good")


def test_a_hanging_source_is_left_behind(logs: list[EventDict]) -> None:
    hanging = Scripted("slow", D4, limit_s=0.05)
    hanging.hangs = threading.Event()
    assert choose_from([hanging, Scripted("good", E4)]) == Choice(E4, "good")
    left_behind = [thread.daemon for thread in threading.enumerate() if thread.name == "source slow"]
    hanging.hangs.set()
    assert left_behind == [True]  # so that it does not hold up the end of the program
    assert [line["event"] for line in logs if line.get("source") == "slow"] == ["move_source_timed_out"]


def test_online_sources_share_one_budget() -> None:
    first, second, third = (Scripted(name, online=True) for name in ("first", "second", "third"))
    first.hangs = threading.Event()
    began = time.monotonic()
    assert choose_from([first, second, third], budget_s=0.3) is None
    assert time.monotonic() - began < 20  # not the 30 s that each may take alone
    assert first.timeouts == [0.3]
    assert second.timeouts == third.timeouts == []
    first.hangs.set()


def test_only_the_time_that_a_query_took_is_off_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([100.0, 100.25, 200.0, 200.5, 300.0, 301.0, 400.0])
    monkeypatch.setattr(source_chain, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    sources = [Scripted(name, online=True) for name in ("first", "second", "third", "fourth")]
    local = Scripted("local", E4)
    assert choose_from([*sources, local], budget_s=1.5) == Choice(E4, "local")
    assert [source.timeouts for source in sources] == [[1.5], [1.25], [0.75], []]
    assert local.timeouts == [3.0]  # a twentieth of our clock


def test_the_time_for_the_move_limits_the_budget() -> None:
    source = Scripted("online", online=True)
    choose_from([source], MoveRequest(chess.Board(), move_time_ms=400), budget_s=5.0)
    assert source.timeouts == [0.4]


@pytest.mark.parametrize(("remaining_ms", "asked"), [(29_999, 0), (30_000, 1), (None, 1)])
def test_online_sources_are_left_alone_below_the_reserve(remaining_ms: int | None, asked: int) -> None:
    online, local = Scripted("online", online=True), Scripted("local", E4)
    request = MoveRequest(chess.Board(), remaining_ms=remaining_ms)
    assert choose_from([online, local], request, reserve_s=30.0) == Choice(E4, "local")
    assert len(online.timeouts) == asked


def test_a_source_that_keeps_missing_is_not_asked_any_more() -> None:
    online, request = Scripted("online", online=True), MoveRequest(chess.Board())
    for _ in range(5):
        choose_from([online], request, max_misses=2)
    assert len(online.timeouts) == 2


def test_files_are_closed_unless_a_query_hangs_in_them() -> None:
    lock, closed = threading.Lock(), list[int]()
    with lock:
        close_files(lock, lambda: closed.append(1), 0.01)
    assert closed == []
    close_files(lock, lambda: closed.append(2), 0.01)
    assert (closed, lock.locked()) == ([2], False)
