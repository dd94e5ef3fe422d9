"""What every answer carries."""

from __future__ import annotations

from starlette.responses import Response

HTML = "text/html; charset=utf-8"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def respond(content: str | bytes, media_type: str, status: int = 200, cache: str = "no-store") -> Response:
    """Return an answer that nothing outside may frame, and whose page loads nothing from outside."""
    return Response(content, status, HEADERS | {"Cache-Control": cache}, media_type)
