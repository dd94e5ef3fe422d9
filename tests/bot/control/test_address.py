"""Where the socket lies: as configured, beside the store, or under the process id in the state folder."""

from __future__ import annotations

import os
from pathlib import Path

from bot.control.address import own_path, paths_to_try, state_folder
from bot.settings import Settings


def test_as_configured_or_beside_the_store(tmp_path: Path) -> None:
    store, named = {"store": tmp_path / "bot.sqlite3"}, {"control": {"socket": tmp_path / "my.sock"}}
    for content, path in ((store, tmp_path / "bot.sock"), (store | named, tmp_path / "my.sock")):
        settings = Settings.model_validate(content)
        assert own_path(settings, {}) == path
        assert paths_to_try(settings, {}) == [path]


def test_without_a_store_each_process_has_its_own(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path)}
    path = own_path(Settings(), environ)
    assert path == tmp_path / "bot88" / f"{os.getpid()}.sock"
    assert paths_to_try(Settings(), environ) == []
    path.parent.mkdir()
    path.touch()
    assert paths_to_try(Settings(), environ) == [path]


def test_the_state_folder_needs_no_home() -> None:
    assert state_folder({"HOME": "/home/me"}) == Path("/home/me/.local/state/bot88")
    assert state_folder({}) == Path("/.local/state/bot88")
