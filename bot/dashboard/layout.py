"""What all pages share: headers, the frame of a page, panels, and figures as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
<link rel="stylesheet" href="/board/board.css">
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
    names = ("/board/view", f"/static/{script}") if script else ()
    module = "".join(f'<script src="{name}.js" type="module"></script>\n' for name in names)
    files = {"script": module, "sign": sign}
    return _PAGE.format(title=escape(title), body=body, here=current["/"], games=current["/games"], **files)


def message_page(title: str, text: str) -> str:
    """Return a page with one message and the way back."""
    links = '<a href="/">Running games</a> · <a href="/games">Finished games</a>'
    message = f'<p class="panel said">{escape(text)}</p><p>{links}</p>'
    return document(f"{title} · bot88", f'<main id="content"><header><h1>{escape(title)}</h1></header>{message}</main>')


def panel(title: str, body: str, kind: str = "") -> str:
    """Return a card with a heading; `body` is markup."""
    name = f"panel {kind}".strip()
    return f'<section class="{name}" aria-label="{escape(title)}"><h2>{escape(title)}</h2>{body}</section>'


def rows(entries: Iterable[tuple[str, str]], none: str = "") -> str:
    """Return terms with their texts, or `none` if there are none."""
    lines = [f"<div><dt>{escape(term)}</dt><dd>{escape(text)}</dd></div>" for term, text in entries]
    return f"<dl>{''.join(lines)}</dl>" if lines else f'<p class="none">{escape(none)}</p>'


def board(position: Mapping[str, str], label: str) -> str:
    """Return a board; see bot/board/static/view.js for the attributes in `position`."""
    found = "".join(f' {name}="{escape(value)}"' for name, value in position.items() if value)
    return f'<chess-board class="board" role="img" aria-label="{escape(label)}"{found}></chess-board>'


def captured(color: str) -> str:
    """Return the place for the pieces that a side has captured, which the board fills."""
    return f'<span class="captured" data-color="{color}" data-keep></span>'


FLIP = '<button type="button" class="flip quiet" aria-label="Flip the board" title="Flip the board">⇅</button>'
HTML = "text/html; charset=utf-8"
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def respond(content: str | bytes, media_type: str, status: int = 200) -> Response:
    """Return a response that other sites cannot frame, and whose page loads nothing from outside."""
    return Response(content, status, HEADERS, media_type)


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
