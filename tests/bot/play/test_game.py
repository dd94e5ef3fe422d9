"""The fold of stream events into a game."""

from __future__ import annotations

import chess
import pytest

from bot.events.game import UNLIMITED_MS, ChatLine, GameState, OpponentGone, UnknownEvent
from bot.play.game import Game, MoveClocks, UnplayableGameError, starting_board
from tests.helpers.games import AI, ME, OTHER, full, game, state

BLACK_TO_MOVE = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"


def test_plays_the_colour_of_its_account_whatever_the_case() -> None:
    assert Game(full(), "BOT88", 0.0).my_color == chess.WHITE
    assert game(white=AI, black=ME).my_color == chess.BLACK
    with pytest.raises(UnplayableGameError, match="neither white nor black"):
        game(white=OTHER, black=AI)


def test_wants_a_move_exactly_when_it_is_ours_to_make() -> None:
    one = game()
    assert one.wants_move
    one.apply(state("e2e4"), 101.0)
    assert not one.wants_move
    one.apply(state("e2e4 e7e5"), 102.0)
    assert one.wants_move
    one.apply(state("e2e4 e7e5", status="resign", winner="white"), 103.0)
    assert not one.wants_move
    assert one.over
    assert one.result == "won"


def test_black_begins_from_a_position_with_black_to_move() -> None:
    mine = game(white=OTHER, black=ME, variant="fromPosition", initial_fen=BLACK_TO_MOVE)
    assert mine.wants_move
    assert not game(variant="fromPosition", initial_fen=BLACK_TO_MOVE).wants_move


def test_a_takeback_shortens_the_moves_and_gives_a_new_revision() -> None:
    one = game(state("e2e4 e7e5"))
    revision = one.revision
    one.apply(state("e2e4"), 101.0)
    assert one.ply == 1
    assert one.board.fen() == chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").fen()
    one.apply(state("e2e4 c7c5"), 102.0)
    assert one.revision == revision + 2
    assert one.board.move_stack[-1].uci() == "c7c5"


@pytest.mark.parametrize("reply", ["a7a6", "g8f6"])
def test_a_takeback_and_other_moves_may_come_in_one_line(reply: str) -> None:
    one = game(state("e2e4 e7e5"))
    one.apply(state(f"e2e4 {reply} d2d4"), 101.0)
    assert [move.uci() for move in one.board.move_stack] == ["e2e4", reply, "d2d4"]


def test_the_same_moves_again_are_no_news() -> None:
    one = game(state("e2e4 e7e5"))
    before = (one.revision, one.turn_began_s)
    one.apply(full(state("e2e4 e7e5", wtime_ms=90_000)), 110.0)
    one.apply(state("e2e4 e7e5", wtime_ms=90_000, bdraw=True), 111.0)
    assert (one.revision, one.turn_began_s) == before
    assert one.my_clock_ms == 90_000  # more time given is taken
    assert one.draw_offered


@pytest.mark.parametrize("castling", ["e1g1", "e1h1"])
def test_castling_is_understood_in_both_notations(castling: str) -> None:
    one = game(state(f"e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 {castling}"), white=OTHER, black=ME)
    assert one.board.king(chess.WHITE) == chess.G1
    assert one.wants_move


def test_chess960_castling_is_king_takes_rook() -> None:
    free = game(variant="chess960", initial_fen="4k3/8/8/8/8/8/8/RK5R w AH - 0 1")
    assert free.names_move("b1h1") == "b1h1"
    free.apply(state("b1h1"), 101.0)
    assert free.board.king(chess.WHITE) == chess.G1
    usual = game(state("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"), variant="chess960", initial_fen=chess.STARTING_FEN)
    assert usual.names_move("e1g1") == "e1h1"  # also from the position of standard chess


@pytest.mark.parametrize("uci", ["e2e5", "e7e5", "nonsense", ""])
def test_a_move_that_cannot_be_played_has_no_name(uci: str) -> None:
    assert game().names_move(uci) is None
    assert game().names_move("e2e4") == "e2e4"


