"""Starting the threads of a game where the system may refuse one for a moment."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

log = structlog.get_logger(__name__)


def start_thread(purpose: str, game_id: str, work: Callable[[], object]) -> bool:
    """Start a daemon thread named `purpose-game_id`; False, logged, where the system has none to spare just now."""
    try:
        threading.Thread(target=work, name=f"{purpose}-{game_id}", daemon=True).start()
    except RuntimeError as error:
        log.error("thread_not_started", game_id=game_id, purpose=purpose, error=str(error))
        return False
    return True
