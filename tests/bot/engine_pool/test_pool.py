"""The pool: warm spares, spreading, capacity, options, clear errors, a clean end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import chess
import pytest

from bot.engine_pool import EnginePool, Requirement
from bot.errors import ConfigurationError, EngineStartError
from bot.settings import EngineEntry
from tests.helpers.engines import best_move, tiny_engine, tiny_entry
from tests.helpers.processes import is_running, wait_until


def pids(pool: EnginePool) -> set[int]:
    """All processes of the pool."""
    return {pid for entry in pool.snapshot() for pid in entry.pids}


def test_engines_are_warm_before_the_first_game_and_spares_follow() -> None:
    with EnginePool([tiny_entry(slots=2, spares=1)]) as pool:
        assert pool.snapshot()[0].idle >= 1
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        engine = pool.lend()
        assert best_move(engine, chess.Board()).error is None
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        assert pool.snapshot()[0].leased == 1
        engine.give_back()


def test_close_ends_every_process_whatever_it_does() -> None:
    pool = EnginePool(
        [tiny_entry("think", "--think-ms", "300000", slots=3), tiny_entry("ignore-stop", name="ignore-stop")]
    )
    pool.start()
    assert wait_until(lambda: all(entry.idle >= 2 for entry in pool.snapshot()))
    for name in ("tiny", "ignore-stop"):
        pool.lend(Requirement(names=(name,))).play(chess.Board(), chess.engine.Limit(time=600.0), on_done=print)
    running = pids(pool)
    pool.close()
    pool.close()
    assert len(running) >= 4
    assert not [pid for pid in running if is_running(pid)]


def test_a_pool_that_was_never_started_leaves_nothing_open() -> None:
    def descriptors() -> int:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    before = descriptors()
    pool = EnginePool([tiny_entry()])
    assert descriptors() > before
    pool.close()
    assert descriptors() == before
    pool._loop = SimpleNamespace(close=lambda: pytest.fail("closed twice"))  # type: ignore[assignment]  # a stand-in
    pool.close()


def test_games_spread_over_the_entries_by_free_slots() -> None:
    entries = [tiny_entry(name="small", slots=1), tiny_entry(name="large", slots=3)]
    with EnginePool(entries) as pool:
        engines = [pool.lend() for _ in range(4)]
        assert {entry.name: entry.leased for entry in pool.snapshot()} == {"small": 1, "large": 3}
        overbooked = pool.lend()
        assert best_move(overbooked, chess.Board()).error is None
        for engine in [*engines, overbooked, overbooked]:
            engine.give_back()
        assert [entry.leased for entry in pool.snapshot()] == [0, 0]


def test_names_restrict_the_choice() -> None:
    with EnginePool([tiny_entry(name="one"), tiny_entry(name="two")]) as pool:
        assert best_move(pool.lend(Requirement(names=("two",))), chess.Board()).engine == "two"
        assert [entry.leased for entry in pool.snapshot()] == [0, 1]
        with pytest.raises(ConfigurationError, match="no engine is named 'three': there are one, two"):
            pool.lend(Requirement(names=("three",)))


def test_a_process_serves_one_game_after_the_other_with_its_options_set_back(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with EnginePool([tiny_entry("good", "--log", str(log), spares=0)]) as pool:
        first = pool.lend(Requirement(options={"Hash": 64}))
        assert best_move(first, chess.Board()).error is None
        pid = first.pid
        first.give_back()
        assert wait_until(lambda: pool.snapshot()[0].idle == 1)
        second = pool.lend()
        assert best_move(second, chess.Board()).error is None
        assert second.pid == pid
    told = [line.split(" ", 2)[2].strip() for line in log.read_text().splitlines()]
    assert [line for line in told if "Hash" in line] == ["setoption name Hash value 64", "setoption name Hash value 16"]
    assert told.count("ucinewgame") == 3  # the warm-up and two games


def test_a_variant_the_engine_does_not_know_is_an_error() -> None:
    with EnginePool([tiny_entry()]) as pool:
        answer = best_move(pool.lend(Requirement(variant="atomic")), chess.Board())
        assert "tiny cannot play atomic" in str(answer.error)
        answer = best_move(pool.lend(Requirement(chess960=True)), chess.Board())
        assert answer.error is None


@pytest.mark.parametrize("variant", ["atomic", "crazyhouse"])
def test_the_fallback_is_not_started_for_a_variant(variant: str) -> None:
    with EnginePool([tiny_entry()], fallback=tiny_entry(name="last resort")) as pool:
        answer = best_move(pool.lend(Requirement(variant=variant)), chess.Board())
        assert "tiny cannot play" in str(answer.error)


def test_the_fallback_ends_with_the_game_that_needed_it() -> None:
    with EnginePool([tiny_entry("illegal")], fallback=tiny_entry(name="last resort")) as pool:
        engine = pool.lend()
        assert best_move(engine, chess.Board()).engine == "last resort"
        assert [entry.name for entry in pool.snapshot()] == ["tiny", "last resort"]
        engine.give_back()
        assert wait_until(lambda: [entry.name for entry in pool.snapshot()] == ["tiny"])


def test_another_entry_helps_out_when_one_cannot_start() -> None:
    with EnginePool([tiny_entry("no-start", name="broken", slots=9), tiny_entry(name="whole")]) as pool:
        answer = best_move(pool.lend(), chess.Board())
        assert (answer.engine, answer.error) == ("whole", None)
        assert "licence file missing" in pool.snapshot()[0].last_error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            EngineEntry(name="gone", command=("/no/such/engine",)),
            "cannot start '/no/such/engine'.*try the command by hand",
        ),
        (tiny_entry("no-start"), "licence file missing"),
        (
            EngineEntry(name="silent", command=tiny_engine("silent"), start_timeout_s=0.5),
            "silent: did not get ready in 0.5 s",
        ),
        (
            EngineEntry(name="slow", command=tiny_engine("load", "--think-ms", "60000"), start_timeout_s=4.0),
            "slow: did not finish its first search in 4 s",
        ),
        (
            EngineEntry(name="strict", command=tiny_engine(), options={"Hsah": 1}),
            r"^strict: this engine has no option Hsah; did you mean \"Hash\"\? Correct or remove it under `options` ",
        ),
    ],
)
def test_an_engine_that_cannot_start_says_why(entry: EngineEntry, message: str) -> None:
    pool = EnginePool([entry])
    with pytest.raises(EngineStartError, match=message):
        pool.start()
    pool.close()


def test_entries_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="no engine is configured"):
        EnginePool([])
    with pytest.raises(ConfigurationError, match="two engines are named 'tiny'"):
        EnginePool([tiny_entry(), tiny_entry()])


def test_an_engine_given_back_before_it_was_ready_is_kept_for_the_next_game() -> None:
    with EnginePool([tiny_entry(spares=0)]) as pool:
        for _ in range(20):
            pool.lend().give_back()
        assert wait_until(lambda: pool.snapshot()[0].idle == 1)
        assert pool.snapshot()[0].replaced == 0
        assert best_move(pool.lend(), chess.Board()).error is None


def test_a_game_at_a_level_and_the_next_one_without() -> None:
    with EnginePool([tiny_entry("good", "--levels")]) as pool:
        for elo, expected in ((900, 1000), (None, None), (1600, 1600)):
            engine = pool.lend(Requirement(elo=elo))
            assert best_move(engine, chess.Board()).error is None
            assert engine.elo == expected
            engine.give_back()
