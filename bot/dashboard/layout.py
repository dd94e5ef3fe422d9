"""What all pages share: headers, the frame of a page, panels, and figures as text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from starlette.responses import Response

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css">
<script src="/static/theme.js"></script>
{script}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Pages"><a class="home" href="/"{here}><img src="/icon.svg" alt="" width="28" height="28">bot88</a>
<a href="/games"{games}>Games</a>
{sign}<button type="button" id="theme" class="quiet" hidden>Theme</button></nav>
{body}
<p id="offline" role="status" hidden>Connection lost; trying again…</p>
</body>
</html>
"""


def document(title: str, body: str, *, script: str = "", here: str = "", sign: str = "") -> str:
    """Return a whole page; `body` is markup, `script` a file of `static`, "" for none.

    `here`: the page's address; `sign`: markup for signing in or out.
    """
    current = {address: ' aria-current="page"' if here == address else "" for address in ("/", "/games")}
    module = f'<script src="/static/{script}.js" type="module"></script>\n' if script else ""
    files = {"script": module, "sign": sign}
    return _PAGE.format(title=escape(title), body=body, here=current["/"], games=current["/games"], **files)


def panel(title: str, body: str, kind: str = "") -> str:
    """Return a card with a heading; `body` is markup."""
    name = f"panel {kind}".strip()
    return f'<section class="{name}" aria-label="{escape(title)}"><h2>{escape(title)}</h2>{body}</section>'


def rows(entries: Iterable[tuple[str, str]], none: str = "") -> str:
    """Return terms with their texts, or `none` if there are none."""
    lines = [f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in entries]
    return f"<dl>{''.join(lines)}</dl>" if lines else f'<p class="none">{escape(none)}</p>'


HTML = "text/html; charset=utf-8"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def respond(content: str | bytes, media_type: str, status: int = 200, cache: str = "no-store") -> Response:
    """Return a response that other sites cannot frame, and whose page loads nothing from outside."""
    return Response(content, status, HEADERS | {"Cache-Control": cache}, media_type)


def duration_text(seconds: float) -> str:
    """Return a duration in its largest fitting unit."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def count_text(count: int) -> str:
    """Return a large number in three digits: 950, 12.3 k, 1.25 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            digits = max(0, 2 - len(str(int(count / size))) + 1)
            return f"{count / size:.{digits}f} {unit}"
    return str(count)
