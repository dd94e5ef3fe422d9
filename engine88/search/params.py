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

# Reductions and extensions of whole nodes
HINDSIGHT_EXTENSION_THRESHOLD = 3  # plies by which the move to the node was reduced, for one ply more
HINDSIGHT_REDUCTION_MARGIN = 54  # centipawns of both sides' evaluations together, for one ply less
IIR_THRESHOLD = 5  # least depth of internal iterative reduction in an expected cut node
IIR_PV_THRESHOLD = 4  # least depth of internal iterative reduction in the principal variation

# Reverse futility
REVERSE_FUTILITY_THRESHOLD = 14  # depth from which reverse futility ends
REVERSE_FUTILITY_FACTOR = 31  # centipawns above beta per ply of depth
REVERSE_FUTILITY_CUT_NODE_FACTOR = 7  # less of it per ply in an expected cut node that is not in the table
REVERSE_FUTILITY_WORSENING_DIVISOR = 3  # share of a ply's margin less when the opponent's evaluation falls
REVERSE_FUTILITY_HISTORY_FACTOR = 1054  # history points of the move to the node per centipawn of margin less
REVERSE_FUTILITY_BASE = 14  # centipawns of margin less in every node

# Null move
NULL_MOVE_BASE = 5  # reduction of the null-move search, plies
NULL_MOVE_DEPTH_FACTOR = 4  # one more ply of reduction for so many plies of depth
NULL_MOVE_EVAL_FACTOR = 100  # one more ply of reduction for so many centipawns above beta
NULL_MOVE_EVAL_LIMIT = 3  # most plies of reduction for the evaluation
NULL_MOVE_STATIC_BASE = 160  # centipawns that the static evaluation must be above beta at depth 0
NULL_MOVE_STATIC_FACTOR = 5  # centipawns less of it per ply of depth
NULL_MOVE_VERIFY_THRESHOLD = 16  # depth from which a null-move cut-off is verified
NULL_MOVE_VERIFY_FACTOR = 3  # quarters of the reduced depth without null moves while verifying
NULL_MOVE_IMPROVING_MARGIN = 27  # centipawns above beta from which the evaluation counts as improving

# Probcut
PROBCUT_THRESHOLD = 3  # least depth of probcut
PROBCUT_MARGIN = 53  # centipawns above beta that a capture must reach
PROBCUT_IMPROVING_MARGIN = 17  # centipawns less of it when the evaluation improves
PROBCUT_REDUCTION = 4  # plies by which the probcut search is shallower

# Singular extension
SINGULAR_THRESHOLD = 6  # least depth of a singular search
SINGULAR_DEPTH_MARGIN = 3  # plies that the table entry may be shallower than the node
SINGULAR_FACTOR = 17  # 64ths of a centipawn below the table's score per ply of depth
SINGULAR_TT_PV_FACTOR = 26  # more of it where the table remembers a principal variation
DOUBLE_EXTENSION_PV_MARGIN = 75  # centipawns below singular beta for a second ply in the principal variation
DOUBLE_EXTENSION_QUIET_MARGIN = 54  # centipawns less of it for a quiet move

# Late moves
LMP_BASE = 3  # quiet moves searched at depth 0 before the late ones are pruned, times two if improving
LMR_THRESHOLD = 2  # least depth that is reduced
LMR_BASE = 1087  # reduction of every move, 1/1024 ply
LMR_FACTOR = 532  # reduction by ln(depth) * ln(move number), 1/1024 ply
LMR_NOT_IMPROVING_FACTOR = 382  # share of the above that is added when the evaluation does not improve, 1024ths
LMR_WINDOW_FACTOR = 764  # less reduction by the window's share of the root's window, 1/1024 ply
LMR_COUNT_FACTOR = 32  # less reduction per move before, 1/1024 ply
LMR_TT_PV_FACTOR = 979  # more where the table remembers a principal variation (pruning), 1/1024 ply

