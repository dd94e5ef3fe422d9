"""The one importer of `bot.openings`: names of openings, where a variant shares those of standard chess."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from bot.openings import Opening, opening_of, opening_of_board

__all__ = ["Opening", "find_opening", "opening_json", "opening_of_board"]
# lila's `Variant.openingSensibleVariants`; in crazyhouse up to the first drop
NAMED = ("standard", "crazyhouse", "threeCheck", "kingOfTheHill")


def find_opening(variant_key: str, initial_fen: str, moves: Sequence[str]) -> Opening | None:
    """Return the opening of legal moves in UCI from "startpos", None if it has no name."""
    if variant_key not in NAMED or initial_fen != "startpos":
        return None
    return opening_of(takewhile(lambda uci: "@" not in uci, moves))


def opening_json(opening: Opening) -> dict[str, object]:
    """Return the opening as exports show it."""
    return {"eco": opening.eco, "name": opening.name, "ply": opening.ply}
