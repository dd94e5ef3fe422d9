"""How far a run is: a bar on a terminal, a line every half minute elsewhere."""

from __future__ import annotations

import time
from typing import TextIO

WIDTH = 30
LINE_EVERY_S = 30.0
BAR_EVERY_S = 0.5


class Progress:
    """Shows the state of a run on a stream."""

    def __init__(self, total: int, stream: TextIO) -> None:
        """`total`: how many games are to be played."""
        self._total, self._stream = total, stream
        self._bar = stream.isatty()
        self._began_s = time.monotonic()
        self._shown_s = -LINE_EVERY_S

    def show(self, done: int, running: int, violations: int, note: str = "", *, last: bool = False) -> None:
        """Show so many finished and running games; most calls show nothing."""
        now_s = time.monotonic()
        if not last and now_s - self._shown_s < (BAR_EVERY_S if self._bar else LINE_EVERY_S):
            return
        self._shown_s = now_s
        spent_s = now_s - self._began_s
        text = f"{done}/{self._total} games, {running} running, {violations} violations"
        text += f", {clock(spent_s)}" + (f", {note}" if note else "")
        if done and done < self._total:
            text += f", about {clock(spent_s * (self._total - done) / done)} to go"
        if self._bar:
            filled = WIDTH * done // max(1, self._total)
            self._stream.write(f"\r\x1b[2K[{'#' * filled}{'.' * (WIDTH - filled)}] {text}" + ("\n" if last else ""))
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def tell(self, text: str) -> None:
        """Show a line that stays."""
        self._stream.write(("\r\x1b[2K" if self._bar else "") + text + "\n")
        self._stream.flush()


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any."""
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
