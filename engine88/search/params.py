"""Every tunable number of the search, in one place.

The grammar of the names: a THRESHOLD is a depth, a count or a score at which a rule begins or ends; a MARGIN is a
distance in centipawns; a BASE is what a rule starts from; a FACTOR is what is multiplied by depth, count or history.
A LIMIT bounds what a table entry may hold. Reductions are in 1024ths of a ply.
"""

# Transposition table
TT_AGE_FACTOR = 8  # plies of depth that one generation of age costs an entry when a bucket is full
TT_KEEP_MARGIN = 4  # plies by which a bound must be shallower than the entry it would replace to be dropped
TT_HALFMOVE_THRESHOLD = 90  # no table cut-off when the fifty-move rule is this near

# Aspiration windows
ASPIRATION_THRESHOLD = 4  # first iteration with a window
ASPIRATION_MARGIN = 12
ASPIRATION_FACTOR = 150  # growth of a failed window, percent

# Reverse futility, razoring
REVERSE_FUTILITY_THRESHOLD = 9
REVERSE_FUTILITY_MARGIN = 72
REVERSE_FUTILITY_IMPROVING_MARGIN = 60
RAZOR_THRESHOLD = 4
RAZOR_BASE = 180
RAZOR_FACTOR = 160

# Null move
NULL_MOVE_THRESHOLD = 3
NULL_MOVE_BASE = 4
NULL_MOVE_DEPTH_FACTOR = 4  # one more ply of reduction for so many plies of depth
NULL_MOVE_EVAL_FACTOR = 150  # one more for so many centipawns above beta
NULL_MOVE_EVAL_LIMIT = 3
NULL_MOVE_STATIC_BASE = 130
NULL_MOVE_STATIC_FACTOR = 16
NULL_MOVE_VERIFY_THRESHOLD = 14

# Probcut
PROBCUT_THRESHOLD = 5
PROBCUT_MARGIN = 150
PROBCUT_REDUCTION = 4

# Internal iterative reduction
IIR_THRESHOLD = 4

# Singular extension
SINGULAR_THRESHOLD = 7
SINGULAR_DEPTH_MARGIN = 3  # how much shallower than the node the table entry may be
SINGULAR_FACTOR = 1  # centipawns below the table score per ply of depth
DOUBLE_EXTENSION_MARGIN = 16
DOUBLE_EXTENSION_LIMIT = 6  # double extensions along one line

# Late moves
LMP_BASE = 4
LMR_THRESHOLD = 2  # least depth that is reduced
LMR_BASE = 800
LMR_FACTOR = 430
LMR_CAPTURE_BASE = 0
LMR_CUT_NODE_FACTOR = 1400
LMR_NOT_IMPROVING_FACTOR = 700
LMR_PV_FACTOR = 1000
LMR_TT_PV_FACTOR = 700
LMR_TT_CAPTURE_FACTOR = 800
LMR_CHECK_FACTOR = 800
LMR_KILLER_FACTOR = 1000
LMR_CUTOFFS_FACTOR = 800
LMR_CUTOFFS_THRESHOLD = 3
LMR_HISTORY_FACTOR = 12  # history points per 1/1024 of a ply
LMR_CAPTURE_HISTORY_FACTOR = 16
LMR_DEEPER_MARGIN = 40
LMR_SHALLOWER_MARGIN = 6

# Futility, history and exchange pruning of single moves
FUTILITY_THRESHOLD = 9
FUTILITY_BASE = 70
FUTILITY_FACTOR = 80
HISTORY_THRESHOLD = 5
HISTORY_FACTOR = 3500
SEE_QUIET_THRESHOLD = 9
SEE_QUIET_FACTOR = 22  # by the square of the reduced depth
SEE_CAPTURE_THRESHOLD = 8
SEE_CAPTURE_FACTOR = 90

# Glances: bounds of the evaluation without evaluating
GLANCE_MARGIN = 60
GLANCE_DRIFT_FACTOR = 15  # by the plies since the last evaluation
GLANCE_PHASE_THRESHOLD = 8  # in phases below this, scaling of drawish endgames may change much at once

# Quiescence
QS_FUTILITY_MARGIN = 130
QS_QUIET_EVASION_LIMIT = 2

# Histories
HISTORY_LIMIT = 16384
HISTORY_BONUS_FACTOR = 170
HISTORY_BONUS_BASE = 90
HISTORY_BONUS_LIMIT = 1700
CORRECTION_LIMIT = 8192
CORRECTION_BONUS_LIMIT = 2048
CORRECTION_PAWN_FACTOR = 100  # weights, in 1/16384 centipawn per point
CORRECTION_NON_PAWN_FACTOR = 90
CORRECTION_CONTINUATION_FACTOR = 80
CORRECTION_SHIFT = 14

# Move ordering
ORDER_CAPTURE_FACTOR = 16
ORDER_GOOD_CAPTURE_MARGIN = 40  # history points of a capture per centipawn of exchange it may lose and still be good
