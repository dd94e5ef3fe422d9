"""Lists page by page, as the server writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.fake_lichess.http.export_query import number
from bot.fake_lichess.http.request import Request
from bot.fake_lichess.world.json_objects import Json

T = TypeVar("T")


def page_of(request: Request, found: Sequence[T], size: int, shown: Callable[[T], Json]) -> Json:
    """The page that the query asks for, the first one without."""
    page, pages = max(1, number(request, "page", 1)), -(-len(found) // size)
    return {
        "currentPage": page,
        "maxPerPage": size,
        "currentPageResults": [shown(one) for one in found[(page - 1) * size : page * size]],
        "nbResults": len(found),
        "previousPage": page - 1 if page > 1 else None,
        "nextPage": page + 1 if page < pages else None,
        "nbPages": pages,
    }
