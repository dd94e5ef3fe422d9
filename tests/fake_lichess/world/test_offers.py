"""Draws, takebacks and repetitions between two players."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import MakeFake, play
from tests.helpers.lichess_client import Client


def test_a_draw_is_offered_shown_and_accepted(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    alice = fake.player("Alice", game_id)
    alice.draw()
    play(fake, game_id, "e2e4 e7e5")
    assert not any("bdraw" in state for state in stream.events), "too early: ignored"
    alice.draw()
    assert stream.wait(lambda events: events and events[-1].get("bdraw")) is True
    assert bot.post(f"/api/bot/game/{game_id}/draw/yes").json() == {"ok": True}
    assert (fake.game(game_id).status, fake.game(game_id).winner) == ("draw", None)


def test_a_declined_draw_sends_nothing_and_waits_twenty_plies(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5")
    fake.player("Alice", game_id).draw()
    stream.wait(lambda events: events and events[-1].get("bdraw"))
    before = len(stream.events)
    assert bot.post(f"/api/bot/game/{game_id}/draw/no").json() == {"ok": True}
    fake.player("Alice", game_id).draw()
    play(fake, game_id, "g1f3")
    last = stream.wait(lambda events: events[before:] and events[-1])
    assert "bdraw" not in last
    assert len(stream.events) == before + 1


THREEFOLD = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"


def test_offering_a_draw_after_a_threefold_repetition_claims_it(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(600, 0))
    play(fake, game_id, THREEFOLD)
    assert not fake.game(game_id).over, "between people the server claims nothing"
    assert alice.post(f"/api/board/game/{game_id}/move/e2e4?offeringDraw=true").ok
    assert fake.game(game_id).status == "draw"


def test_a_threefold_repetition_ends_a_game_with_a_bot_after_showing_the_move(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    stream.wait_for("gameFull")
    play(fake, game_id, THREEFOLD)
    stream.wait_for_end()
    last_two = [(event["moves"], event["status"]) for event in stream.events[-2:]]
    assert last_two == [(THREEFOLD, "started"), (THREEFOLD, "draw")]
    assert "winner" not in stream.events[-1]


@pytest.mark.parametrize(("setting", "names"), [(True, ("Alice", "Bobby")), (False, ("bot88", "Alice"))])
def test_the_server_may_be_set_to_claim_repetitions_always_or_never(
    make_fake: MakeFake, setting: bool, names: tuple[str, str]
) -> None:
    fake = make_fake(auto_threefold=setting)
    game_id = fake.start_game(*names, clock=(600, 0))
    play(fake, game_id, THREEFOLD)
    assert fake.game(game_id).over == setting


def test_a_draw_is_claimed_against_a_bare_king(fake: FakeLichess, bot: Client) -> None:
    fen = "7k/8/8/8/8/8/4R3/4K3 w - - 0 1"
    game_id = fake.start_game("bot88", "Alice", clock=(60, 0), variant="fromPosition", fen=fen)
    play(fake, game_id, "e2e3 h8g8")
    fake.player("Alice", game_id).draw()
    assert not fake.game(game_id).over, "White could mate: Black only offers"
    assert bot.post(f"/api/bot/game/{game_id}/draw/no").ok
    assert bot.post(f"/api/bot/game/{game_id}/draw/yes").ok
    assert (fake.game(game_id).status, fake.game(game_id).winner) == ("insufficientMaterialClaim", None)


def test_a_takeback_undoes_two_plies_on_ones_own_turn(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("bot88", "Alice")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5 g1f3")
    fake.player("Alice", game_id).takeback()
    assert stream.wait(lambda events: events[-1].get("btakeback")) is True
    assert bot.post(f"/api/bot/game/{game_id}/takeback/yes").json() == {"ok": True}
    assert fake.game(game_id).moves == ("e2e4",)
    state = stream.wait(lambda events: events[-1].get("moves") == "e2e4" and events[-1])
    assert "btakeback" not in state


def test_a_takeback_is_declined_or_not_wanted_at_all(fake: FakeLichess, bot: Client) -> None:
    fake.add_account("Stubborn", title="BOT", takebacks=False)
    games = [fake.start_game("bot88", "Alice"), fake.start_game("Stubborn", "Alice")]
    for game_id in games:
        play(fake, game_id, "e2e4 e7e5")
        fake.player("Alice", game_id).takeback()
    stream = bot.stream(f"/api/bot/game/stream/{games[0]}")
    assert stream.wait_for("gameFull")["state"]["btakeback"] is True
    assert bot.post(f"/api/bot/game/{games[0]}/takeback/no").ok
    assert "btakeback" not in stream.wait_for("gameState")
    assert [len(fake.game(game_id).moves) for game_id in games] == [2, 2]
