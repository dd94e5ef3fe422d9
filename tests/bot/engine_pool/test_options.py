"""Options on their way to an engine."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import chess.engine
import pytest
from chess.engine import Option
from structlog.typing import EventDict

from bot.engine_pool.options import (
    as_declared,
    environment,
    limited_strength,
    offered,
    settable,
    start_hint,
    unknown_options,
    variants,
)
from bot.engine_pool.pool import EnginePool
from bot.settings import EngineEntry
from tests.helpers.engines import tiny_entry


def test_what_python_chess_sets_itself_is_left_out_and_fractions_become_text() -> None:
    options = {"Hash": 16, "Ponder": True, "UCI_Chess960": True, "multipv": 3, "Contempt": 0.5, "OwnBook": False}
    assert settable(options) == {"Hash": 16, "Contempt": "0.5", "OwnBook": False}


def test_options_that_an_engine_lacks_are_left_out_and_named(logs: list[EventDict]) -> None:
    declared = {"Hash": Option("Hash", "spin", 16, 1, 64, None)}
    assert offered({"Hash": 32, "Contempt": 5}, declared, "tiny") == {"Hash": 32}
    assert offered({"Hash": 32}, declared, "tiny") == {"Hash": 32}
    assert [(line["event"], line["engine"], line["options"]) for line in logs] == [
        ("engine_option_unknown", "tiny", ["Contempt"])
    ]


def test_options_go_by_the_names_that_the_engine_declares() -> None:
    declared = {"Hash": Option("Hash", "spin", 16, 1, 64, None)}
    assert as_declared({"hASH": 32, "Other": 1}, declared) == {"Hash": 32, "Other": 1}


STRENGTH = {
    "UCI_LimitStrength": Option("UCI_LimitStrength", "check", False, None, None, None),
    "UCI_Elo": Option("UCI_Elo", "spin", 2000, 1000, 2200, None),
}


@pytest.mark.parametrize(("elo", "expected"), [(1600, 1600), (100, 1000), (4000, 2200)])
def test_a_level_is_within_what_the_engine_can(elo: int, expected: int) -> None:
    assert limited_strength(elo, STRENGTH) == {"UCI_LimitStrength": True, "UCI_Elo": expected}


def test_an_engine_without_levels_gets_none() -> None:
    assert limited_strength(1600, {}) == {}
    assert limited_strength(1600, {"UCI_Elo": STRENGTH["UCI_Elo"]}) == {}


def test_a_level_without_bounds_is_taken_as_it_is() -> None:
    unbounded = STRENGTH | {"UCI_Elo": Option("UCI_Elo", "spin", 2000, None, None, None)}
    assert limited_strength(4000, unbounded)["UCI_Elo"] == 4000


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, []),
        (
            {"UCI_Variant": Option("UCI_Variant", "combo", "chess", None, None, ["chess", "atomic"])},
            ["chess", "atomic"],
        ),
        ({"UCI_Variant": Option("UCI_Variant", "string", "chess", None, None, None)}, []),
    ],
)
def test_variants_are_those_of_the_option(options: dict[str, Option], expected: list[str]) -> None:
    assert variants(SimpleNamespace(options=options)) == expected  # type: ignore[arg-type]  # the part that is used


def test_no_engine_sees_the_token_or_another_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in our environment: BOT88_TOKEN, BOT88__DASHBOARD__PASSWORD, BOT88__NOTIFY__WEBHOOK."""
    for name in ("BOT88_TOKEN", "BOT88__LICHESS__TOKEN", "BOT88__DASHBOARD__PASSWORD", "BOT88__NOTIFY__WEBHOOK"):
        monkeypatch.setenv(name, "lip_secret")
    assert "lip_secret" not in environment(tiny_entry()).values()
    explicit = EngineEntry(name="x", command=("x",), environment={"BOT88_TOKEN": "its own"})
    assert environment(explicit)["BOT88_TOKEN"] == "its own"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_running_engine_has_no_token_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT88_TOKEN", "lip_secret")
    with EnginePool([tiny_entry()], fallback=None) as pool:
        (entry,) = pool.snapshot()
        assert entry.pids
        for pid in entry.pids:
            assert b"lip_secret" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_the_environment_is_ours_and_the_entrys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT88_TEST", "ours")
    assert environment(tiny_entry())["BOT88_TEST"] == "ours"
    found = environment(EngineEntry(name="x", command=("x",), environment={"BOT88_TEST": "its", "MORE": "1"}))
    assert (found["BOT88_TEST"], found["MORE"]) == ("its", "1")
    assert "PATH" in found


def test_the_hint_is_the_command() -> None:
    assert start_hint(EngineEntry(name="x", command=("ssh", "far"))) == "try the command by hand: ssh far"


def test_options_that_an_engine_has_not_are_named_with_the_remedy() -> None:
    declared = {"Hash": chess.engine.Option("Hash", "spin", 16, 1, 64, None)}
    assert unknown_options({"hash": 5}, declared) == ""
    assert unknown_options({"SyzygyPath": "x", "Style": 1}, declared) == (
        "this engine has no option SyzygyPath, Style; correct or remove it under `options` (the engine has: Hash)"
    )
