"""Sources from settings, and as a game uses them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import chess
import pytest
from chess.engine import Limit

from bot.errors import ConfigurationError
from bot.events import GameFull, Player
from bot.move_sources import Choice, MoveSources, check_sources, source_chain
from bot.move_sources.book import BookSource
from bot.move_sources.source_chain import build_sources
from bot.play.game import Game
from bot.settings import SourceSettings
from tests.bot.move_sources.test_book import write_book
from tests.helpers.games import ME, OTHER, full
from tests.helpers.shared import shared_data


def facts(**fields: Any) -> GameFull:
    """What a game tells of itself."""
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
    sources = MoveSources(settings(books=[{"path": path, "opponents": "human"}]))
    limit = Limit(white_clock=60, black_clock=60)
    assert sources.source_for(played(), limit) is not None
    assert sources.source_for(played(facts(game_id="robots00", black=ME)), limit) is None
    sources.close()


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
