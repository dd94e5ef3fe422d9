"""The terms of the evaluation: where each weight lies, how it is packed, how it is counted.

A tapered weight is one int64: `middlegame + (endgame << 32)`, so one addition adds both phases. All weights
lie behind one another in `PACKED`; the module constants below are the offsets. Every use of a weight goes
through `weigh`, which in a tracing process (environment ENGINE88_TRACE=1, see engine88/training) also counts it.
"""

import os
from typing import Final

import numpy as np
import numpy.typing as npt

from engine88.compiler.jit import inlined, int64
from engine88.evaluation.classical.weights import SAFETY, TAPERED

TRACING: Final = os.environ.get("ENGINE88_TRACE") == "1"

LOW_HALF: Final = 0xFFFFFFFF
HALF_SIGN: Final = 0x80000000


def pack(middlegame_cp: int, endgame_cp: int) -> int:
    """Return one int64 that carries both phases; sums and multiples stay valid while each half fits 32 bits."""
    return middlegame_cp + (endgame_cp << 32)


def _offsets() -> dict[str, int]:
    """Return the offset of the first weight of every term in `PACKED`."""
    offsets: dict[str, int] = {}
    total = 0
    for name, (middlegames, endgames) in TAPERED.items():
        if len(middlegames) != len(endgames):
            raise ValueError(f"weights.py: {name} has {len(middlegames)} middlegame and {len(endgames)} endgame values")
        offsets[name] = int64(total)
        total += len(middlegames)
    return offsets


OFFSETS: Final = _offsets()
PACKED: Final[npt.NDArray[np.int64]] = np.array(
    [pack(mg, eg) for mgs, egs in TAPERED.values() for mg, eg in zip(mgs, egs, strict=True)], dtype=np.int64
)
TERM_COUNT: Final = len(PACKED)

MATERIAL: Final = OFFSETS["material"]
PSQT: Final = OFFSETS["psqt_pawn"]
MOBILITY_KNIGHT: Final = OFFSETS["mobility_knight"]
MOBILITY_BISHOP: Final = OFFSETS["mobility_bishop"]
MOBILITY_ROOK: Final = OFFSETS["mobility_rook"]
MOBILITY_QUEEN: Final = OFFSETS["mobility_queen"]
BISHOP_PAIR: Final = OFFSETS["bishop_pair"]
BAD_BISHOP: Final = OFFSETS["bad_bishop"]
MINOR_BEHIND_PAWN: Final = OFFSETS["minor_behind_pawn"]
KNIGHT_OUTPOST: Final = OFFSETS["knight_outpost"]
BISHOP_OUTPOST: Final = OFFSETS["bishop_outpost"]
KNIGHT_KING_DISTANCE: Final = OFFSETS["knight_king_distance"]
BISHOP_KING_DISTANCE: Final = OFFSETS["bishop_king_distance"]
ROOK_OPEN_FILE: Final = OFFSETS["rook_open_file"]
ROOK_HALF_OPEN_FILE: Final = OFFSETS["rook_half_open_file"]
ROOK_SEVENTH: Final = OFFSETS["rook_seventh"]
TRAPPED_ROOK: Final = OFFSETS["trapped_rook"]
PAWN_ISOLATED: Final = OFFSETS["pawn_isolated"]
PAWN_ISOLATED_OPEN: Final = OFFSETS["pawn_isolated_open"]
PAWN_DOUBLED: Final = OFFSETS["pawn_doubled"]
PAWN_BACKWARD: Final = OFFSETS["pawn_backward"]
PAWN_BACKWARD_OPEN: Final = OFFSETS["pawn_backward_open"]
PAWN_SUPPORTED: Final = OFFSETS["pawn_supported"]
PAWN_PHALANX: Final = OFFSETS["pawn_phalanx"]
PAWN_CANDIDATE: Final = OFFSETS["pawn_candidate"]
PASSED: Final = OFFSETS["passed"]
PASSED_UNBLOCKED: Final = OFFSETS["passed_unblocked"]
PASSED_SAFE_STOP: Final = OFFSETS["passed_safe_stop"]
PASSED_OWN_KING: Final = OFFSETS["passed_own_king"]
PASSED_ENEMY_KING: Final = OFFSETS["passed_enemy_king"]
PASSED_OWN_ROOK_BEHIND: Final = OFFSETS["passed_own_rook_behind"]
PASSED_ENEMY_ROOK_BEHIND: Final = OFFSETS["passed_enemy_rook_behind"]
SHELTER: Final = OFFSETS["shelter"]
STORM: Final = OFFSETS["storm"]
THREAT_BY_PAWN: Final = OFFSETS["threat_by_pawn"]
THREAT_BY_MINOR: Final = OFFSETS["threat_by_minor"]
THREAT_BY_ROOK: Final = OFFSETS["threat_by_rook"]
THREAT_BY_QUEEN: Final = OFFSETS["threat_by_queen"]
THREAT_BY_KING: Final = OFFSETS["threat_by_king"]
HANGING: Final = OFFSETS["hanging"]
TEMPO: Final = OFFSETS["tempo"]

SAFETY_NAMES: Final = tuple(SAFETY)
SAFETY_COUNT: Final = len(SAFETY_NAMES)
SAFETY_WEIGHTS: Final[npt.NDArray[np.int64]] = np.array(list(SAFETY.values()), dtype=np.int64)


@inlined
def middlegame(packed: int) -> int:
    """Return the middlegame half of a packed sum."""
    return ((packed & LOW_HALF) ^ HALF_SIGN) - HALF_SIGN


@inlined
def endgame(packed: int) -> int:
    """Return the endgame half of a packed sum."""
    return (packed + HALF_SIGN) >> 32
