"""What counts as a good end, and how games are reported."""

from __future__ import annotations

import json

import pytest

from bot.events.game import Outcome
from bot.fake_lichess import GameReport
from bot.offline.match import OfflineGame, final_board, summarize

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def report(
    moves: tuple[str, ...] = FOOLS_MATE, status: str = "mate", winner: str | None = "black", **more: object
) -> GameReport:
    values: dict[str, object] = {
        "id": "abcdefgh",
        "white": "Greedy",
        "black": "bot88",
        "variant": "standard",
        "initial_fen": "startpos",
        "fen": "",
        "moves": moves,
        "status": status,
        "winner": winner,
        "white_ms": 1000,
        "black_ms": 1000,
        "clocks_ms": (),
        "chat": (),
        "rated": False,
        "speed": "bullet",
        "rematch_id": None,
    }
    return GameReport(**(values | more))  # type: ignore[arg-type]  # the names are checked by the class itself


def ended_game(bot_color: str = "black", refused: tuple[str, ...] = (), **report_values: object) -> OfflineGame:
    return OfflineGame(report(**report_values), bot_color, 1.5, refused)  # type: ignore[arg-type]  # as above


def test_a_win_by_mate() -> None:
    won = ended_game()
    assert (won.result, won.outcome, won.termination, won.ended_well) == ("0-1", Outcome.WIN, "checkmate", True)
    lost = ended_game("white")
    assert (lost.outcome, lost.ended_well) == (Outcome.LOSS, True)  # chess allows losing


@pytest.mark.parametrize(
    ("status", "winner", "well", "lost_on_time"),
    [
        ("resign", "black", True, False),
        ("resign", "white", False, False),
        ("outoftime", "black", True, False),
        ("outoftime", "white", False, True),
        ("timeout", "black", True, False),
        ("timeout", "white", False, False),
        ("aborted", None, False, False),
        ("started", None, False, False),
        ("draw", None, True, False),
        ("stalemate", None, True, False),
    ],
)
def test_whose_fault_an_end_is(status: str, winner: str | None, well: bool, lost_on_time: bool) -> None:
    end = ended_game(status=status, winner=winner)
    assert (end.ended_well, end.lost_on_time) == (well, lost_on_time)


def test_flagging_against_a_bare_king_is_still_flagging() -> None:
    assert ended_game(status="outoftime", winner=None, black_ms=0).lost_on_time


@pytest.mark.parametrize(
    ("refused", "illegal"), [((), 0), (("e7e5",), 0), (("a7a6",), 0), (("e7e4",), 1), (("e1e8", "zzz"), 2)]
)
def test_illegal_moves(refused: tuple[str, ...], illegal: int) -> None:
    """A repeated move and one that came too late are no illegal moves."""
    end = ended_game(refused=refused)
    assert end.illegal_moves == illegal
    assert end.ended_well == (illegal == 0)


def test_why_a_draw_is_one() -> None:
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
    assert ended_game(moves=shuffle, status="draw", winner=None).termination == "repetition"
    assert ended_game(moves=("e2e4",), status="draw", winner=None).termination == "agreement"
    bare = "8/8/8/4k3/8/8/8/4K3 w - - 0 1"
    assert ended_game(moves=(), initial_fen=bare, status="draw", winner=None).termination == "insufficient material"
    old = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80"
    assert ended_game(moves=("a1a2",), initial_fen=old, status="draw", winner=None).termination == "fifty moves"


def test_json_has_every_field_and_is_json() -> None:
    data = json.loads(json.dumps(ended_game().as_json()))
    expected = {
        "id": "abcdefgh",
        "result": "0-1",
        "status": "mate",
        "termination": "checkmate",
        "moves": list(FOOLS_MATE),
        "plies": 4,
        "bot_color": "black",
        "lost_on_time": False,
        "illegal_moves": 0,
        "wall_s": 1.5,
    }
    assert expected.items() <= data.items()


def test_chess960_castling_replays() -> None:
    fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"
    moves = ("h1g3", "h8g6", "f1g1")
    end = ended_game(moves=moves, variant="chess960", initial_fen=fen, status="resign", winner="black")
    assert len(final_board(end.report).move_stack) == 3


