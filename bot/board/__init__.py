"""The chess board of all pages: pictures of boards and pieces, the script that shows and moves them, material."""

from bot.board.material import Material, checked_king, last_squares, materials
from bot.board.routes import board_routes, icon