# What only the reduction of a search depends on, not the pruning
LMR_LATER_BASE = 306  # added to the reduction of every move, 1/1024 ply
LMR_LATER_COUNT_FACTOR = 34  # less of it per move before, 1/1024 ply
LMR_LATER_TT_PV_FACTOR = 2100  # less where the table remembers a principal variation, 1/1024 ply
LMR_PV_FACTOR = 1008  # still less in the principal variation itself, 1/1024 ply
LMR_TT_SCORE_FACTOR = 880  # still less where the table's score is above alpha, 1/1024 ply
LMR_TT_DEPTH_FACTOR = 1022  # still less where the table's entry is as deep, 1/1024 ply
LMR_TT_DEPTH_CUT_NODE_FACTOR = 1140  # and less than that in an expected cut node, 1/1024 ply
LMR_CORRECTION_FACTOR = 15  # less reduction per centipawn of corrected evaluation, 1/1024 ply
LMR_CUT_NODE_FACTOR = 2784  # more reduction in an expected cut node, 1/1024 ply
LMR_NO_TT_MOVE_FACTOR = 1038  # still more there without a table move, 1/1024 ply
LMR_TT_CAPTURE_FACTOR = 1171  # more reduction of quiet moves beside a capturing table move, 1/1024 ply
LMR_TT_CAPTURE_SHALLOW_FACTOR = 985  # still more below LMR_TT_CAPTURE_THRESHOLD, 1/1024 ply
LMR_TT_CAPTURE_THRESHOLD = 8  # depth from which the factor above ends
LMR_CUTOFF_THRESHOLD = 3  # cut-offs of the answers beyond which a move is reduced more
LMR_CUTOFF_FACTOR = 1042  # more reduction by so many cut-offs, 1/1024 ply
LMR_CUTOFF_ALL_NODE_FACTOR = 864  # still more in an expected all node, 1/1024 ply
LMR_TT_MOVE_FACTOR = 1937  # less reduction of the table move, 1/1024 ply
LMR_HISTORY_FACTOR = 80  # less reduction per 1,024 history points, 1/1024 ply
LMR_HISTORY_BASE = 3271  # history points of a quiet move that is reduced neither less nor more
LMR_CAPTURE_HISTORY_BASE = 4822  # history points of a capture that is reduced neither less nor more
LMR_VICTIM_FACTOR = 15  # history points per centipawn of a captured piece
LMR_DEEPER_MARGIN = 12  # centipawns above the best score for a deeper second search
LMR_DEEPER_FACTOR = 1  # centipawns more of it per ply of depth
LMR_SHALLOWER_MARGIN = 3  # centipawns above the best score below which the second search is shallower
LMR_FIRST_THRESHOLD = 3495  # reduction from which a move without late move reduction is searched a ply less
LMR_FIRST_NO_TT_MOVE_FACTOR = 1156  # added to that reduction without a table move
LMR_FIRST_DEEP_THRESHOLD = 5510  # reduction for a second ply less
ALPHA_RAISED_REDUCTION = 2  # plies less for the moves after one that raised alpha
ALPHA_RAISED_THRESHOLD = 16  # depth from which that ends

# Futility, history and exchange pruning of single moves
FUTILITY_THRESHOLD = 12  # reduced depth from which futility pruning ends
FUTILITY_BASE = 42  # centipawns below alpha at reduced depth 0
FUTILITY_BEST_MOVE_MARGIN = 28  # centipawns less of it once a move has raised alpha
FUTILITY_FACTOR = 32  # centipawns below alpha per ply of reduced depth
FUTILITY_LOW_MARGIN = 37  # centipawns that the best score may be below the static evaluation
FUTILITY_LOW_BASE = 29  # centipawns more of the margin where it is still lower
FUTILITY_HISTORY_FACTOR = 3593  # history points per ply of reduced depth
HISTORY_FACTOR = 4348  # history points below zero per ply of depth
FUTILITY_CAPTURE_THRESHOLD = 7  # reduced depth from which futility pruning of captures ends
FUTILITY_CAPTURE_BASE = 120  # centipawns that a capture may gain at reduced depth 0 besides its victim
FUTILITY_CAPTURE_FACTOR = 66  # centipawns more of it per ply of reduced depth
FUTILITY_CAPTURE_HISTORY_FACTOR = 27  # history points of a capture per centipawn
SEE_QUIET_FACTOR = 14  # centipawns a quiet move may lose, by the square of the reduced depth
SEE_CAPTURE_FACTOR = 91  # centipawns a capture may lose per ply of depth
SEE_CAPTURE_HISTORY_FACTOR = 66  # history points of a capture per centipawn that it may lose more
SEE_CAPTURE_HISTORY_LIMIT = 65  # most of that, centipawns per ply of depth

# Quiescence
QS_FUTILITY_MARGIN = 103  # centipawns that a capture may gain besides its victim
QS_SEE_MARGIN = 36  # centipawns that a move may lose in the exchange on its square
QS_MOVE_LIMIT = 2  # moves searched besides checks, promotions and recaptures
QS_QUIET_EVASION_LIMIT = 2  # quiet evasions searched in quiescence

