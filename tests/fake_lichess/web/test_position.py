"""Positions for the page: moves, premoves, captured material, moves in words."""

from __future__ import annotations

import chess
import chess.variant
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import materials
from bot.fake_lichess.web.position import describe, last_move_in_words
from bot.fake_lichess.web.premoves import premove_targets

SCHOLAR = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
PROMOTION = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 c8d7 b7a8q"


def test_the_first_position() -> None:
    found = describe({})
    assert found["fen"] == chess.STARTING_FEN
    assert found["turn"] == "white"
    assert found["last"] == []
    assert found["check"] is None
    assert found["pockets"] is None
    targets = found["targets"]
    assert isinstance(targets, dict)
    assert sum(len(moves) for squares in targets.values() for moves in squares.values()) == 20
    assert targets["g1"] == {"f3": ["g1f3"], "h3": ["g1h3"]}


def test_the_opening_of_the_line_is_named() -> None:
    assert describe({})["opening"] is None
    assert describe({"moves": "e2e4 c7c5"})["opening"] == {"eco": "B20", "name": "Sicilian Defense", "ply": 2}
    assert describe({"moves": "e2e4 c7c5", "variant": "antichess"})["opening"] is None


def test_mate_is_check_without_targets() -> None:
    found = describe({"moves": SCHOLAR})
    assert found["check"] == "e8"
    assert found["targets"] == {}
    assert found["last"] == ["h5", "f7"]
    assert found["sans"] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]


def targets(fen: str, variant: str = "fromPosition") -> dict[str, dict[str, list[str]]]:
    """Legal moves by square."""
    found = describe({"variant": variant, "initialFen": fen})["targets"]
    assert isinstance(found, dict)
    return found


CASTLING = {"g1": ["e1g1"], "h1": ["e1g1"], "c1": ["e1c1"], "a1": ["e1c1"]}


@pytest.mark.parametrize(
    ("variant", "fen", "square", "expected"),
    [
        ("fromPosition", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", CASTLING),  # onto the target or the rook
        ("chess960", "5k2/8/8/8/8/8/8/5K1R w H - 0 1", "f1", {"h1": ["f1h1"], "g1": ["f1g1"]}),  # beside its target
        ("fromPosition", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7", {"a8": ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]}),
        ("antichess", "8/P7/8/8/8/8/8/7k w - - 0 1", "a7", {"a8": [f"a7a8{piece}" for piece in "bknqr"]}),
    ],
)
def test_a_square_offers_its_moves_by_target(
    variant: str, fen: str, square: str, expected: dict[str, list[str]]
) -> None:
    found = targets(fen, variant)[square]
    assert {target: sorted(moves) for target, moves in found.items() if target in expected} == expected


def test_crazyhouse_shows_pockets_and_drops() -> None:
    found = describe({"variant": "crazyhouse", "moves": "e2e4 d7d5 e4d5 d8d5"})
    assert found["pockets"] == {
        "white": {"P": 1, "N": 0, "B": 0, "R": 0, "Q": 0},
        "black": {"P": 1, "N": 0, "B": 0, "R": 0, "Q": 0},
    }
    drops = found["targets"]
    assert isinstance(drops, dict)
    assert drops["P@"]["e4"] == ["P@e4"]


def test_three_check_counts() -> None:
    assert describe({"variant": "threeCheck", "moves": "e2e4 e7e5 d1h5 b8c6 h5f7"})["checksLeft"] == {
        "white": 2,
        "black": 3,
    }


def test_numbers_begin_where_the_position_does() -> None:
    found = describe({"variant": "fromPosition", "initialFen": "4k3/8/8/8/8/8/8/4K3 b - - 0 30", "moves": "e8e7"})
    assert (found["firstNumber"], found["firstTurn"], found["turn"]) == (30, "black", "white")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"variant": "poker"}, "unknown variant 'poker'"),
        ({"initialFen": "8/8"}, "unreadable position"),
        ({"moves": "e2e5"}, "move 'e2e5' is not possible"),
        ({"moves": "xyz"}, "move 'xyz' is not possible"),
        ({"moves": "e2e4 " * 3000}, "more than 2000 moves"),
        ({"moves": 5, "variant": ["standard"]}, "unknown variant"),
    ],
)
def test_nonsense_is_reported(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("[", r"\[")):
        describe(fields)


