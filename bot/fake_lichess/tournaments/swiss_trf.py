"""A swiss as a tournament report file, FIDE's format for pairing programs (TRF16, C.04 annex 2)."""

from __future__ import annotations

import datetime

from bot.fake_lichess.tournaments.scores import DRAW, LOSS, WIN
from bot.fake_lichess.tournaments.swiss import ABSENT, BYE, LATE, ONGOING, Swiss, SwissPlayer

#: The last columns of a player's line, counted from one; a round takes ten more, its fields end at these.
START_RANK, NAME_FROM, RATING, POINTS = 8, 15, 52, 84
OPPONENT, COLOR, RESULT, ROUND_WIDTH = 95, 97, 99, 10
RESULTS = {ABSENT: "-", LATE: "H", BYE: "U", ONGOING: "Z", DRAW: "=", WIN: "1", LOSS: "0"}


def trf_of(swiss: Swiss, base_url: str) -> str:
    """The report: a head, then a line for every player by rating."""
    players = sorted(swiss.players.values(), key=lambda player: -player.rating)
    ranks = {player.account.id: rank for rank, player in enumerate(players, start=1)}
    begun = datetime.datetime.fromtimestamp(swiss.terms.starts_at_ms / 1000, datetime.UTC)
    head = [
        f"012 {swiss.terms.name}",
        f"022 {base_url}/swiss/{swiss.id}",
        "032 Lichess",
        f"042 {begun:%Y-%m-%d}",
        f"062 {len(players)}",
        "092 Individual: Swiss-System",
        f"102 {base_url}/swiss",
        f"XXR {swiss.terms.rounds}",
    ]
    return "".join(f"{line}\n" for line in [*head, *(_player_line(swiss, player, ranks) for player in players)])


def _player_line(swiss: Swiss, player: SwissPlayer, ranks: dict[str, int]) -> str:
    name = player.account.id
    fields = [
        (3, "001"),
        (START_RANK, str(ranks[name])),
        (NAME_FROM - 1 + len(name), name),
        (RATING, str(player.rating)),
        (POINTS, f"{swiss.points(player):.1f}"),
    ]
    games = {game.round: game for game in swiss.games.values() if name in (game.white, game.black)}
    for number, outcome in enumerate(swiss.outcomes(player), start=1):
        shift, game = (number - 1) * ROUND_WIDTH, games.get(number)
        if game is not None:
            fields.append((OPPONENT + shift, str(ranks[game.opponent_of(name)])))
            fields.append((COLOR + shift, "w" if game.white == name else "b"))
        fields.append((RESULT + shift, RESULTS[outcome]))
    line = ""
    for end, text in fields:
        line = line.ljust(end - len(text)) + text
    return line
