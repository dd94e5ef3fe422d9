"""How long the reconciler waits before it asks for the list again, and how often it says that it cannot."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from bot.account import reconciler
from bot.account.reconciler import Reconciler
from bot.errors import LichessError, NetworkError, Unauthorized
from tests.bot.account.test_reconciler import ListServer


def pauses(error: LichessError, count: int) -> list[float]:
    """How long a reconciler waits after each of so many failures in a row."""
    one = Reconciler(ListServer(*[error] * count).ongoing_games, lambda _games: False)
    return [one._compare_once() for _ in range(count)]


def test_a_failing_server_is_asked_again_sooner_than_usual() -> None:
    assert pauses(NetworkError("refused"), 1)[0] <= 15.0
    assert max(pauses(NetworkError("refused"), 10)) <= reconciler.EVERY_S


@pytest.mark.parametrize(
    ("every_s", "compare_again", "pause_s"),
    [
        (reconciler.EVERY_S, True, reconciler.SOON_S),
        (reconciler.EVERY_S, False, reconciler.EVERY_S),
        (1.0, True, 1.0),
    ],
)
def test_the_next_list_comes_soon_where_a_game_is_missing(every_s: float, compare_again: bool, pause_s: float) -> None:
    one = Reconciler(ListServer().ongoing_games, lambda _games: compare_again, every_s=every_s)
    assert one._compare_once() == pause_s


def test_after_an_answer_the_pauses_begin_anew() -> None:
    server = ListServer(*[NetworkError("refused")] * 6)
    one = Reconciler(server.ongoing_games, lambda _games: False)
    assert [one._compare_once() for _ in range(7)][-1] == reconciler.EVERY_S
    server.errors = [NetworkError("refused")]
    assert one._compare_once() <= 15.0


def test_a_server_that_refuses_the_token_is_asked_ever_less_often() -> None:
    found = pauses(Unauthorized(401, "No such token"), 10)
    assert min(found) >= reconciler.EVERY_S
    assert found[-1] >= 300.0


def test_a_refused_token_is_told_once_until_it_is_taken_again() -> None:
    refused = Unauthorized(401, "No such token")
    server = ListServer()
    one = Reconciler(server.ongoing_games, lambda _games: False)
    told = []
    for errors in ([refused] * 3, [], [refused]):
        server.errors = list(errors)
        with capture_logs() as lines:
            for _ in range(max(1, len(errors))):
                one._compare_once()
        told.append([line["event"] for line in lines])
    assert told == [["ongoing_games_unknown"], [], ["ongoing_games_unknown"]]
