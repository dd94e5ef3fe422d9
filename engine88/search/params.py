"""Every tunable number of the search and of the time manager, with its meaning.

The names follow a grammar. A THRESHOLD is a depth, a count or a score at which a rule begins or ends. A MARGIN is a
distance in centipawns. A BASE is what a rule starts from. A FACTOR is multiplied by depth, count or history. A LIMIT
bounds a value. Reductions are in 1024ths of a ply, shares are from 0 to 1.

The constants are plain numbers, because Numba compiles them into the kernels. param_ranges.py holds the range that a
tuner may try for each of them.
"""

# Transposition table
TT_AGE_FACTOR = 8  # plies of depth that one generation of age costs an entry in a full bucket
TT_KEEP_MARGIN = 4  # plies by which a new bound must be shallower to be dropped
TT_UNEXPECTED_THRESHOLD = 6  # depth from which a table entry cuts against what the node is expected to do
TT_HALFMOVE_THRESHOLD = 90  # halfmove clock from which the table no longer cuts off

# Aspiration windows
ASPIRATION_THRESHOLD = 4  # first iteration with an aspiration window
ASPIRATION_MARGIN = 13  # half of the first window, centipawns
ASPIRATION_FACTOR = 150  # growth of a failed window, percent
ASPIRATION_LIMIT = 800  # margin beyond which the failed side is opened fully, centipawns
ASPIRATION_REDUCTION_LIMIT = 3  # plies that searches after fail-highs may be shallower

# Reverse futility
REVERSE_FUTILITY_THRESHOLD = 9  # depth from which reverse futility ends
REVERSE_FUTILITY_MARGIN = 40  # centipawns above beta per ply of depth
REVERSE_FUTILITY_IMPROVING_MARGIN = 34  # centipawns less when the evaluation improves

# Null move
NULL_MOVE_THRESHOLD = 3  # least depth of a null move
NULL_MOVE_BASE = 5  # reduction of the null-move search, plies
NULL_MOVE_DEPTH_FACTOR = 4  # one more ply of reduction for so many plies of depth
NULL_MOVE_EVAL_FACTOR = 135  # one more ply of reduction for so many centipawns above beta
NULL_MOVE_EVAL_LIMIT = 3  # most plies of reduction for the evaluation
NULL_MOVE_STATIC_BASE = 75  # centipawns that the static evaluation must be above beta at depth 0
NULL_MOVE_STATIC_FACTOR = 15  # centipawns less of it per ply of depth
NULL_MOVE_VERIFY_THRESHOLD = 14  # depth from which a null-move cut-off is verified
NULL_MOVE_VERIFY_FACTOR = 3  # quarters of the reduced depth without null moves while verifying

# Probcut
PROBCUT_THRESHOLD = 5  # least depth of probcut
PROBCUT_MARGIN = 139  # centipawns above beta that a capture must reach
PROBCUT_REDUCTION = 4  # plies by which the probcut search is shallower

# Internal iterative reduction
IIR_THRESHOLD = 4  # least depth of internal iterative reduction

# Singular extension
SINGULAR_THRESHOLD = 5  # least depth of a singular search
SINGULAR_DEPTH_MARGIN = 3  # plies that the table entry may be shallower than the node
SINGULAR_FACTOR = 1  # centipawns below the table's score per ply of depth
DOUBLE_EXTENSION_MARGIN = 21  # centipawns below singular beta for a second ply of extension
DOUBLE_EXTENSION_LIMIT = 6  # most double extensions along one line

# Late moves
LMP_BASE = 8  # quiet moves searched at depth 0 before the late ones are pruned, times two if improving
LMR_THRESHOLD = 2  # least depth that is reduced
LMR_BASE = 790  # reduction of every late move, 1/1024 ply
LMR_FACTOR = 388  # reduction by ln(depth) * ln(move number), 1/1024 ply
LMR_CAPTURE_BASE = -83  # added to half of the reduction of a capture, 1/1024 ply
LMR_CUT_NODE_FACTOR = 1850  # more reduction in an expected cut node, 1/1024 ply
LMR_NOT_IMPROVING_FACTOR = 880  # more reduction when the evaluation does not improve, 1/1024 ply
LMR_PV_FACTOR = 600  # less reduction in the principal variation, 1/1024 ply
LMR_TT_PV_FACTOR = 430  # less reduction where the table remembers a principal variation, 1/1024 ply
LMR_TT_CAPTURE_FACTOR = 900  # more reduction of quiet moves beside a capturing table move, 1/1024 ply
LMR_CHECK_FACTOR = 941  # less reduction of a checking move, 1/1024 ply
LMR_HISTORY_FACTOR = 12  # history points of a quiet move per 1/1024 ply
LMR_CAPTURE_HISTORY_FACTOR = 17  # history points of a capture per 1/1024 ply
LMR_DEEPER_MARGIN = 34  # centipawns above the best score for a deeper second search
LMR_DEEPER_FACTOR = 1  # centipawns more of it per ply of depth
LMR_SHALLOWER_MARGIN = 6  # centipawns above the best score below which the second search is shallower

