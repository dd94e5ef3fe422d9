"""A page with the table and the boards of the running games, on a loopback port."""

from __future__ import annotations

import contextlib
import html
import threading
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chess.svg

from bot.lab.league.league import LeagueState
from bot.lab.league.view import COLUMNS, cells

_BOARD_PX = 320
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }}
body {{ margin: 1.5rem auto; max-width: 70rem; padding: 0 1rem }}
table {{ border-collapse: collapse }}
th, td {{ padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8884 }}
th:nth-child(2), td:nth-child(2) {{ text-align: left }}
main {{ display: flex; flex-wrap: wrap; gap: 1.5rem; margin-top: 1.5rem }} figure {{ margin: 0 }}
</style></head><body><h1>{title}</h1>
<table>{rows}</table>
<main>{boards}</main></body></html>"""


def page(state: LeagueState) -> str:
    """Return the page as HTML."""
    rows = [_row("th", COLUMNS), *(_row("td", cells(place, row)) for place, row in enumerate(state.rows(), 1))]
    boards = []
    for (number, white, black), board in state.running():
        last = board.move_stack[-1] if board.move_stack else None
        picture = chess.svg.board(board, lastmove=last, size=_BOARD_PX)
        title = html.escape(f"{white} - {black}, round {number}, move {board.fullmove_number}")
        boards.append(f"<figure>{picture}<figcaption>{title}</figcaption></figure>")
    title = f"League: {len(state.games)} of {state.total} games"
    return _PAGE.format(title=title, rows="".join(rows), boards="".join(boards))


def _row(tag: str, texts: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(text)}" for text in texts) + "</tr>"


@contextlib.contextmanager
def serving(state: LeagueState, *, enabled: bool) -> Iterator[str]:
    """Serve the page within the block; yields its address, "" if it is not wanted."""
    if not enabled:
        yield ""
        return

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/"
            body = page(state).encode() if found else b"not here; the page is /"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Keep the terminal for the table."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, name="league-page", daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
