"""Teams are joined if they admit us."""

from __future__ import annotations

from contextlib import closing

import structlog
from pydantic import SecretStr

from bot.account.tournaments import join_teams
from bot.errors import Rejected
from bot.fake_lichess import FakeLichess
from bot.lichess.gateway import Gateway
from bot.lichess.values import Team
from bot.settings import TeamEntry
from tests.helpers.fake import fake
from tests.helpers.server import StubServer

__all__ = ["fake"]


class TeamServer(StubServer):
    """Teams, and the requests to join them."""

    def __init__(self, *teams: Team) -> None:
        self.teams = {team.id: team for team in teams}
        self.asked: list[tuple[str, str, str]] = []

    def team(self, team_id: str) -> Team:
        """Return a team."""
        return self.teams[team_id]

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Refuse without a password."""
        self.asked.append((team_id, password, message))
        if not password:
            raise Rejected(403, "Password required")


def test_teams_that_we_belong_to_or_have_asked_are_left_alone_and_a_refusal_concerns_one_team() -> None:
    server = TeamServer(
        Team("ours", "Ours", joined=True), Team("slow", "S", requested=True), Team("shut", "S"), Team("open", "O")
    )
    entries = [TeamEntry(id="ours"), TeamEntry(id="slow"), TeamEntry(id="shut", message="m" * 30)]
    with structlog.testing.capture_logs() as lines:
        join_teams(server, [*entries, TeamEntry(id="open", password=SecretStr("sesame"))])
    assert server.asked == [("shut", "", "m" * 30), ("open", "sesame", "")]
    assert [(line["event"], line["team"]) for line in lines] == [("team_not_joined", "shut"), ("team_joined", "open")]
    assert "sesame" not in str(lines)


def test_teams_are_joined_over_http_with_password_or_request(fake: FakeLichess) -> None:
    closed = fake.add_team("Closed Circle", "Alice", open=False)
    secret = fake.add_team("Secret Society", "Alice", password="sesame")
    refusing = fake.add_team("Nobody Comes", "Alice", open=False)
    entries = [
        TeamEntry(id="fake-club"),
        TeamEntry(id=closed, message="m" * 30),
        TeamEntry(id=secret, password=SecretStr("sesame")),
        TeamEntry(id=refusing),
        TeamEntry(id="no-such-team"),
    ]
    with closing(Gateway(fake.url, fake.token("bot88"))) as gateway, structlog.testing.capture_logs() as lines:
        join_teams(gateway, entries)
        assert [gateway.team(team_id).joined for team_id in ("fake-club", closed, secret)] == [True, False, True]
        assert gateway.team(closed).requested
    told = {line["team"]: line["reason"] for line in lines if line["event"] == "team_not_joined"}
    assert list(told) == [refusing, "no-such-team"]
    assert "This team requires confirmation." in told[refusing]
