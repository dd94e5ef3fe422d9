"""Pictures by python-chess: empty boards, pieces, the icon."""

from __future__ import annotations

import functools
import re

import chess
import chess.svg

#: The light and the dark squares of each board that can be chosen.
BOARDS = {
    "blue": ("#e9e7dd", "#7f96ab"),
    "brown": ("#eedab9", "#a97d54"),
    "green": ("#ecedd2", "#76935a"),
    "grey": ("#dcdcdc", "#8f9499"),
}
#: What each set of pieces writes for white and for black ink in python-chess's drawings.
SETS = {"classic": ("#fff", "#000"), "wood": ("#e9c795", "#4a2a12")}
_WHITE = re.compile(r"((?:fill|stroke)[=:]\"?\s*)(?:#fff(?:fff)?|#ececec|white)\b")
_BLACK = re.compile(r"((?:fill|stroke)[=:]\"?\s*)(?:#000(?:000)?|black)\b")
PIECES = {
    f"{color}{symbol}": chess.Piece.from_symbol(symbol if color == "w" else symbol.lower())
    for color in "wb"
    for symbol in "PNBRQK"
}


@functools.lru_cache(maxsize=len(BOARDS))
def empty_board(name: str) -> str | None:
    """Return the 64 squares of a board, without pieces and margin; None when there is none of that name."""
    if name not in BOARDS:
        return None
    light, dark = BOARDS[name]
    return chess.svg.board(
        None, coordinates=False, colors={"square light": light, "square dark": dark, "margin": "#00000000"}
    )


@functools.lru_cache(maxsize=64)
def piece(name: str, set_name: str = "classic") -> str | None:
    """Return a piece by colour and letter, such as "wN", of a set; None when there is none of that name."""
    found = PIECES.get(name)
    if found is None:
        return None
    if set_name == "letters":
        return _letter(found)
    if set_name not in SETS:
        return None
    white, black = SETS[set_name]
    drawn = chess.svg.piece(found)
    if set_name == "classic":
        return drawn
    drawn = _WHITE.sub(r"\1@white@", drawn)
    return _BLACK.sub(rf"\g<1>{black}", drawn).replace("@white@", white)


def _letter(found: chess.Piece) -> str:
    """Return a piece as a letter in a disc, for people who do not know the figures."""
    ink, ground = ("#1c1c1c", "#fdfcf7") if found.color else ("#fdfcf7", "#1c1c1c")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">'
        f'<circle cx="22.5" cy="22.5" r="18" fill="{ground}" stroke="{ink}" stroke-width="2"/>'
        '<text x="22.5" y="31" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="24"'
        f' fill="{ink}">{found.symbol().upper()}</text></svg>'
    )


def icon() -> str:
    """Return bot88's icon: a white knight on blue, which is seen on light and on dark tabs."""
    knight = chess.svg.piece(chess.Piece.from_symbol("N"))
    return knight.replace("><", '><rect width="45" height="45" rx="9" fill="#2f6f9f"/><', 1)
