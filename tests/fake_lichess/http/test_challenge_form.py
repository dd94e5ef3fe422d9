"""Forms of challenges, and open challenges."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.fake_lichess import FakeLichess
from tests.fake_lichess.conftest import Connect, MakeFake, error_of
from tests.helpers.lichess_client import Client

BLITZ = {"clock.limit": 180, "clock.increment": 2}


@pytest.mark.parametrize("style", ["form", "json", "json with nulls", "nested json"])
def test_a_challenge_in_every_kind_of_body(fake: FakeLichess, alice: Client, bot: Client, style: str) -> None:
    fields: dict[str, Any] = BLITZ | {"color": "white", "rated": "true"}
    if style == "form":
        answer = alice.post("/api/challenge/bot88", data=fields)
    elif style == "nested json":
        nested = {"clock": {"limit": 180, "increment": 2}, "color": "white", "rated": True}
        answer = alice.post("/api/challenge/bot88", json=nested)
    else:
        nulls = {"days": None, "variant": None, "fen": None} if style == "json with nulls" else {}
        answer = alice.post("/api/challenge/bot88", json=fields | {"rated": True} | nulls)
    challenge = answer.json()
    assert (answer.status_code, challenge["direction"], challenge["rated"]) == (200, "out", True)
    assert challenge["timeControl"] == {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"}
    assert (challenge["speed"], challenge["finalColor"]) == ("blitz", "white")
    assert bot.get("/api/challenge").json()["in"][0]["direction"] == "in"
    assert alice.get(f"/api/challenge/{challenge['id']}/show").json()["status"] == "created"
    assert bot.post(f"/api/challenge/{challenge['id']}/accept").json() == {"ok": True}
    assert fake.game(challenge["id"]).white == "Alice"


POSITION = "7k/8/6K1/8/8/8/8/6R1 w - - 0 1"
STANDARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def clock(limit: object, increment: object) -> dict[str, object]:
    """Return the fields of a clock in seconds."""
    return {"clock.limit": limit, "clock.increment": increment}


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        *((clock(*times), None) for times in ((0, 1), (30, 0), (15, 1), (60, 0), (90, 60), (10_800, 0))),
        *((clock(limit, 0), "clock.limit") for limit in (61, 100, 10_860, -60, 0, "nan")),
        *((clock(60, increment), "clock.increment") for increment in (61, 0.5)),
        ({"clock.limit": 60}, "clock.increment"),
        ({"days": 4}, "days"),
        (BLITZ | {"color": "red"}, "color"),
        (BLITZ | {"variant": "bughouse"}, "variant"),
        (BLITZ | {"variant": "fromPosition"}, "fen"),
        (BLITZ | {"variant": "fromPosition", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "fen"),
        (BLITZ | {"fen": "not a position"}, "fen"),
        (BLITZ | {"rated": "perhaps"}, "rated"),
        (BLITZ | {"rated": "true", "fen": POSITION}, "global"),
        (BLITZ | {"rules": "noFun"}, "rules"),
        (BLITZ | {"rules": "noAbort"}, "Rules not applicable for bots"),
        (clock(15, 0), "Bots cannot play UltraBullet. Choose a slower time control."),
        (BLITZ | {"variant": "chess960", "fen": STANDARD}, None),
        (BLITZ | {"variant": "chess960", "fen": "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"}, None),
        (BLITZ | {"variant": "chess960", "fen": "bnrbkrqn/pppppppp/8/8/4P3/8/PPPP1PPP/BNRBKRQN b KQkq - 0 1"}, "fen"),
        (BLITZ | {"variant": "chess960", "fen": "krbqnbnr/pppppppp/8/8/8/8/PPPPPPPP/KRBQNBNR w - - 0 1"}, "fen"),
    ],
)
def test_a_form_is_accepted_or_refused_with_its_field(
    make_fake: MakeFake, connect: Connect, fields: dict[str, Any], wrong: str | None
) -> None:
    fake = make_fake(allow_any_clock=False)
    answer = connect(fake, "Alice").post("/api/challenge/bot88", data=fields)
    if wrong is None:
        assert answer.ok
    else:
        status, error = error_of(answer)
        assert (status, list(error) if isinstance(error, dict) else [error]) == (400, [wrong])


@pytest.mark.parametrize("where", ["query", "multipart"])
def test_fields_are_understood_wherever_they_stand(fake: FakeLichess, alice: Client, where: str) -> None:
    fields = {name: str(value) for name, value in BLITZ.items()}
    if where == "query":
        answer = alice.post("/api/challenge/bot88", params=fields)
    else:
        answer = alice.post("/api/challenge/bot88", files={name: (None, value) for name, value in fields.items()})
    assert answer.json()["timeControl"] == {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"}


def test_a_body_of_another_kind_is_refused_and_no_unlimited_challenge_made(fake: FakeLichess, alice: Client) -> None:
    for kind, status in (("text/plain", 415), ("application/xml", 415), ("multipart/form-data", 400)):
        answer = alice.post("/api/challenge/bot88", data=b"clock.limit=180", headers={"Content-Type": kind})
        assert answer.status_code == status
    assert alice.get("/api/challenge").json()["out"] == []


def test_form_errors_stand_under_their_field_and_under_error(fake: FakeLichess, alice: Client) -> None:
    fields = {"clock.limit": -60, "clock.increment": 0}
    texts = {"clock.limit": ["Invalid value"]}
    assert alice.post("/api/challenge/bot88", data=fields).json() == {"error": texts, **texts}


def test_who_challenges_oneself_finds_nobody(alice: Client) -> None:
    assert alice.post("/api/challenge/alice", data=BLITZ).status_code == 404


def test_an_unlimited_standard_game_may_be_rated(fake: FakeLichess, alice: Client) -> None:
    challenge = alice.post("/api/challenge/bot88", data={"rated": "true"}).json()
    assert (challenge["rated"], challenge["timeControl"]) == (True, {"type": "unlimited"})


@pytest.mark.parametrize(("variant", "shown"), [("horde", True), ("racingKings", True), ("atomic", False)])
def test_a_variant_with_a_start_of_its_own_shows_it(alice: Client, variant: str, shown: bool) -> None:
    challenge = alice.post("/api/challenge/bot88", data=BLITZ | {"variant": variant}).json()
    assert ("initialFen" in challenge) == shown


@pytest.mark.parametrize(("increment", "rated"), [(1, False), (2, True)])
def test_a_variant_with_too_fast_a_clock_becomes_casual(alice: Client, increment: int, rated: bool) -> None:
    fields = {"clock.limit": 0, "clock.increment": increment, "variant": "atomic", "rated": "true"}
    challenge = alice.post("/api/challenge/Bobby", data=fields)
    assert (challenge.status_code, challenge.json()["rated"]) == (200, rated)


def test_the_start_position_as_fen_stays_standard(fake: FakeLichess, alice: Client) -> None:
    challenge = alice.post("/api/challenge/bot88", data=BLITZ | {"fen": STANDARD, "rated": "true"}).json()
    assert (challenge["variant"]["key"], challenge["rated"], "initialFen" in challenge) == ("standard", True, False)
    other = alice.post("/api/challenge/bot88", data=BLITZ | {"fen": STANDARD.replace(" w ", " b ")}).json()
    assert other["variant"]["key"] == "fromPosition"


def test_an_open_challenge_is_joined_by_two(fake: FakeLichess, alice: Client, bot: Client, connect: Connect) -> None:
    offer = connect(fake, None).post("/api/challenge/open", data=BLITZ).json()
    assert (offer["challenger"], offer["destUser"], offer["open"]) == (None, None, {})
    assert offer["urlBlack"] == f"{fake.url}/{offer['id']}?color=black"
    path = f"/api/challenge/{offer['id']}/accept"
    assert alice.post(f"{path}?color=black").ok
    assert fake.games() == [], "one is not enough"
    assert alice.post(path).status_code == 404, "nobody plays both sides"
    assert bot.post(path).ok
    game = fake.game(offer["id"])
    assert (game.white, game.black) == ("bot88", "Alice")
    assert connect(fake, "Bobby").post(path).status_code == 404


def test_an_open_challenge_for_two_named_players(
    fake: FakeLichess, alice: Client, bot: Client, connect: Connect
) -> None:
    offer = alice.post("/api/challenge/open", data=BLITZ | {"users": "bot88,Bobby"}).json()
    assert offer["open"] == {"userIds": ["bot88", "bobby"]}
    path = f"/api/challenge/{offer['id']}/accept"
    assert error_of(alice.post(path)) == (400, "The challenge is not for you")
    assert connect(fake, "Bobby").post(path).ok
    assert bot.post(path).ok
    assert (fake.game(offer["id"]).white, fake.game(offer["id"]).black) == ("bot88", "Bobby")


def test_an_open_challenge_is_cancelled_by_its_maker_or_expires(fake: FakeLichess, alice: Client, bot: Client) -> None:
    offer = alice.post("/api/challenge/open", data=BLITZ).json()["id"]
    assert bot.post(f"/api/challenge/{offer}/cancel").status_code == 404
    assert alice.post(f"/api/challenge/{offer}/cancel").ok
    assert bot.post(f"/api/challenge/{offer}/accept").status_code == 400
    soon = round((time.time() + 0.3) * 1000)
    short = alice.post("/api/challenge/open", data=BLITZ | {"expiresAt": soon}).json()["id"]
    fake.wait_for(lambda: fake.challenge_status(short) == "canceled")
    for wrong in ({"users": "bot88"}, {"users": "bot88,nobody"}, {"expiresAt": 1}):
        assert alice.post("/api/challenge/open", data=BLITZ | wrong).status_code == 400
