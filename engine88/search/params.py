"""Every tunable number of the search and of the time manager, in one place.

The names follow a grammar. A THRESHOLD is a depth, a count or a score at which a rule begins or ends. A MARGIN is a
distance in centipawns. A BASE is what a rule starts from. A FACTOR is multiplied by depth, count or history. A LIMIT
bounds a value. Reductions are in 1024ths of a ply, shares are from 0 to 1.

The constants are plain numbers, because Numba compiles them into the kernels. `param_ranges.py` holds for each one the
range that a tuner may try and its meaning.
"""

# Transposition table
TT_AGE_FACTOR = 8  # plies of depth that one generation of age costs an entry when a bucket is full
TT_KEEP_MARGIN = 4  # plies by which a bound must be shallower than the entry it would replace to be dropped
TT_HALFMOVE_THRESHOLD = 90  # no table cut-off when the fifty-move rule is this near

# Aspiration windows
ASPIRATION_THRESHOLD = 4  # first iteration with a window
ASPIRATION_MARGIN = 20
ASPIRATION_FACTOR = 150  # growth of a failed window, percent
ASPIRATION_LIMIT = 800  # a window wider than this is opened fully on the side that failed
ASPIRATION_REDUCTION_LIMIT = 3  # plies by which searches after repeated fail-highs are shallower

# Reverse futility, razoring
REVERSE_FUTILITY_THRESHOLD = 9
REVERSE_FUTILITY_MARGIN = 51
REVERSE_FUTILITY_IMPROVING_MARGIN = 32
RAZOR_THRESHOLD = 4
RAZOR_BASE = 187
RAZOR_FACTOR = 182

# Null move
NULL_MOVE_THRESHOLD = 3
NULL_MOVE_BASE = 4
NULL_MOVE_DEPTH_FACTOR = 4  # one more ply of reduction for so many plies of depth
NULL_MOVE_EVAL_FACTOR = 172  # one more for so many centipawns above beta
NULL_MOVE_EVAL_LIMIT = 3
NULL_MOVE_STATIC_BASE = 91
NULL_MOVE_STATIC_FACTOR = 15
NULL_MOVE_VERIFY_THRESHOLD = 14
NULL_MOVE_VERIFY_FACTOR = 3  # quarters of the reduced depth without another null move while verifying

# Probcut
PROBCUT_THRESHOLD = 5
PROBCUT_MARGIN = 139
PROBCUT_REDUCTION = 4

# Internal iterative reduction
IIR_THRESHOLD = 4

# Singular extension
SINGULAR_THRESHOLD = 7
SINGULAR_DEPTH_MARGIN = 3  # how much shallower than the node the table entry may be
SINGULAR_FACTOR = 1  # centipawns below the table score per ply of depth
DOUBLE_EXTENSION_MARGIN = 18
DOUBLE_EXTENSION_LIMIT = 6  # double extensions along one line

# Late moves
LMP_BASE = 8
LMR_THRESHOLD = 2  # least depth that is reduced
LMR_BASE = 829
LMR_FACTOR = 388
LMR_CAPTURE_BASE = -83
LMR_CUT_NODE_FACTOR = 1472
LMR_NOT_IMPROVING_FACTOR = 655
LMR_PV_FACTOR = 638
LMR_TT_PV_FACTOR = 669
LMR_TT_CAPTURE_FACTOR = 722
LMR_CHECK_FACTOR = 941
LMR_KILLER_FACTOR = 1060
LMR_HISTORY_FACTOR = 12  # history points per 1/1024 of a ply
LMR_CAPTURE_HISTORY_FACTOR = 17
LMR_DEEPER_MARGIN = 34
LMR_DEEPER_FACTOR = 1  # centipawns more of LMR_DEEPER_MARGIN per ply of depth
LMR_SHALLOWER_MARGIN = 1
LMR_ROOT_THRESHOLD = 3  # root moves after this many are reduced
LMR_ROOT_DIVISOR = 1536  # what the table's reduction is divided by at the root; 1024 is all of it

# Futility, history and exchange pruning of single moves
FUTILITY_THRESHOLD = 9
FUTILITY_BASE = 2
FUTILITY_FACTOR = 30
HISTORY_THRESHOLD = 5
HISTORY_FACTOR = 4698
SEE_QUIET_THRESHOLD = 9
SEE_QUIET_FACTOR = 15  # by the square of the reduced depth
SEE_CAPTURE_THRESHOLD = 8
SEE_CAPTURE_FACTOR = 91

# Quiescence
QS_FUTILITY_MARGIN = 161
QS_QUIET_EVASION_LIMIT = 2

# Histories
HISTORY_LIMIT = 16384
HISTORY_BONUS_FACTOR = 206
HISTORY_BONUS_BASE = -15
HISTORY_BONUS_LIMIT = 1847
HISTORY_FIRST_MOVE_THRESHOLD = 2  # up to this depth a first quiet move that cuts gains nothing
CORRECTION_LIMIT = 8192
CORRECTION_BONUS_LIMIT = 1721
CORRECTION_BONUS_FACTOR = 2  # by depth and error in centipawns
CORRECTION_PAWN_FACTOR = 55  # weights, in 1/16384 centipawn per point
CORRECTION_NON_PAWN_FACTOR = 90
CORRECTION_CONTINUATION_FACTOR = 98
CORRECTION_SHIFT = 14

# Move ordering
ORDER_CAPTURE_FACTOR = 17
ORDER_CAPTURE_HISTORY_DIVISOR = 3
ORDER_GOOD_CAPTURE_MARGIN = 57  # history points of a capture per centipawn of exchange it may lose and still be good

# Time manager (control/time_manager.py). With no moves to go the clock is shared among TIME_MOVES_HORIZON moves.
TIME_MOVES_HORIZON = 25
TIME_MOVES_RESERVED = 60  # moves whose overhead is never planned with
TIME_HARD_FACTOR = 4.5  # the hard limit in soft limits ...
TIME_HARD_SHARE = 0.5  # ... but never more than this share of the clock
TIME_HARD_SHARE_LAST_MOVE = 0.9  # before the next time control
TIME_SOFT_SHARE = 0.45
TIME_INCREMENT_SHARE = 0.9  # what a move may count on; the rest builds the clock up
TIME_MIN_MS = 1.0  # a depth-1 search takes less
TIME_MOVETIME_KEEP_MS = 10.0  # kept back of a fixed time per move, for the pipe
TIME_MOVETIME_KEEP_SHARE = 0.1

# Time manager: the soft limit is multiplied by factors for stability, score drop and effort.
TIME_STABILITY_FACTOR = (1.6, 1.3, 1.1, 1.0, 0.92, 0.86, 0.8)  # by iterations for which the best move has stood
TIME_MOVE_CHANGE_FACTOR = 0.25  # by recent changes of the best move
TIME_SCORE_DROP_CP = 120.0  # a drop by so many centipawns doubles the time
TIME_SCORE_DROP_MIN = 0.85
TIME_SCORE_DROP_MAX = 1.7
TIME_EFFORT_BASE = 1.55
TIME_EFFORT_FACTOR = 0.85  # by the share of root nodes that the best move took
TIME_FACTOR_MIN = 0.2
TIME_FACTOR_MAX = 2.8
TIME_CLEAR_EFFORT = 0.97  # a clear move: nearly all nodes went into it, iteration after iteration
TIME_CLEAR_ITERATIONS = 6
TIME_CLEAR_DEPTH = 8
TIME_CLEAR_FACTOR = 0.5
TIME_FORCED_DEPTH = 6  # an only move is played after this iteration
