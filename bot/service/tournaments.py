"""The arenas of the configuration, as far as the token allows."""

from __future__ import annotations

from bot.account.admission import Admission
from bot.account.dispatcher import Dispatcher
from bot.account.tournaments.arena_player import ArenaPlayer
from bot.lichess import Gateway
from bot.service.startup_checks import check_scopes
from bot.settings import Settings, TournamentSettings


def arenas_of(gateway: Gateway, settings: Settings, dispatcher: Dispatcher, admission: Admission) -> ArenaPlayer:
    """Build what takes part in arenas; features whose scope the token lacks are left out."""
    missing = {one.key for one in check_scopes(gateway, settings)}
    allowed = allowed_tournaments(settings.tournaments, missing)

    def running() -> list[str]:
        return [loop.info.tournament_id for loop in dispatcher.registry.loops()]

    return ArenaPlayer(gateway, allowed, dispatcher.slots, running, admission)


def allowed_tournaments(settings: TournamentSettings, missing: set[str]) -> TournamentSettings:
    """Return the settings without arenas or teams that the token does not allow."""
    left_out = {key.removeprefix("tournaments."): () for key in missing if key.startswith("tournaments.")}
    return settings.model_copy(update=left_out)
