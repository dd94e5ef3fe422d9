"""An engine with a board of its own: a string of 120 characters, pseudo-legal moves, and the king as the goal."""

START, RANK = 21, 10
DIRECTIONS = {
    "P": (-10, -20, -11, -9),
    "N": (-21, -19, -12, -8, 8, 12, 19, 21),
    "B": (-11, -9, 9, 11),
    "R": (-10, -1, 1, 10),
    "Q": (-11, -9, 9, 11, -10, -1, 1, 10),
    "K": (-11, -9, 9, 11, -10, -1, 1, 10),
}
VALUE = {"P": 100, "N": 280, "B": 320, "R": 479, "Q": 929, "K": 60000}


class Mailbox:
    name = "Mailbox 1"
    options = {"Depth": (2, 1, 4)}

    def choose_move(self, board, limit):
        cells = from_fen(board.board_fen(), white=board.turn)
        legal = {move.uci(): move for move in board.legal_moves}
        scored = []
        for start, end in moves(cells):
            text = name(start, board.turn) + name(end, board.turn)
            for found in (text, text + "q"):
                if found in legal:
                    score = -negamax(rotate(play(cells, start, end)), self.options["Depth"] - 1, -99999, 99999)
                    scored.append((score, found))
        if not scored:
            return next(iter(legal.values()))  # only castling, en passant or an underpromotion is left
        score, best = max(scored)
        return best, score


def from_fen(placement, white):
    rows = []
    for row in placement.split("/"):
        for digit in "12345678":
            row = row.replace(digit, "." * int(digit))
        rows.append(row)
    cells = " " * 20 + "".join(f" {row} " for row in rows) + " " * 20
    return cells if white else rotate(cells)


def rotate(cells):
    return cells[::-1].swapcase()


def name(square, white):
    square = square if white else 119 - square
    return "abcdefgh"[square % 10 - 1] + str(10 - square // 10)


def moves(cells):
    for start, piece in enumerate(cells):
        if not piece.isupper():
            continue
        for step in DIRECTIONS[piece]:
            end = start + step
            while not (cells[end].isspace() or cells[end].isupper()):
                if piece == "P" and not pawn_may(cells, start, end, step):
                    break
                yield start, end
                if piece in "PNK" or cells[end].islower():
                    break
                end += step


def pawn_may(cells, start, end, step):
    if step in (-11, -9):
        return cells[end].islower()
    if step == -20 and (start < 81 or cells[start - 10] != "."):
        return False
    return cells[end] == "."


def play(cells, start, end):
    piece = cells[start]
    if piece == "P" and end < 30:
        piece = "Q"
    cells = cells[:end] + piece + cells[end + 1 :]
    return cells[:start] + "." + cells[start + 1 :]


def negamax(cells, depth, alpha, beta):
    if "K" not in cells:
        return -50000 - depth
    if depth == 0:
        return sum(VALUE.get(one, 0) - VALUE.get(one.upper(), 0) * one.islower() for one in cells)
    for start, end in sorted(moves(cells), key=lambda move: cells[move[1]] == "."):
        alpha = max(alpha, -negamax(rotate(play(cells, start, end)), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