# Histories
HISTORY_LIMIT = 7183  # bound of an entry of the main history (16 bits)
CAPTURE_HISTORY_LIMIT = 10692  # bound of an entry of the capture history
CONTINUATION_HISTORY_LIMIT = 30000  # bound of an entry of the continuation history
PAWN_HISTORY_LIMIT = 8192  # bound of an entry of the history by pawn structure
HISTORY_BONUS_FACTOR = 141  # bonus of the best move per ply of depth
HISTORY_BONUS_BASE = 89  # taken from the bonus of the best move
HISTORY_BONUS_LIMIT = 1613  # most of the bonus of the best move
HISTORY_BONUS_TT_MOVE = 311  # added to it if the best move is the table's
HISTORY_BONUS_QUIET_FACTOR = 1129  # bonus of a quiet move, 1024ths
HISTORY_BONUS_CAPTURE_FACTOR = 1187  # bonus of a capture, 1024ths
HISTORY_MALUS_FACTOR = 695  # malus of the moves searched in vain per ply of depth
HISTORY_MALUS_BASE = 215  # taken from that malus
HISTORY_MALUS_LIMIT = 2808  # most of that malus
HISTORY_MALUS_COUNT_FACTOR = 31  # taken from it per move before the best one
HISTORY_MALUS_QUIET_FACTOR = 1246  # malus of a quiet move, 1024ths
HISTORY_MALUS_CAPTURE_FACTOR = 1377  # malus of a capture, 1024ths
HISTORY_ONE_PLY_FACTOR = 1081  # share of a bonus for the continuation history one ply back, 1024ths
HISTORY_TWO_PLIES_FACTOR = 646  # the share two plies back, 1024ths
HISTORY_THREE_PLIES_FACTOR = 317  # the share three plies back, 1024ths
HISTORY_FOUR_PLIES_FACTOR = 523  # the share four plies back, 1024ths
HISTORY_SIX_PLIES_FACTOR = 465  # the share six plies back, 1024ths
HISTORY_PAWN_FACTOR = 587  # share of a bonus for the history by pawn structure, 1024ths
HISTORY_EARLY_MALUS_FACTOR = 987  # share of a malus for an early quiet move that is refuted, 1024ths
HISTORY_RESEARCH_BONUS = 1600  # bonus of a move whose reduced search beats alpha
HISTORY_EVAL_FACTOR = 40  # bonus of a quiet move per centipawn that the evaluation of its side rose
HISTORY_EVAL_BASE = 655  # added to that bonus
HISTORY_EVAL_MALUS_LIMIT = 1950  # most of the malus of a move after which it fell
HISTORY_EVAL_PAWN_FACTOR = 1196  # share of that for the history by pawn structure, 1024ths
HISTORY_EVAL_BONUS_LIMIT = 1416  # most of the bonus of a move after which it rose
FAIL_LOW_BONUS_FACTOR = 160  # bonus of a move that no answer refutes per ply of depth
FAIL_LOW_BONUS_BASE = 99  # taken from the bonus of a move that no answer refutes
FAIL_LOW_BONUS_LIMIT = 1492  # most of that bonus, before its weight
FAIL_LOW_DEPTH_FACTOR = 80  # weight of that bonus per ply of depth from 4 on
FAIL_LOW_DEPTH_LIMIT = 200  # most of the weight by depth
FAIL_LOW_NOT_ALL_NODE = 34  # weight where the failure was not expected
FAIL_LOW_LATE_MOVE = 164  # weight for a move after the first eight
FAIL_LOW_EVAL = 141  # weight where the score is well below the evaluation
FAIL_LOW_EVAL_MARGIN = 29  # centipawns below the evaluation for that weight
FAIL_LOW_EVAL_BEFORE = 121  # weight where it is well below the evaluation before the move
FAIL_LOW_EVAL_BEFORE_MARGIN = 21  # centipawns below the evaluation before the move for that weight
FAIL_LOW_TT_MOVE = 86  # weight for the table move
FAIL_LOW_FEW_CUTOFFS = 86  # weight where few answers cut
FAIL_LOW_HISTORY_FACTOR = 112  # history points below zero per point of weight
FAIL_LOW_HISTORY_LIMIT = 303  # most of that weight
FAIL_LOW_MAIN_FACTOR = 212  # share of the bonus times weight for the main history, 32768ths
FAIL_LOW_PAWN_FACTOR = 1055  # share of it for the history by pawn structure, 32768ths
FAIL_LOW_CONTINUATION_FACTOR = 388  # share of it for the continuation histories, 32768ths
CORRECTION_LIMIT = 8192  # bound of a correction entry (16 bits)
CORRECTION_BONUS_LIMIT = 1500  # most that one search moves a correction entry
CORRECTION_BONUS_FACTOR = 3  # by depth and error in centipawns
CORRECTION_PAWN_FACTOR = 48  # weight of the pawn correction, 2**-CORRECTION_SHIFT centipawns a point
CORRECTION_NON_PAWN_FACTOR = 86  # weight of each of the two piece corrections
CORRECTION_CONTINUATION_FACTOR = 98  # weight of the correction by the last two moves
CORRECTION_SHIFT = 14  # binary logarithm of the unit of the three weights above

# Move ordering
ORDER_CAPTURE_FACTOR = 14  # ordering points per centipawn of a capture's victim
ORDER_CHECK_BASE = 16384  # ordering points of a quiet check
ORDER_CHECK_MARGIN = 36  # centipawns that such a check may lose
ORDER_GOOD_CAPTURE_MARGIN = 37  # ordering points per centipawn that a good capture may lose
ORDER_PAWN_HISTORY_FACTOR = 2  # weight of the history by pawn structure
ORDER_BAD_QUIET = -8000  # ordering points below which a quiet move follows the losing captures
ORDER_QUEEN_THREAT = 50000  # ordering points of a queen that leaves an attack by a lesser piece, or enters it
ORDER_ROOK_THREAT = 25000  # ordering points of a rook for the same
ORDER_MINOR_THREAT = 14450  # ordering points of a knight or bishop that leaves an attack by a pawn

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
