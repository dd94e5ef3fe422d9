"""Write a new engine to start from, with its tests."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from bot.errors import ConfigurationError
from bot.new_file import write_new

_TEMPLATE = Path(__file__).parent / "template"


def class_name(path: Path) -> str:
    """Return MyEngine for my_engine.py."""
    return "".join(word.capitalize() for word in path.stem.split("_"))


def write_engine(path: Path) -> Path:
    """Write the engine and, beside it, its tests; return the path of these.

    Raises ConfigurationError if a file exists, cannot be written or has a name that Python cannot import.
    """
    if path.suffix != ".py" or not path.stem.isidentifier() or keyword.iskeyword(path.stem):
        raise ConfigurationError(f"{path}: give a name that Python can import, such as my_engine.py")
    tests = path.with_name(f"test_{path.name}")
    for target in (path, tests):
        if target.exists():
            raise ConfigurationError(f"{target}: exists already; choose another name")
    for target, source in ((path, "my_engine.py"), (tests, "test_my_engine.py")):
        text = (_TEMPLATE / source).read_text(encoding="utf-8")
        text = re.sub(r"\bmy_engine\b", path.stem, text).replace("MyEngine", class_name(path))
        write_new(target, text)
    return tests
