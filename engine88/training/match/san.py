"""Moves in the short algebraic notation of PGN. Source: "Portable Game Notation: Specification", 8.2.3."""

from engine88.rules.position import Position


def san(position: Position, move: str) -> str:
    """The notation of a legal move, given in UCI notation."""
    after = position.push(move)
    mark = "" if not after.is_check() else "+" if after.legal_codes() else "#"
    return _without_mark(position, move) + mark


def _without_mark(position: Position, move: str) -> str:
    pieces = _pieces(position)
    source, target, promotion = move[:2], move[2:4], move[4:].upper()
    letter = pieces[source].upper()
    if letter == "K" and abs(ord(source[0]) - ord(target[0])) == 2:
        return "O-O" if target[0] == "g" else "O-O-O"
    takes = "x" if target in pieces or (letter == "P" and source[0] != target[0]) else ""
    if letter == "P":
        return (source[0] if takes else "") + takes + target + (f"={promotion}" if promotion else "")
    others = [
        name[:2]
        for name in position.legal_moves()
        if name[2:4] == target and name[:2] != source and pieces[name[:2]] == pieces[source]
    ]
    return letter + _told_apart(source, others) + takes + target


def _told_apart(source: str, others: list[str]) -> str:
    """What of its square tells a piece from others of its kind that could go there too."""
    if not others:
        return ""
    if all(other[0] != source[0] for other in others):
        return source[0]
    return source[1] if all(other[1] != source[1] for other in others) else source


def _pieces(position: Position) -> dict[str, str]:
    """The letter of the piece on each occupied square."""
    found = {}
    for rank, row in zip("87654321", position.fen().split()[0].split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found["abcdefgh"[file] + rank] = letter
                file += 1
    return found
