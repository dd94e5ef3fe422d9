"""The report of a swiss: every field in its columns, as FIDE's TRF16 counts them."""

from __future__ import annotations

import re

import chess
import requests

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.tournaments.swiss import CREATED, FINISHED, Swiss, SwissGame, SwissPlayer, SwissTerms
from bot.fake_lichess.tournaments.swiss_trf import trf_of
from bot.fake_lichess.tournaments.teams import Team
from bot.fake_lichess.world.accounts import Account
from bot.fake_lichess.world.challenges import Terms
from bot.fake_lichess.world.clocks import TimeControl
from bot.fake_lichess.world.variants import VARIANTS


def field(line: str, first: int, last: int) -> str:
    """The columns of a line, counted from one."""
    return line[first - 1 : last].strip()


def played() -> Swiss:
    """Three players, two rounds: Ann beats Ben, Cal has a bye; then Cal and Ann draw, Ben is absent."""
    people = {name: Account(name) for name in ("ann", "ben", "cal")}
    team = Team("club", "Club", people["ann"])
    game = Terms(VARIANTS["standard"], TimeControl(60_000), False)
    swiss = Swiss("abcd1234", SwissTerms("Club cup", game, 3, 0, 60.0, team), people["ann"], None, FINISHED, round=2)
    for name, rating in (("ann", 1500), ("ben", 1700), ("cal", 900)):
        swiss.players[name] = SwissPlayer(people[name], rating)
    swiss.players["cal"].byes.add(1)
    swiss.games["g1"] = SwissGame(1, "g1", "ann", "ben", over=True, winner=chess.WHITE)
    swiss.games["g2"] = SwissGame(2, "g2", "cal", "ann", over=True)
    return swiss


def test_every_player_has_a_line_by_rating() -> None:
    lines = trf_of(played(), "http://fake").splitlines()
    assert lines[:2] == ["012 Club cup", "022 http://fake/swiss/abcd1234"]
    assert "XXR 3" in lines
    players = [line for line in lines if line.startswith("001")]
    columns = ((5, 8), (15, 47), (49, 52), (81, 84), (92, 95), (97, 97), (99, 99), (102, 105), (107, 107), (109, 109))
    assert [[field(line, *ends) for ends in columns] for line in players] == [
        ["1", "ben", "1700", "0.0", "2", "b", "0", "", "", "-"],
        ["2", "ann", "1500", "1.5", "1", "w", "1", "3", "b", "="],
        ["3", "cal", "900", "1.5", "", "", "U", "2", "w", "="],
    ]


def test_it_is_served_as_text(fake: FakeLichess) -> None:
    alice = {"Authorization": f"Bearer {fake.token('Alice')}"}
    form = {"clock.limit": 60, "clock.increment": 0, "nbRounds": 3}
    made = requests.post(f"{fake.url}/api/swiss/new/fake-club", data=form, headers=alice, timeout=60).json()
    answer = requests.get(f"{fake.url}/swiss/{made['id']}.trf", timeout=60)
    assert answer.headers["content-type"].startswith("text/plain")
    assert re.match("012 .*\n022 ", answer.text)
    assert requests.get(f"{fake.url}/swiss/nonsense.trf", timeout=60).status_code == 404
    assert made["status"] == CREATED
