"""Manners: offers answered once, idle games aborted, absent opponents claimed against, few words."""

from __future__ import annotations

from typing import Any

from bot.errors import RateLimited, Rejected
from bot.events import ChatLine, OpponentGone
from bot.play.conduct import CLAIM_AGAIN_S, Conduct
from bot.play.game import Game
from tests.helpers.game_harness import GameHarness
from tests.helpers.games import AI, ME, OTHER, game, state
from tests.helpers.processes import wait_until


def at_table(**conduct: Any) -> tuple[GameHarness, Conduct]:
    """A table and manners of these settings."""
    table = GameHarness(conduct=conduct)
    return table, Conduct("abcdefgh", table.context, lambda: False)


def level(conduct: Conduct, moves: int = 8) -> None:
    """Let the game have been level for long."""
    for _ in range(moves):
        conduct.adjudicator.saw(0)


def long_game() -> Game:
    """A game of eighty plies, White to move."""
    return game(state(" ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 20)))


def said(table: GameHarness, *words: str) -> bool:
    """Wait until the server has heard it."""
    return wait_until(lambda: words in table.server.said)


def test_a_draw_offer_is_answered_once_and_by_the_scores() -> None:
    table, conduct = at_table()
    one = game(state("e2e4", bdraw=True))
    for _ in range(3):
        conduct.answer_offers(one)
    assert said(table, "draw", "no")
    assert table.server.count("draw") == 1
    table, conduct = at_table()
    level(conduct)
    late = long_game()
    late.apply(state(" ".join(late.state.moves), bdraw=True), 101.0)
    conduct.answer_offers(late)
    assert said(table, "draw", "yes")


def test_takebacks_are_granted_up_to_the_limit() -> None:
    table, conduct = at_table(takebacks=1)
    one = game(state("e2e4 e7e5", btakeback=True))
    conduct.answer_offers(one)
    assert said(table, "takeback", "yes")
    one.apply(state("e2e4"), 101.0)
    one.apply(state("e2e4 c7c5", btakeback=True), 102.0)
    conduct.answer_offers(one)
    assert said(table, "takeback", "no")


def test_offers_go_out_with_moves_and_not_too_often() -> None:
    _, conduct = at_table(claim_draw=False)
    level(conduct)
    late = long_game()
    assert conduct.offers_draw(late, "e2e4")
    assert not conduct.offers_draw(late, "e2e4")
    _, shy = at_table(draw={"offer": False}, claim_draw=False)
    level(shy)
    assert not shy.offers_draw(late, "e2e4")


def test_no_offer_to_the_computer_nor_at_the_first_move() -> None:
    _, conduct = at_table()
    level(conduct)
    assert not conduct.offers_draw(game(black=AI), "e2e4")
    assert not conduct.offers_draw(game(), "e2e4")


def test_a_repetition_is_claimed_unless_we_are_better() -> None:
    shuffle = game(state("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"), white=OTHER, black=ME)
    _, conduct = at_table()
    assert conduct.offers_draw(shuffle, "f6g8")
    conduct.adjudicator.saw(300)
    assert not conduct.offers_draw(shuffle, "f6g8")


def test_an_idle_game_is_aborted_once_and_only_before_it_began() -> None:
    table, conduct = at_table(abort_after_s=20.0)
    idle = game(state("e2e4"), now_s=100.0)
    conduct.tick(idle, 119.0)
    assert not table.server.said
    for second in range(121, 130):
        conduct.tick(idle, float(second))
    assert said(table, "abort")
    assert table.server.count("abort") == 1
    table, conduct = at_table(abort_after_s=20.0)
    conduct.tick(game(state("e2e4 e7e5 g1f3"), now_s=100.0), 500.0)
    conduct.tick(game(state(), now_s=100.0), 500.0)  # our own move is missing: that is ours to make
    assert not table.server.said


def test_the_win_is_claimed_again_while_the_server_refuses() -> None:
    table, conduct = at_table()
    table.server.errors["claim-victory"] = [Rejected(400, "You cannot claim the win on this game")]
    one = game(state("e2e4 e7e5 g1f3"))
    one.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(one, 200.5)
    assert wait_until(lambda: table.server.count("claim-victory") == 1)
    conduct.tick(one, 201.0)
    assert wait_until(lambda: not conduct._actions._names)
    conduct.tick(one, 201.0 + CLAIM_AGAIN_S)
    assert wait_until(lambda: table.server.count("claim-victory") == 2)


def test_without_mating_material_the_draw_is_claimed() -> None:
    table, conduct = at_table()
    bare = game(variant="fromPosition", initial_fen="4k3/8/8/8/8/8/q7/4K3 b - - 0 1")
    bare.apply(OpponentGone(True, 0), 200.0)
    conduct.tick(bare, 201.0)
    assert said(table, "claim-draw")


def test_words_are_sent_when_configured_and_never_twice() -> None:
    table, conduct = at_table(chat={"greeting": "Hello {opponent}", "spectator_greeting": "Hi all", "farewell": "Bye"})
    for _ in range(2):
        conduct.greet(game())
    assert said(table, "chat", "player", "Hello Alice")
    assert said(table, "chat", "spectator", "Hi all")
    conduct.part(game(state("e2e4 e7e5")))
    assert said(table, "chat", "player", "Bye")
    assert table.server.count("chat") == 3
    table, conduct = at_table(chat={"greeting": "Hello"})
    conduct.greet(game(state("e2e4 e7e5")))  # taken up in the middle
    conduct.greet(game(black=AI))
    assert not table.server.said


def test_commands_are_answered_a_few_times() -> None:
    table, conduct = at_table()
    for _ in range(30):
        conduct.hear(game(), ChatLine("alice", "!name"))
    assert said(table, "chat", "player", "I am bot88, a bot.")
    assert wait_until(lambda: table.server.count("chat") == 10)


def test_a_limited_resignation_is_repeated() -> None:
    table, conduct = at_table()
    table.server.errors["resign"] = [RateLimited(0.01)]
    conduct.resign()
    assert wait_until(lambda: table.server.count("resign") == 2)
