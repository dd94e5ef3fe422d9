"""A challenge by command holds a slot, or is refused with a reason and holds none."""

from __future__ import annotations

import pytest

from bot.account.challenges.manual_challenge import ChallengeNotSent, send_challenge
from bot.account.slots import OUTGOING_S, OUTGOING_SLOW_S, Slots, SlotUse
from bot.errors import LichessError, NetworkError, Rejected
from bot.events.account import Challenge
from bot.lichess.values import ChallengeTerms, UserStatus
from tests.bot.account.challenges.test_challenge_rules import challenge
from tests.helpers.server import StubServer


class Server(StubServer):
    """Knows two users. A challenge becomes a game at once if `begins` is given."""

    def __init__(self, error: LichessError | None = None, begins: Slots | None = None) -> None:
        self.error = error
        self.begins = begins
        self.sent: list[ChallengeTerms] = []
        self.against_bots: list[bool] = []

    def users_status(self, *user_ids: str) -> tuple[UserStatus, ...]:
        """Return everybody."""
        return UserStatus("bob", "Bob", online=True), UserStatus("arm", "Arm", title="BOT")

    def create_challenge(self, terms: ChallengeTerms, *, against_bot: bool = False) -> Challenge:
        """Send a challenge."""
        if self.error is not None:
            raise self.error
        self.sent.append(terms)
        self.against_bots.append(against_bot)
        if self.begins is not None:
            self.begins.put("sent1", SlotUse.PLAYING, terms.username.lower())
        return challenge(id="sent1")


@pytest.mark.parametrize(
    ("terms", "lapse_s"), [(ChallengeTerms("Arm"), OUTGOING_S), (ChallengeTerms("Arm", days=3), OUTGOING_SLOW_S)]
)
def test_it_holds_a_slot_for_as_long_as_the_server_keeps_it(terms: ChallengeTerms, lapse_s: float) -> None:
    now = [0.0]
    slots = Slots(1, now=lambda: now[0])
    send_challenge(Server(), slots, "me", terms)
    now[0] = lapse_s - 1
    assert slots.free() == 0
    now[0] = lapse_s
    assert slots.free() == 1


def test_it_is_sent_with_its_terms_and_leaves_one_record() -> None:
    server, slots = Server(), Slots(1)
    terms = ChallengeTerms("Arm", None, 0, days=3, rated=True)
    sent, user = send_challenge(server, slots, "me", terms)
    assert (sent.id, user.online) == ("sent1", False)
    assert (server.sent, server.against_bots) == ([terms], [True])
    (record,) = slots.records()
    assert (record.use, record.opponent_id) == (SlotUse.OUTGOING, "arm")


def test_a_game_that_begins_at_once_keeps_its_record() -> None:
    slots = Slots(2)
    send_challenge(Server(begins=slots), slots, "me", ChallengeTerms("bob"))
    assert [(record.game_id, record.use) for record in slots.records()] == [("sent1", SlotUse.PLAYING)]


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("Me", None, "this bot itself"),
        ("Nobody", None, "no user Nobody"),
        ("Bob", Rejected(400, "Bob does not accept challenges"), "Bob does not accept challenges"),
        ("Bob", NetworkError("cut"), "was not challenged: cut"),
    ],
)
def test_what_is_not_sent_says_why_and_holds_no_slot(name: str, error: LichessError | None, said: str) -> None:
    slots = Slots(1)
    with pytest.raises(ChallengeNotSent, match=said):
        send_challenge(Server(error), slots, "me", ChallengeTerms(name))
    assert slots.free() == 1


def test_without_a_free_slot_nothing_is_asked() -> None:
    slots, server = Slots(1), Server()
    slots.put("game", SlotUse.PLAYING, "ann")
    with pytest.raises(ChallengeNotSent, match="no slot is free"):
        send_challenge(server, slots, "me", ChallengeTerms("Bob"))
    assert server.sent == []


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (ChallengeTerms("a", 180, 2), "3+2 casual standard"),
        (ChallengeTerms("a", 30, 0, rated=True, color="white"), "0.5+0 rated standard, we have white"),
        (ChallengeTerms("a", None, 0, days=2, variant="chess960"), "2 days a move casual chess960"),
    ],
)
def test_in_words(terms: ChallengeTerms, words: str) -> None:
    assert str(terms) == words
