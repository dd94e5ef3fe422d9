"""Draws, takebacks and repetitions between two players."""

from __future__ import annotations

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.world import broadcaster, offers
from tests.fake_lichess.conftest import Connect, MakeFake, play
from tests.helpers.lichess_client import Client, Stream


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


def post_takeback(client: Client, game_id: str, answer: str) -> None:
    """Propose, accept or decline over HTTP."""
    api = "bot" if client.get("/api/account").json().get("title") == "BOT" else "board"
    assert client.post(f"/api/{api}/game/{game_id}/takeback/{answer}").json() == {"ok": True}


@pytest.mark.parametrize(
    ("before", "between", "left"),
    [
        ("e2e4 e7e5", "", "e2e4"),  # Alice has just moved: her move is undone
        ("e2e4 e7e5 g1f3", "", "e2e4"),  # the bot has moved since: both moves are undone
        ("e2e4 e7e5", "g1f3", "e2e4"),  # the bot moves between proposal and answer: likewise
        ("e2e4 e7e5 g1f3", "b8c6 f1c4", "e2e4 e7e5 g1f3 b8c6 f1c4"),  # a move of her own withdraws the proposal
    ],
)
def test_a_takeback_undoes_one_ply_or_two(
    fake: FakeLichess, bot: Client, alice: Client, before: str, between: str, left: str
) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    play(fake, game_id, before)
    post_takeback(alice, game_id, "yes")
    play(fake, game_id, between)
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    state = stream.wait_for("gameFull")["state"]
    assert ("btakeback" in state) == (left != state["moves"])
    post_takeback(bot, game_id, "yes")
    assert fake.game(game_id).moves == tuple(left.split())
    if left != state["moves"]:
        assert "btakeback" not in stream.wait(lambda events: events[-1].get("moves") == left and events[-1])


def test_a_decline_blocks_the_next_proposal_for_a_while(
    fake: FakeLichess, bot: Client, alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "TAKEBACK_BLOCK_S", 0.3)
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    play(fake, game_id, "e2e4 e7e5")
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    post_takeback(alice, game_id, "yes")
    stream.wait(lambda events: events[-1].get("btakeback"))
    post_takeback(bot, game_id, "no")
    stream.wait(lambda events: events[-1]["type"] == "gameState" and "btakeback" not in events[-1])
    before = len(stream.events)
    post_takeback(alice, game_id, "yes")
    assert len(stream.events) == before, "ignored, and answered ok"

    def proposed() -> bool:
        post_takeback(alice, game_id, "yes")
        return "btakeback" in stream.events[-1]

    fake.wait_for(proposed, what="the end of the block")


@pytest.mark.parametrize(
    ("takebacks", "rated", "allowed"),
    [(True, True, True), (False, False, False), ("casual", False, True), ("casual", True, False)],
)
@pytest.mark.parametrize("proposer", ["Alice", "Picky"])
def test_takebacks_need_the_consent_of_both_preferences(
    fake: FakeLichess, connect: Connect, takebacks: bool | str, rated: bool, allowed: bool, proposer: str
) -> None:
    fake.add_account("Picky", takebacks=takebacks)
    preferences = connect(fake, "Picky").get("/api/account/preferences").json()["prefs"]
    assert preferences["takeback"] == {False: 1, "casual": 2, True: 3}[takebacks]
    game_id = fake.start_game("Picky", "Alice", clock=(600, 0), rated=rated)
    play(fake, game_id, "e2e4 e7e5")
    post_takeback(connect(fake, proposer), game_id, "yes")
    letter = "b" if proposer == "Alice" else "w"
    state = connect(fake, "Alice").stream(f"/api/board/game/stream/{game_id}").wait_for("gameFull")["state"]
    assert (f"{letter}takeback" in state) == allowed


