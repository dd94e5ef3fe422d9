"""Load the author's class from its file, again when the file has changed, and name the author's line in an error."""

from __future__ import annotations

import difflib
import importlib
import inspect
import linecache
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.errors import did_you_mean

#: What lichess-bot's homemade engines import; searched after everything else.
HOMEMADE = Path(__file__).parent / "homemade"
#: Names that a file must not have, because others import a module of this name.
_TAKEN = frozenset({"chess", "numpy", *(sys.stdlib_module_names & ({"random", "queue", "copy"} | sys.modules.keys()))})


class EngineFileError(Exception):
    """The file holds no usable engine; the text names the line and the remedy."""


def split_spec(spec: str) -> tuple[Path, str]:
    """Return the file and the class of FILE[:CLASS]; the class is "" where none is named."""
    path, colon, name = spec.rpartition(":")
    return (Path(path), name) if colon and path and name.isidentifier() else (Path(spec), "")


def describe(error: BaseException, folder: Path) -> str:
    """Describe an error by the last line of the author's own code that led to it, in one line of text."""
    if isinstance(error, EngineFileError):
        return str(error)
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}: {kind}: {error.msg}: `{(error.text or '').strip()}`"
    text = " ".join(str(error).split()) or "no message"
    where = author_line(traceback.extract_tb(error.__traceback__), folder)
    return f"{where}: {kind}: {text}{_remedy(error)}" if where else f"{kind}: {text}{_remedy(error)}"


def author_line(frames: traceback.StackSummary, folder: Path) -> str:
    """Return the last call in the author's folder as "my_engine.py:12: in choose_move: `x = 1 / 0`", "" for none."""
    own = [one for one in frames if Path(one.filename).is_relative_to(folder) and "site-packages" not in one.filename]
    if not own:
        return ""
    last = own[-1]
    return f"{Path(last.filename).relative_to(folder)}:{last.lineno}: in {last.name}: `{last.line}`"


def _remedy(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"; install it with `{sys.executable} -m pip install {error.name.partition('.')[0]}`"
    if isinstance(error, EOFError):
        return "; an engine cannot ask its user, so do not call input()"
    if isinstance(error, SystemExit):
        return "; return a move instead of calling exit() or quit()"
    return ""


class EngineFile:
    """A file with an engine, FILE[:CLASS]."""

    def __init__(self, spec: str) -> None:
        path, self.class_name = split_spec(spec)
        self.path = path.resolve()
        self._stamps: dict[Path, tuple[int, int] | None] = {}

    @property
    def folder(self) -> Path:
        """Where the author's code is."""
        return self.path.parent

    def changed(self) -> bool:
        """Whether the file, or one beside it that it imports, has changed since it was loaded."""
        return any(_stamp(path) != stamp for path, stamp in self._stamps.items())

    def load(self) -> type[Any]:
        """Execute the file and return the class. Raises EngineFileError."""
        name = self.path.name
        if self.path.stem in _TAKEN:
            raise EngineFileError(f"{name}: rename the file: it hides the module {self.path.stem!r}")
        self._forget()
        for place, folder in ((0, self.folder), (len(sys.path), HOMEMADE)):
            if str(folder) not in sys.path:
                sys.path.insert(place, str(folder))
        sys.dont_write_bytecode = True  # a stale .pyc would hide an edit within the same second
        module = ModuleType(self.path.stem)
        module.__file__ = str(self.path)
        sys.modules[module.__name__] = module
        self._stamps = {self.path: _stamp(self.path)}
        try:
            exec(compile(self.path.read_bytes(), str(self.path), "exec"), module.__dict__)
        except OSError as error:
            raise EngineFileError(f"{self.path}: {error.strerror or error}: name an existing Python file") from error
        except (Exception, SystemExit) as error:
            raise EngineFileError(describe(error, self.folder)) from error
        finally:
            self._stamps.update({path: _stamp(path) for path in self._own_modules().values()})
        return self._class_in(module)

    def _own_modules(self) -> dict[str, Path]:
        """Loaded modules of the author's folder by name."""
        files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
        paths = {name: Path(file) for name, file in files.items() if file}
        return {
            name: path
            for name, path in paths.items()
            if path.is_relative_to(self.folder) and "site-packages" not in path.parts
        }

    def _forget(self) -> None:
        """Make the next import of the author's modules read their files."""
        for name in self._own_modules() if self._stamps else ():
            del sys.modules[name]
        importlib.invalidate_caches()
        linecache.checkcache()

    def _class_in(self, module: ModuleType) -> type[Any]:
        name = self.path.name
        classes = {key: value for key, value in vars(module).items() if isinstance(value, type)}
        if self.class_name:
            if self.class_name not in classes:
                hint = did_you_mean(self.class_name, classes) or f"it has {', '.join(classes) or 'none'}"
                raise EngineFileError(f"{name}: there is no class {self.class_name}; {hint}")
            return self._checked(classes[self.class_name])
        engines = [one for one in classes.values() if _is_engine(one)]
        own = [one for one in engines if one.__module__ == module.__name__] or engines
        leaves = [one for one in own if not any(other is not one and issubclass(other, one) for other in own)]
        if not leaves:
            raise EngineFileError(f"{name}: {_why_no_engine(module, list(classes.values()))}")
        if len(leaves) > 1:
            names = ", ".join(one.__name__ for one in leaves)
            raise EngineFileError(f"{name}: several engines: {names}; name one, such as {name}:{leaves[0].__name__}")
        return self._checked(leaves[0])

    def _checked(self, engine: type[Any]) -> type[Any]:
        """Return the class if `choose_move` can be called. Raises EngineFileError."""
        if not _is_engine(engine):
            raise EngineFileError(f"{self.path.name}: class {engine.__name__}: {_why_no_engine(None, [engine])}")
        method = getattr(engine, "choose_move", None)
        if method is not None:
            where = f"{self.path.name}:{_line_of(method)}"
            if inspect.iscoroutinefunction(method):
                raise EngineFileError(f"{where}: choose_move must not be `async`: remove the word")
            try:
                inspect.signature(method).bind(None, None, None)
            except TypeError:
                given = f"choose_move{inspect.signature(method)}"
                raise EngineFileError(f"{where}: {given}: write it as choose_move(self, board, limit)") from None
        return engine


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _is_engine(one: type[Any]) -> bool:
    """Whether a class plays: by our `choose_move`, or by `search` as lichess-bot's homemade engines do."""
    search = getattr(one, "search", None)
    homemade = any(base.__module__ == "lib.engine_wrapper" for base in one.__mro__)
    overridden = callable(search) and getattr(search, "__module__", "") != "lib.engine_wrapper"
    return callable(getattr(one, "choose_move", None)) or (homemade and overridden)


def _why_no_engine(module: ModuleType | None, classes: list[type[Any]]) -> str:
    if module is not None and callable(getattr(module, "choose_move", None)):
        return "choose_move is a function: put it into a class, as choose_move(self, board, limit)"
    names = [name for one in classes for name in vars(one) if not name.startswith("_")]
    if near := difflib.get_close_matches("choose_move", names, n=1, cutoff=0.7):
        return f'the method {near[0]} is never called; did you mean "choose_move"?'
    return "there is no class with a method choose_move(self, board, limit)"


def _line_of(method: Any) -> int:
    return int(method.__code__.co_firstlineno) if hasattr(method, "__code__") else 1
