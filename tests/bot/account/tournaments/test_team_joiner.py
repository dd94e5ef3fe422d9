"""Teams are joined where they admit us."""

from __future__ import annotations

import structlog
from pydantic import SecretStr

from bot.account.tournaments.team_joiner import join_teams
from bot.errors import Rejected
from bot.lichess.values import Team
from bot.settings import TeamEntry


class Server:
    """Teams, and who asked for what."""

    def __init__(self, *teams: Team) -> None:
        self.teams = {team.id: team for team in teams}
        self.asked: list[tuple[str, str, str]] = []

    def team(self, team_id: str) -> Team:
        """One team."""
        return self.teams[team_id]

    def join_team(self, team_id: str, *, password: str = "", message: str = "") -> None:
        """Refuse without a password."""
        self.asked.append((team_id, password, message))
        if not password:
            raise Rejected(403, "Password required")


def test_teams_that_we_belong_to_or_have_asked_are_left_alone_and_a_refusal_concerns_one_team() -> None:
    server = Server(
        Team("ours", "Ours", joined=True), Team("slow", "S", requested=True), Team("shut", "S"), Team("open", "O")
    )
    entries = [TeamEntry(id="ours"), TeamEntry(id="slow"), TeamEntry(id="shut", message="m" * 30)]
    with structlog.testing.capture_logs() as lines:
        join_teams(server, [*entries, TeamEntry(id="open", password=SecretStr("sesame"))])
    assert server.asked == [("shut", "", "m" * 30), ("open", "sesame", "")]
    assert [(line["event"], line["team"]) for line in lines] == [("team_not_joined", "shut"), ("team_joined", "open")]
    assert "sesame" not in str(lines)