def test_a_proposer_can_withdraw_and_propose_again(
    fake: FakeLichess, alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offers, "TAKEBACK_BLOCK_S", 0.0)
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    play(fake, game_id, "e2e4 e7e5")
    stream = alice.stream(f"/api/board/game/stream/{game_id}")
    stream.wait_for("gameFull")
    for answer, shown in (("yes", 1), ("no", 1), ("yes", 2)):
        post_takeback(alice, game_id, answer)
        stream.wait(lambda events, n=shown: sum("btakeback" in event for event in events) == n)  # type: ignore[misc]  # a default binds the number
    assert "btakeback" in stream.events[-1]


def gone_lines(stream: Stream) -> list[dict[str, object]]:
    """The opponentGone lines so far."""
    return [event for event in stream.events if event["type"] == "opponentGone"]


BEHIND = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"


@pytest.mark.parametrize(
    ("clock", "terms", "seconds"),
    [
        ((120, 0), {}, 41),
        ((300, 0), {}, 41),
        ((900, 0), {}, 81),
        ((1800, 0), {}, 121),
        ((300, 0), {"variant": "fromPosition", "fen": BEHIND}, 14),
    ],
)
def test_a_claim_waits_by_speed_and_less_when_the_absent_player_is_behind(
    fake: FakeLichess, bot: Client, clock: tuple[int, int], terms: dict[str, str], seconds: int
) -> None:
    game_id = fake.start_game("bot88", "Alice", clock=clock, **terms)
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e1e2 e8e7 e2e3" if terms else "e2e4 e7e5 g1f3")
    fake.player("Alice", game_id).leave()
    gone = stream.wait_for("opponentGone")
    assert gone == {"type": "opponentGone", "gone": True, "claimWinInSeconds": seconds}
    assert bot.post(f"/api/bot/game/{game_id}/claim-victory").status_code == 400


@pytest.mark.parametrize(
    ("terms", "moves"),
    [
        ({"clock": (600, 0)}, "e2e4"),  # both must have moved
        ({"clock": None, "days": 3}, "e2e4 e7e5 g1f3"),
        ({"clock": (40, 0)}, "e2e4 e7e5 g1f3"),  # the flag would fall first
        ({"clock": (600, 0), "rules": ("noClaimWin",)}, "e2e4 e7e5 g1f3"),
    ],
)
def test_nobody_is_reported_gone_where_no_claim_follows(
    fake: FakeLichess, alice: Client, terms: dict[str, object], moves: str
) -> None:
    game_id = fake.start_game("Alice", "Bobby", **terms)
    stream = alice.stream(f"/api/board/game/stream/{game_id}")
    play(fake, game_id, moves)
    stream.wait(lambda events: str(events[-1].get("moves", "")) == moves)
    fake.player("Bobby", game_id).leave()
    fake.player("Bobby", game_id).say("still reading")
    fake.player("Bobby", game_id).come_back()
    stream.wait_for("chatLine")
    assert gone_lines(stream) == []


def test_the_countdown_is_repeated_until_the_claim(
    make_fake: MakeFake, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcaster, "REMIND_GONE_S", 0.05)
    fake = make_fake(claim_after_s=1.2)
    bot = connect(fake, "bot88")
    game_id = fake.start_game("bot88", "Alice", clock=(600, 0))
    stream = bot.stream(f"/api/bot/game/stream/{game_id}")
    play(fake, game_id, "e2e4 e7e5 g1f3")
    fake.player("Alice", game_id).leave()
    stream.wait(lambda events: events[-1].get("claimWinInSeconds") == 0)
    countdown = [line["claimWinInSeconds"] for line in gone_lines(stream)]
    assert set(countdown) == {2, 1, 0}
    assert countdown == sorted(countdown, reverse=True)  # type: ignore[type-var]  # numbers
    assert bot.post(f"/api/bot/game/{game_id}/claim-draw").ok


def test_a_flag_that_falls_while_the_other_side_offers_a_draw_is_a_draw(fake: FakeLichess, alice: Client) -> None:
    game_id = fake.start_game("Alice", "Bobby", clock=(0.3, 0))
    play(fake, game_id, "e2e4 e7e5 g1f3")
    assert alice.post(f"/api/board/game/{game_id}/draw/yes").ok
    end = fake.wait_for_end(game_id)
    assert (end.status, end.winner, end.black_ms) == ("draw", None, 0)
