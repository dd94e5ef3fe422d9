"""Points, tie breaks and rounds of a swiss, and who may join it."""

from __future__ import annotations

from typing import Any

import chess
import pytest

from bot.fake_lichess.errors import ApiError
from bot.fake_lichess.tournaments.swiss import FINISHED, STARTED, Swiss, SwissGame, SwissTerms
from bot.fake_lichess.tournaments.teams import Team
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS

GAME = Terms(VARIANTS["standard"], TimeControl(60_000, 0))


def swiss_of(*names: str, rounds: int = 5, **terms: Any) -> Swiss:
    """A tournament with these players, all members of the team."""
    leader = Account("Director")
    team = Team("club", "Club", leader)
    agreed = SwissTerms("Test", GAME, rounds, 0, 10.0, team, **terms)
    swiss = Swiss("abcdefgh", agreed, leader, 0)
    for name in names:
        account = Account(name)
        team.add(account)
        swiss.join(account, agreed.password)
    return swiss


def play(swiss: Swiss, *results: tuple[str, str, chess.Color | None]) -> None:
    """One round with these results."""
    swiss.status = STARTED
    swiss.round += 1
    for white, black, winner in results:
        game_id = f"g{len(swiss.games)}"
        swiss.games[game_id] = SwissGame(swiss.round, game_id, white, black, True, winner)


def test_points_tie_breaks_and_performance() -> None:
    swiss = swiss_of("A", "B", "C", "D")
    play(swiss, ("a", "b", chess.WHITE), ("c", "d", None))
    play(swiss, ("c", "a", chess.BLACK), ("b", "d", chess.WHITE))
    lines = [(line.player.account.name, line.points, line.tie_break) for line in swiss.standings()]
    assert lines == [("A", 2.0, 1.5), ("B", 1.0, 0.5), ("C", 0.5, 0.25), ("D", 0.5, 0.25)]
    assert [line.performance for line in swiss.standings()] == [2000, 1500, 1250, 1250]


def test_byes_late_entries_and_absences_have_their_points() -> None:
    swiss = swiss_of("A", "B", "C")
    play(swiss, ("a", "b", chess.WHITE))
    swiss.players["c"].byes.add(1)
    late = Account("Late")
    swiss.terms.team.add(late)
    swiss.join(late, None)
    play(swiss, ("a", "c", chess.WHITE), ("b", "late", chess.BLACK))
    play(swiss, ("late", "a", chess.WHITE))
    points = {line.player.account.name: line.points for line in swiss.standings()}
    assert points == {"A": 2.0, "B": 0.0, "C": 1.0, "Late": 2.5}
    assert swiss.outcomes(swiss.players["late"]) == ["late", 1.0, 1.0]
    assert swiss.outcomes(swiss.players["b"]) == [0.0, 0.0, "absent"]


def test_who_withdraws_is_not_paired_until_he_comes_back() -> None:
    swiss = swiss_of("A", "B", "C", "D")
    play(swiss, ("a", "b", chess.WHITE), ("c", "d", None))
    swiss.withdraw(swiss.players["a"].account)
    games = swiss.next_round()
    assert games is not None
    assert {name for couple in games.pairs for name in couple} | {games.bye} == {"b", "c", "d"}
    swiss.join(swiss.players["a"].account, None)
    games = swiss.next_round()
    assert games is not None
    assert games.bye is None
    assert len(games.pairs) == 2


def test_who_withdraws_before_the_start_is_forgotten() -> None:
    swiss = swiss_of("A", "B")
    swiss.withdraw(swiss.players["a"].account)
    swiss.withdraw(Account("Stranger"))
    assert list(swiss.players) == ["b"]


@pytest.mark.parametrize(
    ("account", "terms", "told"),
    [
        (Account("Robot", "BOT"), {}, "bot accounts are not allowed"),
        (Account("Stranger"), {}, "not in the team"),
        (Account("Guest"), {"password": "sesame"}, "Wrong entry code"),
        (Account("Guest", rating=2000), {"max_rating": 1800}, "not open to you"),
        (Account("Guest", rating=1000), {"min_rating": 1200}, "not open to you"),
    ],
)
def test_who_may_not_join_is_told_why(account: Account, terms: dict[str, Any], told: str) -> None:
    swiss = swiss_of(**terms)
    if account.name != "Stranger":
        swiss.terms.team.add(account)
    with pytest.raises(ApiError, match=told):
        swiss.join(account, None)


def test_nobody_new_comes_after_half_of_the_rounds() -> None:
    swiss, late = swiss_of("A", "B", rounds=4), Account("Late")
    swiss.terms.team.add(late)
    swiss.round = 3
    with pytest.raises(ApiError, match="not open to you"):
        swiss.join(late, None)
    swiss.status = FINISHED
    with pytest.raises(ApiError, match="not open to you"):
        swiss.join(swiss.players["a"].account, None)
