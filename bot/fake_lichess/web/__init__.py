"""The board in the browser: pages over the same public API that every client uses.

What is not Lichess's API lives under /web: files, pictures, and the rules of the game for the page (legal moves,
notation), so that the browser needs no chess program of its own.
"""

from bot.fake_lichess.web.routes import page_routes

__all__ = ["page_routes"]
