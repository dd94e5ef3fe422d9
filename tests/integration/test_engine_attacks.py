"""Faulty engines and ways to engines: each costs a bounded part of the clock, and the move is made all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import chess
import pytest
from chess.engine import Limit

from bot.engine_pool import engine_lease
from bot.engine_pool.pool import EnginePool
from bot.engine_pool.spare_processes import SpareProcesses
from bot.engine_pool.values import IllegalMove, Requirement
from bot.settings import EngineEntry
from tests.helpers.engines import best_move, remote_entry, tiny_entry
from tests.helpers.examples import first_quick
from tests.helpers.processes import wait_until

RULE = Requirement(names=("first", "second"), in_order=True)
MINUTE = Limit(white_clock=60.0, black_clock=60.0)


def test_an_engine_that_loads_at_its_first_search_has_loaded_before_the_game() -> None:
    with EnginePool([tiny_entry("load", "--think-ms", "2500")], fallback=None) as pool:
        answer = best_move(pool.lend(), chess.Board(), Limit(white_clock=3.0, black_clock=3.0))
    assert answer.error is None
    assert answer.replaced == 0
    assert answer.elapsed_ms < 2000


@first_quick("limit", [Limit(time=0.6), MINUTE], ids=["first move", "by the clock"])
@first_quick("behaviour", ["load-in-game", "load-at-new-game"])
def test_an_engine_that_loads_in_the_game_is_given_the_time(behaviour: str, limit: Limit) -> None:
    with EnginePool([tiny_entry(behaviour, "--think-ms", "2500")], fallback=None) as pool:
        answer = best_move(pool.lend(), chess.Board(), limit)
        assert pool.snapshot()[0].replaced == 0
    assert answer.error is None
    assert answer.replaced == 0


@pytest.mark.slow
def test_engines_that_ignore_stop_leave_time_for_another() -> None:
    entries = [tiny_entry("ignore-stop", name="first"), tiny_entry(name="second")]
    with EnginePool(entries, fallback=None) as pool:
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        answer = best_move(pool.lend(RULE), chess.Board(), Limit(white_clock=12.0, black_clock=12.0))
    assert (answer.engine, answer.replaced, answer.error) == ("second", 2, None)
    assert answer.elapsed_ms < 8000  # 4 s for the first, 3 s for the second fault


@pytest.mark.parametrize("behaviour", ["illegal", "empty", "none", "garbage", "crash", "long-line"])
def test_an_engine_that_fails_twice_in_a_position_leaves_the_game_to_the_next_of_the_rule(behaviour: str) -> None:
    entries = [tiny_entry(name="second"), tiny_entry(behaviour, name="first", spares=2)]
    with EnginePool(entries, fallback=None) as pool:
        assert wait_until(lambda: pool.snapshot()[1].idle == 3)
        engine = pool.lend(RULE)
        answer = best_move(engine, chess.Board(), MINUTE)
        assert (answer.engine, answer.replaced, answer.error) == ("second", 2, None)
        again = best_move(engine, chess.Board(), MINUTE)
        assert (again.engine, again.replaced, again.error) == ("second", 0, None)


def test_an_entry_that_has_just_failed_is_not_used_again_when_the_next_one_dies() -> None:
    entries = [tiny_entry("illegal", name="first"), tiny_entry("crash", "--good-moves", "1", name="second")]
    with EnginePool(entries, fallback=tiny_entry(name="last resort")) as pool:
        assert wait_until(lambda: all(entry.idle == 2 for entry in pool.snapshot()[:2]))
        engine = pool.lend(RULE)
        assert best_move(engine, chess.Board(), MINUTE).engine == "second"
        answer = best_move(engine, chess.Board(), MINUTE)
        assert answer.error is None
        assert answer.engine == "second"  # a fresh process, with a good move of its own
        assert answer.replaced == 1
        assert pool.snapshot()[0].replaced == 2


def test_when_the_fallback_fails_too_the_game_hears_of_it_and_may_ask_again(tmp_path: Path) -> None:
    fallback = tiny_entry("illegal", "--once", str(tmp_path / "failed"), name="last resort")
    with EnginePool([tiny_entry("illegal")], fallback) as pool:
        engine = pool.lend()
        answer = best_move(engine, chess.Board(), MINUTE)
        assert (answer.engine, answer.replaced, answer.error) == ("last resort", 3, None)
    with EnginePool([tiny_entry("illegal")], tiny_entry("illegal", name="last resort")) as pool:
        engine = pool.lend()
        for _ in range(2):
            answer = best_move(engine, chess.Board(), MINUTE)
            assert isinstance(answer.error, IllegalMove)
            assert answer.replaced == 4


@pytest.mark.slow
def test_the_shipped_engine_is_the_fallback() -> None:
    subprocess.run([sys.executable, "-m", "engine88", "warmup"], check=True)  # the first start compiles
    with EnginePool([tiny_entry("illegal")]) as pool:
        answer = best_move(pool.lend(), chess.Board(), Limit(white_clock=120.0, black_clock=120.0))
        assert answer.error is None
        assert answer.engine == "engine88 (fallback)"
        assert [entry.name for entry in pool.snapshot()] == ["tiny", "engine88 (fallback)"]


def test_options_of_a_rule_that_the_next_engine_lacks_do_not_keep_it_from_the_game() -> None:
    wanted = Requirement(names=("first", "second"), in_order=True, options={"Contempt": 20, "Hash": 32})
    with EnginePool([tiny_entry("illegal", name="first"), tiny_entry(name="second")], fallback=None) as pool:
        assert best_move(pool.lend(wanted), chess.Board(), MINUTE).engine == "second"


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "replaced"), [("stall", 1), ("cut", 2)])
def test_a_connection_that_fails_in_mid_game_leaves_it_to_the_next_engine(fault: str, replaced: int) -> None:
    entries = [remote_entry(fault, name="first"), tiny_entry(name="second")]
    with EnginePool(entries, fallback=None) as pool:
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        answer = best_move(pool.lend(RULE), chess.Board(), Limit(white_clock=24.0, black_clock=24.0))
        assert "remote host" in pool.snapshot()[0].last_error or fault == "stall"
    assert (answer.engine, answer.replaced, answer.error) == ("second", replaced, None)
    assert answer.elapsed_ms < 5000  # a twelfth of the clock is two seconds


def test_a_connection_that_is_cut_once_is_used_again_and_left_when_it_is_cut_twice() -> None:
    entries = [remote_entry("cut", "--good-searches", "2", name="first"), tiny_entry(name="second")]
    with EnginePool(entries, fallback=None) as pool:
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        engine = pool.lend(RULE)
        answers = [best_move(engine, chess.Board(), MINUTE) for _ in range(3)]
    assert [(answer.engine, answer.replaced) for answer in answers] == [("first", 0), ("first", 1), ("second", 1)]


@pytest.mark.slow
def test_a_connection_that_works_again_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_lease, "EXCLUDED_S", 1.0)
    entries = [remote_entry("stall", "--good-searches", "2", name="first"), tiny_entry(name="second")]
    with EnginePool(entries, fallback=None) as pool:
        engine = pool.lend(RULE)
        limit = Limit(white_clock=12.0, black_clock=12.0)
        served = [best_move(engine, chess.Board(), limit).engine for _ in range(3)]
        assert served == ["first", "second", "second"]
        pid = engine.pid
        assert wait_until(lambda: pool.snapshot()[0].idle == 2)
        assert wait_until(lambda: best_move(engine, chess.Board(), limit).engine == "first")
        assert engine.pid != pid
        assert wait_until(lambda: pool.snapshot()[1].idle == 2)  # the other one's process is given back


@pytest.mark.slow
def test_a_slow_connection_is_waited_for() -> None:
    entries = [remote_entry("delay", "--delay-ms", "150", name="first"), tiny_entry(name="second")]
    with EnginePool(entries, fallback=None) as pool:
        engine = pool.lend(RULE)
        for _ in range(3):
            answer = best_move(engine, chess.Board(), MINUTE)
            assert (answer.engine, answer.replaced, answer.error) == ("first", 0, None)


def test_a_connection_that_cannot_be_made_does_not_hold_up_the_move() -> None:
    dead = EngineEntry(name="first", command=("sleep", "1000"), remote=True, start_timeout_s=200.0)
    with EnginePool([tiny_entry(name="second")], fallback=None) as pool:
        pool._spares["first"] = SpareProcesses(dead, pool._reaper)  # as an entry, it would hold up the pool's start
        engine = pool.lend(Requirement(names=("first", "second"), in_order=True))
        answer = best_move(engine, chess.Board(), Limit(white_clock=12.0, black_clock=12.0))
        assert (answer.engine, answer.error) == ("second", None)
        assert answer.elapsed_ms < 4000


def test_the_rules_order_decides_while_slots_are_free() -> None:
    entries = [tiny_entry(name="second", slots=8), tiny_entry(name="first", slots=2)]
    with EnginePool(entries, fallback=None) as pool:
        served = [best_move(pool.lend(RULE), chess.Board(), MINUTE).engine for _ in range(3)]
    assert served == ["first", "first", "second"]


def test_another_engine88_in_the_working_folder_is_not_the_one_that_runs(tmp_path: Path) -> None:
    (tmp_path / "engine88").mkdir()
    (tmp_path / "engine88" / "__init__.py").write_text("")
    (tmp_path / "engine88" / "__main__.py").write_text("raise SystemExit('the wrong engine')")
    with EnginePool([EngineEntry(working_dir=tmp_path, spares=0)], fallback=None) as pool:
        assert best_move(pool.lend(), chess.Board(), MINUTE).error is None