# Futility, history and exchange pruning of single moves
FUTILITY_THRESHOLD = 13  # reduced depth from which futility pruning ends
FUTILITY_BASE = 14  # centipawns below alpha at reduced depth 0
FUTILITY_FACTOR = 38  # centipawns below alpha per ply of reduced depth
HISTORY_THRESHOLD = 5  # reduced depth from which history pruning ends
HISTORY_FACTOR = 6600  # history points below zero per ply of reduced depth
SEE_QUIET_THRESHOLD = 9  # reduced depth beyond which a quiet move may lose no more
SEE_QUIET_FACTOR = 16  # centipawns a quiet move may lose, by the square of the reduced depth
SEE_CAPTURE_THRESHOLD = 8  # greatest depth at which losing captures are pruned
SEE_CAPTURE_FACTOR = 91  # centipawns a capture may lose per ply of depth

# Quiescence
QS_FUTILITY_MARGIN = 161  # centipawns that a capture may gain besides its victim
QS_QUIET_EVASION_LIMIT = 2  # quiet evasions searched in quiescence

# Histories
HISTORY_LIMIT = 16384  # bound of a history entry (16 bits)
HISTORY_BONUS_FACTOR = 280  # history bonus per ply of depth
HISTORY_BONUS_BASE = -110  # taken from the history bonus
HISTORY_BONUS_LIMIT = 1847  # most of a history bonus
HISTORY_FAIL_LOW_FACTOR = 42  # 64ths of a bonus for the last move of the opponent if no answer beats alpha
HISTORY_FOUR_PLIES_FACTOR = 32  # weight of the continuation history four plies back, 64ths
HISTORY_FIRST_MOVE_THRESHOLD = 2  # depth up to which a first quiet move that cuts gains nothing
CORRECTION_LIMIT = 8192  # bound of a correction entry (16 bits)
CORRECTION_BONUS_LIMIT = 1500  # most that one search moves a correction entry
CORRECTION_BONUS_FACTOR = 3  # by depth and error in centipawns
CORRECTION_PAWN_FACTOR = 48  # weight of the pawn correction, 2**-CORRECTION_SHIFT centipawns a point
CORRECTION_NON_PAWN_FACTOR = 86  # weight of each of the two piece corrections
CORRECTION_CONTINUATION_FACTOR = 98  # weight of the correction by the last two moves
CORRECTION_SHIFT = 14  # binary logarithm of the unit of the three weights above

# Move ordering
ORDER_CAPTURE_FACTOR = 17  # ordering points per centipawn of a capture's victim
ORDER_CAPTURE_HISTORY_DIVISOR = 3  # capture history points per ordering point
ORDER_CHECK_BASE = 8000  # ordering points of a quiet check
ORDER_CHECK_MARGIN = 50  # centipawns that such a check may lose
ORDER_GOOD_CAPTURE_MARGIN = 50  # ordering points per centipawn that a good capture may lose

# Time manager (control/time_manager.py)
TIME_MOVES_HORIZON = 25  # moves that the clock is shared among without moves to go
TIME_MOVES_RESERVED = 60  # moves whose overhead is never planned with
TIME_HARD_FACTOR = 4.5  # the hard limit in soft limits
TIME_HARD_SHARE = 0.5  # most of the clock that one move may take
TIME_HARD_SHARE_LAST_MOVE = 0.9  # the same for the last move of a time control
TIME_SOFT_SHARE = 0.45  # most of the clock that a soft limit may be
TIME_INCREMENT_SHARE = 0.9  # share of the increment that a move may count on
TIME_MIN_MS = 1.0  # least time of any move, ms
TIME_MOVETIME_KEEP_MS = 10.0  # most that is kept back of a fixed time per move, ms
TIME_MOVETIME_KEEP_SHARE = 0.1  # most share of it that is kept back
TIME_STABILITY_FACTOR = (1.6, 1.3, 1.1, 1.0, 0.92, 0.86, 0.8)  # by iterations for which the best move has stood
TIME_MOVE_CHANGE_FACTOR = 0.25  # added to it per recent change of the best move
TIME_SCORE_DROP_CP = 120.0  # centipawns of score drop that double the time
TIME_SCORE_DROP_MIN = 0.85  # least factor of the score's change
TIME_SCORE_DROP_MAX = 1.7  # greatest factor of the score's change
TIME_EFFORT_BASE = 1.55  # factor when the best move took no nodes
TIME_EFFORT_FACTOR = 0.85  # taken from it by the share of nodes of the best move
TIME_FACTOR_MIN = 0.2  # least factor of the soft limit
TIME_FACTOR_MAX = 2.8  # greatest factor of the soft limit
TIME_CLEAR_EFFORT = 0.97  # share of nodes from which a move is clear
TIME_CLEAR_ITERATIONS = 6  # iterations for which a clear move must have stood
TIME_CLEAR_DEPTH = 8  # least depth of a clear move
TIME_CLEAR_FACTOR = 0.5  # factor of the soft limit for a clear move
TIME_FORCED_DEPTH = 6  # depth after which an only move is played