def test_the_summary_adds_up() -> None:
    games = [ended_game(), ended_game("white"), ended_game(status="draw", winner=None, moves=("e2e4",))]
    summary = summarize(games, 3, 12.3456)
    assert (summary.games, summary.wins, summary.draws, summary.losses) == (3, 1, 1, 1)
    assert summary.ended_well
    assert summary.terminations == {"checkmate": 2, "agreement": 1}
    assert json.loads(json.dumps(summary.as_json()))["summary"] is True
    assert not summarize(games, 4, 1.0).ended_well
    assert not summarize([*games, ended_game(status="aborted", winner=None)], 4, 1.0).ended_well


def test_missing_games_are_told_with_what_to_look_at() -> None:
    words = summarize([ended_game()], 3, 2.0).in_words(3)
    assert "1 of 3 games in 2.0 s: won 1" in words
    assert "NOT every game ended well\n2 did not begin or end" in words
    assert "did not begin" not in summarize([ended_game()], 1, 2.0).in_words(1)


def test_games_that_a_signal_stopped_are_not_blamed_on_anything() -> None:
    words = summarize([ended_game()], 3, 2.0).in_words(3, stopped=True)
    assert words.endswith("\nstopped: 2 did not begin or end\n")
    assert summarize([ended_game()], 1, 2.0).in_words(1, stopped=True).endswith("\nevery game ended well\n")


def test_a_win_of_white_is_no_point_for_black() -> None:
    assert ended_game("black", winner="white").outcome is Outcome.LOSS
    assert ended_game("white", winner="white").outcome is Outcome.WIN


def test_a_draw_claimed_late_is_by_the_fifty_moves_too() -> None:
    later = "4k3/8/8/8/8/8/8/R3K3 w - - 100 80"
    assert ended_game(moves=("a1a2",), initial_fen=later, status="draw", winner=None).termination == "fifty moves"


@pytest.mark.parametrize(("bot_color", "opponent"), [("black", "Greedy"), ("white", "bot88")])
def test_the_opponent_is_who_has_the_other_colour(bot_color: str, opponent: str) -> None:
    assert ended_game(bot_color).as_json()["opponent"] == opponent


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("mate", "white", "1-0"),
        ("mate", "black", "0-1"),
        ("stalemate", None, "1/2-1/2"),
        ("outoftime", None, "1/2-1/2"),
        ("aborted", None, "*"),
        ("started", None, "*"),
    ],
)
def test_the_result_as_a_score_sheet_has_it(status: str, winner: str | None, result: str) -> None:
    end = ended_game(status=status, winner=winner)
    assert (end.result, end.outcome is None) == (result, result == "*")


@pytest.mark.parametrize(
    ("bot_color", "status", "winner", "white_ms", "black_ms", "lost"),
    [
        ("white", "outoftime", "black", 0, 500, True),
        ("white", "outoftime", "white", 500, 0, False),
        ("white", "outoftime", None, 0, 500, True),
        ("white", "outoftime", None, 500, 0, False),
        ("black", "outoftime", None, 500, -3, True),
        ("white", "resign", "black", 0, 500, False),
    ],
)
def test_only_our_own_flag_counts_as_lost_on_time(
    bot_color: str, status: str, winner: str | None, white_ms: int, black_ms: int, lost: bool
) -> None:
    end = ended_game(bot_color, status=status, winner=winner, white_ms=white_ms, black_ms=black_ms)
    assert end.lost_on_time is lost


def test_the_summary_counts_what_went_wrong() -> None:
    games = [
        ended_game(refused=("e7e4", "zzz")),
        ended_game(status="outoftime", winner="white"),
        ended_game(status="aborted", winner=None, moves=()),
    ]
    summary = summarize(games, 3, 1.0)
    assert (summary.illegal_moves, summary.lost_on_time, summary.without_result, summary.plies) == (2, 1, 1, 8)
    assert not summary.ended_well


def test_games_beyond_those_that_were_asked_for_do_no_harm() -> None:
    assert summarize([ended_game(), ended_game()], 1, 1.0).ended_well
    assert not summarize([ended_game(), ended_game(status="aborted", winner=None)], 1, 1.0).ended_well


def test_how_games_ended_is_told_in_words() -> None:
    assert "ends: none; illegal moves: 0" in summarize([], 1, 1.0).in_words(1)
    games = [ended_game(), ended_game(), ended_game(status="resign", winner="black")]
    assert "ends: 2 by checkmate, 1 by resignation; illegal" in summarize(games, 3, 1.0).in_words(3)
