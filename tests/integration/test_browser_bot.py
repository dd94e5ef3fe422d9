"""A person plays the bot itself in a real browser: `bot88 offline --browser`, its engine and all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.helpers.board_page import GAME_ADDRESS, BoardPage
from tests.helpers.browser import chromium, watched_page
from tests.helpers.processes import is_running, wait_until

ROOT = Path(__file__).resolve().parents[2]
START_S = 280.0  # on a machine that has to compile the engine first
POSITION = "4k3/1P3ppp/8/8/8/8/5PPP/4K2R w K - 0 1"


class Offline:
    """The program, with all it prints."""

    def __init__(self, state: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot", "offline", "--browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=os.environ | {"COLUMNS": "200", "XDG_STATE_HOME": str(state)},
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def end(self) -> None:
        """Kill it and take what it has printed."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)

    def url(self) -> str | None:
        """The printed address."""
        found = re.search(r"Open (http://\S+) in a browser", "".join(self.lines))
        return found[1] if found else None


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Offline]:
    program = Offline(tmp_path)
    try:
        wait_until(lambda: program.url() or program.process.poll() is not None, START_S)
        assert program.url(), "".join(program.lines)
        yield program
    finally:
        program.end()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_person_plays_the_bot(offline: Offline) -> None:
    with chromium() as browser, watched_page(browser) as page:
        table = BoardPage(page, offline.url() or "")
        game_id = table.challenge("bot88", variant="fromPosition", fen=POSITION, clock="1+0")
        table.drag_move("e1e3")
        table.message("That move is not legal.")
        table.click_move("e1g1")
        table.wait_for_plies(2)
        table.drag_move("b7b8q")
        table.wait_for_plies(3)
        assert [table.moves()[0], table.moves()[2][:4]] == ["O-O", "b8=Q"]
        page.click("#resign")
        page.click("#resign")
        table.message("Resignation: you lose.")
        page.click("#rematch")
        page.wait_for_url(lambda url: GAME_ADDRESS.search(url) is not None and game_id not in url)
        table.wait_for_plies(1)  # the bot has White now, and castles or not, but moves
    engines = [child.pid for child in psutil.Process(offline.process.pid).children(recursive=True)]
    offline.process.send_signal(signal.SIGINT)
    assert wait_until(lambda: offline.process.poll() is not None), "".join(offline.lines)
    assert wait_until(lambda: not any(is_running(pid) for pid in engines))
