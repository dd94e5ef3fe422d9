"""A tap on everything that the server says, for checking it against the official schemas.

In the server's own process: add a sink. For servers in other processes: name a folder in FAKE_LICHESS_TAP, and every
line is appended to a file of the process's own in it. What a fault plan breaks is tapped as it was before it broke.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ENVIRONMENT_KEY = "FAKE_LICHESS_TAP"


@dataclass(frozen=True)
class Said:
    """One answer, or one line of a stream: method and path template of its endpoint, status, media type, text."""

    method: str
    template: str
    status: int
    media: str
    text: str
    pid: int


Sink = Callable[[Said], None]
sinks: list[Sink] = []


def say(method: str, template: str, status: int, media: str, content: bytes) -> None:
    """Tell the sinks, or the file of this process; nothing when nobody listens."""
    folder = os.environ.get(ENVIRONMENT_KEY)
    if not sinks and not folder:
        return
    said = Said(method, template, status, media, content.decode("utf-8", "replace"), os.getpid())
    for sink in sinks:
        sink(said)
    if folder and not sinks:
        with Path(folder, f"{os.getpid()}.ndjson").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(said)) + "\n")
