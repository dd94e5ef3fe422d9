"""Asks the server's export whether a game still runs that the list of running games does not show."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from bot.account.slots import SlotRecord
from bot.errors import LichessError, NotFound
from bot.events import GameExport, GameInfo, Player

NOT_FOUND_ENDS = 3  # answers "no such game" before a game counts as gone: one alone may be a server's bad moment

log = structlog.get_logger(__name__)


class GameLookUp:
    """Calls `over(info)` for a game that has ended; a list that does not show a game never ends it."""

    def __init__(self, export_game: Callable[[str], GameExport], over: Callable[[GameInfo], None]) -> None:
        """`export_game(game_id)` raises LichessError."""
        self._export_game = export_game
        self._over = over
        self._not_found: dict[str, int] = {}

    def __call__(self, record: SlotRecord) -> bool:
        """Look one game up; returns whether it was found running. A request that fails decides nothing."""
        game_id = record.game_id
        try:
            export = self._export_game(game_id)
        except NotFound:
            self._not_found[game_id] = self._not_found.get(game_id, 0) + 1
            if self._not_found[game_id] >= NOT_FOUND_ENDS:
                self._end(record, "unknownFinish", "")
            return False
        except LichessError as error:
            log.warning("game_not_looked_up", game_id=game_id, error=str(error))
            return False
        self._not_found.pop(game_id, None)
        if export.is_over:
            self._end(record, export.status, export.winner)
        return not export.is_over

    def _end(self, record: SlotRecord, status: str, winner: str) -> None:
        self._not_found.pop(record.game_id, None)
        log.warning("game_ended_unnoticed", game_id=record.game_id, status=status)
        opponent = Player(record.opponent_id, record.opponent_id)
        self._over(GameInfo(record.game_id, "", opponent, status=status, winner=winner))
