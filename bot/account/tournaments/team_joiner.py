"""Joins the configured teams, where they admit us."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from bot.errors import LichessError
from bot.lichess.server import Server
from bot.settings import TeamEntry

log = structlog.get_logger(__name__)


def join_teams(server: Server, teams: Iterable[TeamEntry]) -> None:
    """Join each team that we do not belong to and have not asked; what is refused is logged with the reason."""
    for entry in teams:
        try:
            team = server.team(entry.id)
            if team.joined or team.requested:
                continue
            password = entry.password.get_secret_value() if entry.password else ""
            server.join_team(entry.id, password=password, message=entry.message or "")
        except LichessError as error:
            log.warning(
                "team_not_joined",
                team=entry.id,
                reason=str(error),
                remedy="look at the team's page: it may ask for a password or a message, under tournaments.teams",
            )
        else:
            log.info("team_joined", team=entry.id, name=team.name)
