"""The name of a game's opening, where its variant shares the openings of standard chess."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bot.fake_lichess.world.json_objects import Json
from bot.openings import Opening, opening_of

# lila's `Variant.openingSensibleVariants`; in crazyhouse up to the first drop
NAMED = ("standard", "crazyhouse", "threeCheck", "kingOfTheHill")


def find_opening(variant_key: str, initial_fen: str, moves: Sequence[str]) -> Opening | None:
    """The opening of moves in UCI from the usual start ("startpos"); None where there is no name. Moves are legal."""
    if variant_key not in NAMED or initial_fen != "startpos":
        return None
    return opening_of(takewhile(lambda uci: "@" not in uci, moves))


def opening_json(opening: Opening) -> Json:
    """The opening as exports show it."""
    return {"eco": opening.eco, "name": opening.name, "ply": opening.ply}
