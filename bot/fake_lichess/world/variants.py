"""Variants, speeds and performance categories, as Lichess names them; boards by python-chess."""

from __future__ import annotations

import random
from dataclasses import dataclass

import chess
import chess.variant

COLOR_NAMES = {chess.WHITE: "white", chess.BLACK: "black"}
COLORS = {"white": chess.WHITE, "black": chess.BLACK}
SPEED_LIMITS = (("ultraBullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500))
SPEED_NAMES = {
    "ultraBullet": "UltraBullet",
    "bullet": "Bullet",
    "blitz": "Blitz",
    "rapid": "Rapid",
    "classical": "Classical",
    "correspondence": "Correspondence",
}


@dataclass(frozen=True)
class Variant:
    """A variant: key and names in JSON, its board class, and its glyph in the icon font."""

    key: str
    name: str
    short: str
    board_class: type[chess.Board]
    icon: str


_TABLE = (
    Variant("standard", "Standard", "Std", chess.Board, "\ue023"),
    Variant("chess960", "Chess960", "960", chess.Board, "\ue006"),
    Variant("crazyhouse", "Crazyhouse", "Crazy", chess.variant.CrazyhouseBoard, "\ue00b"),
    Variant("antichess", "Antichess", "Anti", chess.variant.AntichessBoard, "\ue00c"),
    Variant("atomic", "Atomic", "Atom", chess.variant.AtomicBoard, "\ue00d"),
    Variant("horde", "Horde", "Horde", chess.variant.HordeBoard, "\ue00e"),
    Variant("kingOfTheHill", "King of the Hill", "KotH", chess.variant.KingOfTheHillBoard, "\ue00f"),
    Variant("racingKings", "Racing Kings", "Racing", chess.variant.RacingKingsBoard, "\ue010"),
    Variant("threeCheck", "Three-check", "3check", chess.variant.ThreeCheckBoard, "\ue011"),
    Variant("fromPosition", "From Position", "FEN", chess.Board, "\ue012"),
)
VARIANTS = {variant.key: variant for variant in _TABLE}
#: Every category of ratings: the speeds of standard chess, and the variants.
PERFS = (*SPEED_NAMES, *(key for key in VARIANTS if key not in ("standard", "fromPosition")))
# The server also takes the numbers of its own tables.
_NUMBERS = dict(
    zip(
        ("1", "2", "10", "6", "7", "8", "4", "9", "5", "3"),
        (variant.key for variant in _TABLE),
        strict=True,
    )
)


def find_variant(text: str) -> Variant | None:
    """Return the variant of a key or number, None if there is none."""
    return VARIANTS.get(_NUMBERS.get(text, text))


def start_board(variant: Variant, initial_fen: str | None, rng: random.Random) -> chess.Board:
    """Return the first position of a game; a Chess960 game without FEN draws one of the 960.

    Raises ValueError when the FEN is unreadable or its position impossible.
    """
    if variant.key == "chess960" and initial_fen is None:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    if initial_fen is None:
        return variant.board_class()
    board = variant.board_class(initial_fen, chess960=variant.key == "chess960")
    if board.has_chess960_castling_rights():
        board = variant.board_class(initial_fen, chess960=True)
    if not board.is_valid() or not any(board.legal_moves):
        raise ValueError(f"not a playable position: {initial_fen}")
    return board


def speed_of(limit_s: float | None, increment_s: float) -> str:
    """Return the speed category of a clock: limit + 40 increments; no clock at all is correspondence."""
    if limit_s is None:
        return "correspondence"
    total = limit_s + 40 * increment_s
    return next((name for name, bound in SPEED_LIMITS if total < bound), "classical")


def is_bot_compatible(source: str, speed: str) -> bool:
    """Return whether a bot may play such a game: challenges, AI games, tournaments that admit it; bullet and slower."""
    return source in ("friend", "api", "ai", "arena") and speed != "ultraBullet"


def is_board_compatible(source: str, speed: str) -> bool:
    """Return whether the board API may be used: rapid and slower, and blitz if the opponent was chosen."""
    too_fast = ("ultraBullet", "bullet") if source in ("friend", "api", "ai") else ("ultraBullet", "bullet", "blitz")
    return speed not in too_fast


def perf_of(variant: Variant, speed: str) -> str:
    """Return the rating category: the speed for standard rules, else the variant."""
    return speed if variant.key in ("standard", "fromPosition") else variant.key


def perf_name(perf: str) -> str:
    """Return the display name of a category."""
    return SPEED_NAMES.get(perf) or VARIANTS[perf].name
