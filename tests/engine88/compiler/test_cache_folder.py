"""The cache of compiled kernels notices every edit and does without a writable folder."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from engine88.compiler import cache_folder
from tests.engine88.fresh_process import ROOT, run_python
from tests.helpers.examples import first_quick

IMPORT = "from engine88.compiler.cache_folder import folder_name"


def folder_names(root: Path) -> dict[str, str]:
    """Cache folders of three modules of the package that is in `root`."""
    names = "board.squares", "rules.movegen", "rules.perft"
    code = f"{IMPORT}; print(*[folder_name('engine88.' + name) for name in {names}])"
    return dict(zip(names, run_python(code, root).stdout.split(), strict=True))


def copy_with_room(root: Path, user: str, leaf: str = "") -> None:
    """Copy the package to `root` with one more room in it: `leaf`, and `user` that imports it."""
    shutil.copytree(ROOT / "engine88", root / "engine88", ignore=shutil.ignore_patterns("__pycache__"))
    room = root / "engine88" / "room"
    room.mkdir()
    for name, text in (("__init__", ""), ("leaf", leaf), ("user", user)):
        (room / f"{name}.py").write_text(text)


@first_quick(
    "statement",
    [
        "from engine88.room import leaf",
        "from engine88.room import (\n    leaf as other,\n)",
        "from engine88.room.leaf import NAME",
        "import engine88.room.leaf",
        "def late():\n    from engine88.room import leaf",
    ],
)
def test_an_edit_in_a_room_renames_the_folder_of_its_importer(tmp_path: Path, statement: str) -> None:
    copy_with_room(tmp_path, f"{statement}\n")
    code = f"{IMPORT}; print(folder_name('engine88.room.user'), folder_name('engine88.room.leaf'))"
    user, leaf = run_python(code, tmp_path).stdout.split()
    assert user.startswith("room.user-")
    (tmp_path / "engine88" / "room" / "leaf.py").write_text("NAME = 1\n")
    edited_user, edited_leaf = run_python(code, tmp_path).stdout.split()
    assert edited_user != user
    assert edited_leaf != leaf


def test_records_and_kernels_are_found_in_rooms(tmp_path: Path) -> None:
    kernels = "from engine88.compiler.jit import kernel\n\n@kernel\ndef idle(x):\n    return x\n"
    copy_with_room(tmp_path, kernels, "import numpy as np\n\nDEEP = np.dtype([('x', np.int64)])\n")
    code = (
        "from engine88.compiler import cache_folder, jit; jit.import_kernels()\n"
        "print('engine88.room.leaf' in cache_folder.record_modules(),"
        " 'engine88.room.user' in {k.__module__ for k in jit.KERNELS})"
    )
    assert run_python(code, tmp_path).stdout.split() == ["True", "True"]


def test_the_package_is_found_from_a_deeper_folder(tmp_path: Path) -> None:
    file = tmp_path / "package" / "room" / "inner" / "module.py"
    file.parent.mkdir(parents=True)
    for folder in (file.parent, *list(file.parents)[1:3]):
        (folder / "__init__.py").touch()
    assert cache_folder._package_root(file) == tmp_path / "package"


def test_the_training_tools_count_for_nothing_in_the_engine() -> None:
    names = cache_folder.engine_modules()
    assert "engine88.__main__" in names
    assert not [name for name in names if ".training" in name]


def test_no_relative_imports() -> None:
    relative = re.compile(r"^\s*from \.", re.MULTILINE)
    assert [name for name in cache_folder.engine_modules() if relative.search(cache_folder.module_source(name))] == []


def test_an_edit_renames_the_folders_of_all_that_stands_on_it_and_no_other(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine88", tmp_path / "engine88", ignore=shutil.ignore_patterns("__pycache__"))
    before = folder_names(tmp_path)
    assert before == {name: cache_folder.folder_name(f"engine88.{name}") for name in before}
    with (tmp_path / "engine88" / "rules" / "movegen_evasions.py").open("a") as source:
        source.write("# edited\n")
    after = folder_names(tmp_path)
    assert after["board.squares"] == before["board.squares"]
    assert after["rules.movegen"] != before["rules.movegen"]
    assert after["rules.perft"] != before["rules.perft"]


def test_a_folder_that_cannot_be_written_is_replaced_and_said_once(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "from engine88.compiler import cache_folder; print(cache_folder.cache_root()); cache_folder.cache_root()"
    result = run_python(code, ROOT, ENGINE88_CACHE_DIR=str(blocked / "cache"), TMPDIR=str(tmp_path))
    assert Path(result.stdout.strip()).parent == tmp_path
    assert result.stderr.count("\n") == 1
    assert f"cannot write compiled code to {blocked / 'cache'}" in result.stderr
    assert "ENGINE88_CACHE_DIR" in result.stderr


def test_the_temporary_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = cache_folder._temporary_folder()
    assert own == cache_folder._temporary_folder()
    own.chmod(0o777)
    assert cache_folder._temporary_folder() != own


def test_a_system_without_user_numbers_has_one_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delattr(os, "getuid")
    assert cache_folder._temporary_folder() == cache_folder._temporary_folder() == tmp_path / "engine88-cache"


@pytest.mark.parametrize(
    ("system", "variable", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "engine88"),
        ("win32", "LOCALAPPDATA", "engine88/Cache"),
        ("darwin", "HOME", "Library/Caches/engine88"),
    ],
)
def test_each_system_has_its_place_for_caches(
    system: str, variable: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ENGINE88_CACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv(variable, str(tmp_path))
    assert cache_folder.wanted_root() == tmp_path / expected


def test_an_edit_of_what_only_keeps_compiled_code_compiles_nothing_anew(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine88", tmp_path / "engine88", ignore=shutil.ignore_patterns("__pycache__"))
    before = folder_names(tmp_path)
    for name in cache_folder._WITHOUT_KERNELS:
        path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
        path.write_text(path.read_text() + "# edited\n")
    assert folder_names(tmp_path) == before


def test_the_modules_with_kernels_are_found_without_importing_them() -> None:
    names = cache_folder.kernel_modules()
    assert {"engine88.board.record", "engine88.rules.movegen", "engine88.search.search"} <= set(names)
    assert not [name for name in names if name.startswith("engine88.compiler.")]


def test_an_edit_of_a_record_renames_all_folders(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine88", tmp_path / "engine88", ignore=shutil.ignore_patterns("__pycache__"))
    records = {
        "board.record",
        "board.move_list",
        "evaluation.classical.evaluation_state",
        "evaluation.evaluation_state",
        "evaluation.network.layout",
        "search.search_state",
    }
    assert set(cache_folder.record_modules()) == {f"engine88.{name}" for name in records}
    before = folder_names(tmp_path)
    with (tmp_path / "engine88" / "evaluation" / "classical" / "evaluation_state.py").open("a") as source:
        source.write("# edited\n")
    assert not set(before.values()) & set(folder_names(tmp_path).values())


def test_kernels_of_different_tunable_modules_have_different_folders() -> None:
    code = f"{IMPORT}; print(folder_name('engine88.search.search'))"
    modules = "", "engine88.search.params", "engine88.search.recording"
    assert len({run_python(code, ROOT, ENGINE88_TUNABLE=module).stdout for module in modules}) == 3
