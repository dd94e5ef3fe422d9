"""The one importer of `bot.board`: the board that the pages show."""

from __future__ import annotations

from bot.board import board_routes, checked_king, icon, last_squares, materials

__all__ = ["board_routes", "checked_king", "icon", "last_squares", "materials"]
