"""Closing the files of a source."""

from __future__ import annotations

import threading

from bot.move_sources.request import close_files


def test_files_are_closed_unless_a_query_hangs_in_them() -> None:
    lock, closed = threading.Lock(), list[int]()
    with lock:
        close_files(lock, lambda: closed.append(1), 0.01)
    assert closed == []
    close_files(lock, lambda: closed.append(2), 0.01)
    assert (closed, lock.locked()) == ([2], False)
