"""The rules that the page asks for, against python-chess and by their traps."""

from __future__ import annotations

import chess
import pytest

from bot.fake_lichess.web.position import describe

SCHOLAR = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


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


def test_castling_is_played_onto_the_target_or_the_rook() -> None:
    king = targets("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")["e1"]
    assert (king["g1"], king["h1"], king["c1"], king["a1"]) == (["e1g1"], ["e1g1"], ["e1c1"], ["e1c1"])


def test_a_chess960_king_beside_its_target_castles_onto_the_rook_only() -> None:
    king = targets("5k2/8/8/8/8/8/8/5K1R w H - 0 1", "chess960")["f1"]
    assert king["h1"] == ["f1h1"]
    assert king["g1"] == ["f1g1"]


def test_a_promotion_offers_four_moves() -> None:
    assert sorted(targets("8/P7/8/8/8/8/8/k1K5 w - - 0 1")["a7"]["a8"]) == ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]


def test_antichess_may_promote_to_a_king() -> None:
    assert "a7a8k" in targets("8/P7/8/8/8/8/8/7k w - - 0 1", "antichess")["a7"]["a8"]


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
def test_nonsense_is_told(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("[", r"\[")):
        describe(fields)
