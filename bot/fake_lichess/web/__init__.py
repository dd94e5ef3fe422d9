"""The board in the browser. Pages use the public API; what is not part of it lies under /web."""

from .routes import page_routes

__all__ = ["page_routes"]