def after(moves: str, board: chess.Board) -> object:
    """The material after the moves."""
    for uci in moves.split():
        board.push_uci(uci)
    return materials(board)[-1]


@pytest.mark.parametrize(
    ("moves", "white", "black", "lead"),
    [
        ("", "", "", 0),
        ("e2e4 d7d5 e4d5 d8d5 b1c3", "p", "p", 0),
        ("e2e4 a7a6 e4e5 d7d5 e5d6", "p", "", 1),  # in passing
        (PROMOTION, "rppp", "", 16),  # the pawn has become a queen, nobody took it
        (f"{PROMOTION} d8a5 a8b8 d7c8 b8c8", "rbnppp", "", 22),
    ],
)
def test_what_is_taken(moves: str, white: str, black: str, lead: int) -> None:
    assert after(moves, chess.Board()) == {"white": white, "black": black, "lead": lead}


def test_an_explosion_takes_from_both() -> None:
    board = chess.variant.AtomicBoard("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    assert after("e4d5", board) == {"white": "p", "black": "p", "lead": 0}


def test_taken_pieces_that_come_back_are_not_counted() -> None:
    assert materials(chess.variant.CrazyhouseBoard()) == [None]
    assert materials(chess.variant.AntichessBoard()) == [None]


@pytest.mark.parametrize(
    ("fen", "uci", "words"),
    [
        (chess.STARTING_FEN, "g1f3", "knight to f 3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "pawn takes on d 5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "pawn takes on d 6 en passant"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "pawn to a 8, becomes a queen, check"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castles kingside"),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "castles queenside"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "rook to a 8, checkmate"),
    ],
)
def test_a_move_in_words(fen: str, uci: str, words: str) -> None:
    board = chess.Board(fen)
    board.push_uci(uci)
    assert last_move_in_words(board) == words


def test_before_the_first_move_there_is_nothing_to_say() -> None:
    assert last_move_in_words(chess.Board()) == ""


def test_a_drop() -> None:
    board = chess.variant.CrazyhouseBoard()
    for uci in ("e2e4", "d7d5", "e4d5", "d8d5", "P@e4"):
        board.push_uci(uci)
    assert last_move_in_words(board) == "pawn dropped on e 4"


@pytest.mark.parametrize(
    ("fen", "square", "planned", "impossible"),
    [
        (chess.STARTING_FEN, "g8", "e7 f6 h6", "g6"),  # a knight may recapture on its own piece's square
        (chess.STARTING_FEN, "a8", "a1 a4 h8", "b7"),  # a rook looks through its own pieces
        (chess.STARTING_FEN, "e7", "e6 e5 d6 f6", "e4"),
        ("4k3/8/4p3/8/8/8/8/4K3 w - - 0 1", "e6", "e5 d5 f5", "e4"),
        ("4k3/8/8/8/8/8/4p3/K7 w - - 0 1", "e2", "e1 d1 f1", "e3"),
        ("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "e8", "g8 h8 c8 a8", "e6"),  # castling onto the target or the rook
        ("r3k2r/8/8/8/8/8/8/4K3 w - - 0 1", "e8", "d8", "g8 c8"),
    ],
)
def test_a_piece_of_the_waiting_side_may_plan_to_go(fen: str, square: str, planned: str, impossible: str) -> None:
    found = set(premove_targets(chess.Board(fen))[square])
    assert set(planned.split()) <= found
    assert not set(impossible.split()) & found


def test_a_piece_in_hand_may_be_dropped_anywhere_a_pawn_not_on_the_last_ranks() -> None:
    found = describe({"variant": "crazyhouse", "moves": "e2e4 d7d5 e4d5 d8d5 b1c3"})["premoves"]
    assert isinstance(found, dict)
    assert len(found["P@"]) == 48
    assert "N@" not in found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10_000), max_size=60))
@pytest.mark.parametrize("chess960", [False, True])
def test_every_legal_move_could_have_been_planned_before(chess960: bool, choices: list[int]) -> None:
    board = chess.Board.from_chess960_pos(sum(choices) % 960) if chess960 else chess.Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(moves[choice % len(moves)])
        planned = premove_targets(board)
        after = board.copy()
        for reply in list(board.legal_moves)[:3]:
            after.push(reply)
            for move in after.legal_moves:
                assert chess.square_name(move.to_square) in planned[chess.square_name(move.from_square)], (board, move)
            after.pop()
