"""The rooms whose tests are measured, the modules of each and the tests that mirror them."""

from __future__ import annotations

from pathlib import Path

BOT = (
    "account", "app", "control", "dashboard", "engine_pool", "events", "lichess", "log", "migration", "move_sources",
    "offline", "openings", "play", "settings",
)  # fmt: skip
TOP_LEVEL = "bot/*.py"  # bot's own modules, in no room
#: Tests of commands that have no test file of their own.
BESIDE = {TOP_LEVEL: ("tests/bot/test_cli_options.py", "tests/bot/archive")}
#: engine88's plain Python; the other rooms are compiled, and a kernel compiled anew takes a minute a mutant.
ENGINE = ("engine88/control", "engine88/uci", "engine88/training")
#: Tests of whole programs, which may notice what no test of the room does.
WIDE = {
    "bot": ("tests/integration",),
    "engine88": ("tests/engine88/uci", "tests/engine88/search", "tests/engine88/test_engine.py"),
}
ROOMS = (*(f"bot/{name}" for name in BOT), TOP_LEVEL, *ENGINE)


def modules(root: Path, room: str) -> list[str]:
    """The Python files of a room, a file or `bot/*.py`, relative to the root, in order."""
    found = (root / room).rglob("*.py") if (root / room).is_dir() else root.glob(room)
    return sorted(path.relative_to(root).as_posix() for path in found)


def mirrored_tests(root: Path, room: str) -> list[str]:
    """The test folder that mirrors a room, or the test files that mirror its files."""
    mirrored = f"tests/{room}"
    if (root / mirrored).is_dir():
        return [mirrored]
    found = (mirror(module) for module in modules(root, room))
    return [*(path for path in found if (root / path).is_file()), *BESIDE.get(room, ())]


def mirror(module: str) -> str:
    """The test file that mirrors a module: `tests/bot/play/test_lag.py` of `bot/play/lag.py`."""
    path = Path(module)
    return (Path("tests") / path.parent / f"test_{path.name}").as_posix()
