"""Syzygy tables that are looked at before they are asked.

python-chess goes through the pieces that a table's header names until it has found as many on the board: where a
damaged header names others than the file's name does, it never ends.
"""

from __future__ import annotations

import chess
import chess.syzygy
import structlog

log = structlog.get_logger(__name__)


class SyzygyTables(chess.syzygy.Tablebase):
    """A tablebase that tells of a damaged table once, and from then on does without it."""

    def __init__(self) -> None:
        super().__init__()
        self._sound: set[str] = set()

    def probe_wdl_table(self, board: chess.Board) -> int:
        """Probe as the base class does; raises MissingTableError for a damaged table too."""
        self._check(self.wdl, board)
        return super().probe_wdl_table(board)

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        """Probe as the base class does; raises MissingTableError for a damaged table too."""
        self._check(self.dtz, board)
        return super().probe_dtz_table(board, wdl)

    def _check(self, tables: dict[str, chess.syzygy.Table], board: chess.Board) -> None:
        """Look at the table of this material when it is first needed; drop it when it is damaged."""
        table = tables.get(chess.syzygy.calc_key(board))
        if table is None or table.path in self._sound:
            return
        try:
            _look_at(table)
        except Exception as error:  # noqa: BLE001 - python-chess raises whatever damaged bytes lead to
            log.error("syzygy_table_damaged", path=table.path, error=repr(error), remedy="fetch this file again")
            for key in [key for key, one in tables.items() if one is table]:
                del tables[key]
            table.close()
        else:
            self._sound.add(table.path)


def _look_at(table: chess.syzygy.Table) -> None:
    """Read the header; raises an error of python-chess, or ValueError where it is that of another table."""
    names = {table.key, table.mirrored_key}
    if isinstance(table, chess.syzygy.WdlTable):
        table.init_table_wdl()
        lists = [one for part in (table.files if table.has_pawns else [table]) for one in part.pieces.values()]
    else:
        assert isinstance(table, chess.syzygy.DtzTable)  # a tablebase knows these two
        table.init_table_dtz()
        lists = [part.pieces for part in (table.files if table.has_pawns else [table])]
    told = {chess.syzygy.recalc_key(pieces) for pieces in lists}
    if told != {table.key} or not told <= names:
        raise ValueError(f"the header names the pieces {' and '.join(sorted(told))}")