def test_from_position_uses_chess960_castling_only_where_the_rights_need_it() -> None:
    usual = starting_board("fromPosition", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    moved = starting_board("fromPosition", "1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1")
    assert not usual.chess960
    assert moved.chess960


def test_moves_that_do_not_fit_and_unknown_variants_are_clear_errors() -> None:
    with pytest.raises(UnplayableGameError, match="do not fit"):
        game(state("e2e5"))
    with pytest.raises(UnplayableGameError, match="bughouse"):
        game(variant="bughouse")
    with pytest.raises(UnplayableGameError, match="cannot be set up"):
        game(variant="fromPosition", initial_fen="nonsense")


def test_mate_on_the_board_wants_no_move_though_the_server_says_started() -> None:
    mated = game(state("f2f3 e7e5 g2g4 d8h4"))
    assert mated.my_turn
    assert not mated.wants_move


def test_a_finished_variant_wants_no_move() -> None:
    moves = "e2e4 a7a6 e1e2 a6a5 e2e3 a5a4 e3d4"
    hill = game(state(moves), variant="kingOfTheHill", white=OTHER, black=ME)
    assert hill.my_turn
    assert not hill.wants_move


def test_offers_belong_to_the_opponent() -> None:
    assert game(state(bdraw=True)).draw_offered
    assert not game(state(wdraw=True)).draw_offered
    assert game(state(wdraw=True), white=OTHER, black=ME).draw_offered
    assert not game(state(bdraw=True), white=OTHER, black=ME).draw_offered
    assert game(state(btakeback=True)).takeback_asked
    assert not game(state(wtakeback=True)).takeback_asked
    assert game(state(wtakeback=True), white=OTHER, black=ME).takeback_asked
    assert not game(state(btakeback=True), white=OTHER, black=ME).takeback_asked


def test_an_absent_opponent_can_be_claimed_against_until_they_move_or_return() -> None:
    one = game(state("e2e4"))
    assert not one.opponent_gone
    one.apply(OpponentGone(True, 8), 200.0)
    assert (one.opponent_gone, one.claim_at_s) == (True, 208.0)
    one.apply(OpponentGone(False), 201.0)
    assert (one.opponent_gone, one.claim_at_s) == (False, None)
    one.apply(OpponentGone(True, 8), 202.0)
    one.apply(state("e2e4 e7e5"), 203.0)
    assert (one.opponent_gone, one.claim_at_s) == (False, None)


def test_chat_and_unknown_events_change_nothing() -> None:
    one = game(state("e2e4"))
    before = (one.state, one.revision)
    one.apply(ChatLine("alice", "hi"), 101.0)
    one.apply(UnknownEvent("somethingNew", {}), 101.0)
    assert (one.state, one.revision) == before


def test_clocks_are_ours_and_theirs_by_colour() -> None:
    one = game(state(wtime_ms=1, btime_ms=2, winc_ms=3, binc_ms=4), white=OTHER, black=ME)
    assert (one.my_clock_ms, one.opponent_clock_ms) == (2, 1)
    assert (one.my_increment_ms, one.opponent_increment_ms) == (4, 3)


def test_a_game_taken_up_in_the_middle_counts_the_time_that_has_run_since() -> None:
    moves = state("e2e4 e7e5", wtime_ms=50_000)
    one = Game(full(moves), "bot88", 100.0, seconds_left=30)
    assert one.turn_began_s == pytest.approx(80.0)
    assert not one.turn_seen
    assert one.clocks_told_s == one.turn_began_s
    assert Game(full(moves), "bot88", 100.0).turn_began_s == 100.0


def test_only_what_came_as_news_was_seen_to_begin() -> None:
    one = game(state("e2e4"), white=OTHER, black=ME)
    one.apply(full(state("e2e4 e7e5 d2d4"), white=OTHER, black=ME), 101.0)
    assert not one.turn_seen
    one.apply(state("e2e4 e7e5 d2d4 e5d4 d1d4"), 102.0)
    assert one.turn_seen


@pytest.mark.parametrize(
    ("status", "winner", "result"),
    [
        ("mate", "white", "won"),
        ("outoftime", "black", "lost"),
        ("draw", "", "drawn"),
        ("aborted", "", "aborted"),
        ("unknownFinish", "", "unknown"),
    ],
)
def test_results_are_told_from_our_side(status: str, winner: str, result: str) -> None:
    assert game(state(status=status, winner=winner)).result == result
    as_black = {"won": "lost", "lost": "won"}.get(result, result)
    assert game(state(status=status, winner=winner), white=OTHER, black=ME).result == as_black
    assert game().outcome is None


def test_kinds_of_games() -> None:
    assert not game().is_correspondence
    assert game(initial_ms=None, increment_ms=None, speed="correspondence").is_correspondence
    assert game().abortable
    assert not game(state("e2e4 e7e5")).abortable
    assert not game(state("e2e4 e7e5 g1f3")).abortable
    assert not game(state("e2e4", status="aborted")).abortable
    assert not game(state("e2e4")).clock_runs
    assert game(state("e2e4 e7e5")).clock_runs
    assert game(state("e2e4 e7e5 g1f3")).clock_runs


def test_moves_that_vanish_though_nobody_asked_are_an_old_line() -> None:
    one = game(state("e2e4 e7e5 g1f3"))
    assert one.contradicts(state("e2e4"))
    assert not one.contradicts(full(state("e2e4")))  # what a new stream says is the truth
    assert not one.contradicts(state("e2e4 e7e5 g1f3 g8f6"))
    assert not one.contradicts(state("e2e4 e7e5 g1f3"))  # the same again, perhaps with an offer
    assert not one.contradicts(state("d2d4"))  # other moves, not fewer of the same
    assert not one.contradicts(state("g1f3"))
    assert not one.contradicts(OpponentGone(True))
    for asked in (state("e2e4 e7e5 g1f3", btakeback=True), state("e2e4 e7e5 g1f3", wtakeback=True)):
        one.apply(asked, 101.0)
        assert not one.contradicts(state("e2e4"))


def test_a_draw_for_the_asking_is_seen_before_the_move_that_brings_it() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    black = game(state(shuffle), white=OTHER, black=ME)
    assert black.draw_after("f6g8")  # the start position for the third time
    assert not black.draw_after("e7e5")
    assert len(black.board.move_stack) == 7
    assert not game(state("g1f3 g8f6 f3g1"), white=OTHER, black=ME).draw_after("f6g8")
    fifty = game(variant="fromPosition", initial_fen="7k/8/8/8/8/8/R7/K7 w - - 99 80")
    assert fifty.draw_after("a2b2")
    later = game(variant="fromPosition", initial_fen="7k/8/8/8/8/8/R7/K7 w - - 120 90")  # nobody claimed it so far
    assert later.draw_after("a2b2")
    fourth = game(state(f"{shuffle} f6g8 {shuffle}"), white=OTHER, black=ME)
    assert fourth.draw_after("f6g8")
    assert not game(variant="fromPosition", initial_fen="7k/8/8/8/8/8/R7/K7 w - - 9 80").draw_after("a2b2")


def test_a_takeback_takes_back_the_repetition_too() -> None:
    black = game(state("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3"), white=OTHER, black=ME)
    black.apply(state("g1f3 g8f6 f3g1", btakeback=True), 101.0)
    assert not black.draw_after("f6g8")


def test_a_line_that_does_not_fit_leaves_the_game_as_it_was() -> None:
    one = game(state("e2e4 e7e5"))
    revision = one.revision
    for bad in (state("e2e4 e7e5 g1f3 a1a1"), state("d2d4 zzzz"), full(state("e2e4 e7e5 e1e5"))):
        with pytest.raises(UnplayableGameError):
            one.apply(bad, 101.0)
    assert (one.revision, one.state.moves) == (revision, ("e2e4", "e7e5"))
    one.apply(state("e2e4 e7e5 g1f3"), 102.0)
    assert one.board.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"


def test_a_first_line_replaces_even_the_position_that_the_game_began_from() -> None:
    one = game(variant="fromPosition", initial_fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    one.apply(full(variant="fromPosition", initial_fen="4k3/8/8/8/8/8/8/4K2Q w - - 0 1"), 101.0)
    assert one.revision == 1
    assert one.board.piece_type_at(chess.H1) == chess.QUEEN


def clocks(*lines: tuple[int, int, int], first: chess.Color = chess.WHITE) -> dict[int, int]:
    """What is known after lines of (plies, White's clock, Black's clock)."""
    known = MoveClocks()
    for plies, white_ms, black_ms in lines:
        known.note(GameState(moves=("e2e4",) * plies, wtime_ms=white_ms, btime_ms=black_ms), first)
    return known.after_moves()


def test_each_line_tells_the_clock_of_its_last_move() -> None:
    assert clocks((0, 60, 60), (1, 58, 60), (2, 58, 55), (3, 50, 55)) == {1: 58, 2: 55, 3: 50}


def test_a_line_that_was_missed_is_made_good_by_the_next() -> None:
    assert clocks((1, 58, 60), (3, 50, 55), (6, 40, 41)) == {1: 58, 2: 55, 3: 50, 5: 40, 6: 41}


def test_a_repeated_line_changes_nothing_and_a_takeback_forgets() -> None:
    assert clocks((2, 58, 55), (2, 58, 55)) == {1: 58, 2: 55}
    assert clocks((2, 58, 55), (3, 50, 55), (1, 58, 60), (2, 58, 52)) == {1: 58, 2: 52}
    assert clocks((2, 58, 55), (2, 58, 50)) == {1: 58, 2: 50}  # the takeback and another move in one line


def test_where_black_begins_the_first_move_is_blacks() -> None:
    assert clocks((1, 60, 57), first=chess.BLACK) == {1: 57}


def test_without_a_clock_nothing_is_known() -> None:
    assert clocks((1, UNLIMITED_MS, UNLIMITED_MS)) == {}
