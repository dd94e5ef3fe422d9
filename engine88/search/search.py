"""The main search: fail-soft principal variation search in one function of numbered steps.

Its rules are in node_rules.py, move_rules.py, reductions.py and extensions.py. `search` calls itself and `qsearch`, and
nothing else that recurses: recursion across kernels breaks Numba's disk cache. For the same reason every argument of a
recursive call is a variable or a numpy number, never a literal. Source: chessprogramming wiki, "Principal Variation
Search".
"""

from engine88.board.defs import INFINITE, MATE_BOUND, mate_in, mated_in
from engine88.board.move_list import MoveList
from engine88.board.moves import is_tactical
from engine88.board.record import Board
from engine88.compiler.jit import int64, kernel
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.make_move import unmake_move, unmake_null_move
from engine88.rules.see import see_ge
from engine88.search.extensions import (
    MULTI_CUT,
    hindsight_depth,
    is_singular_candidate,
    singular_extension,
    singular_search_beta,
)
from engine88.search.history import add_searched_move
from engine88.search.invariants import check_node, check_result
from engine88.search.learning import learn_from_evaluation, learn_from_node, reward_second_search
from engine88.search.move_picker import (
    STAGE_QS_TT_MOVE,
    STAGE_TT_MOVE,
    init_picker,
    next_capture,
    next_move,
)
from engine88.search.move_rules import is_pruned
from engine88.search.node import (
    SEARCHED,
    begin_move,
    enter_node,
    is_improving,
    make_search_move,
    make_search_null_move,
    probe_tt,
    score_without_moves,
    set_gives_check,
    set_static_eval,
    softened_score,
    store_node_result,
    store_tt,
    update_pv,
)
from engine88.search.node_rules import (
    iir_applies,
    is_reverse_futile,
    null_move_allowed,
    null_move_reduction,
    probcut_allowed,
    probcut_margin,
)
from engine88.search.params import (
    LMR_THRESHOLD,
    NULL_MOVE_IMPROVING_MARGIN,
    NULL_MOVE_VERIFY_FACTOR,
    NULL_MOVE_VERIFY_THRESHOLD,
    PROBCUT_REDUCTION,
)
from engine88.search.quiescence import qsearch
from engine88.search.reductions import (
    base_reduction,
    depth_after_raise,
    first_depth,
    full_reduction,
    node_flags,
    reduced_depth,
    research_depth,
)
from engine88.search.search_state import SearchState, node_at
from engine88.search.tt import BOUND_LOWER


@kernel
def search(
    board: Board,
    lists: MoveList,
    state: SearchState,
    evaluation: EvaluationState,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    cut_node: int,
) -> int:
    """Return the score of the position after a search of `depth` plies, fail-soft between alpha and beta."""
    # 1. The horizon. Below it only captures and evasions are searched, so that the evaluation sees a quiet position.
    if depth <= 0:
        return qsearch(board, lists, state, evaluation, alpha, beta, ply)
    check_node(board, state, ply, alpha, beta, cut_node)
    key = board.key
    # 2. Limits, draws, the last ply. A repetition counts at once: what could be repeated once can be repeated again.
    node, known = node_at(state, ply), enter_node(board, state, evaluation, ply)
    if known != SEARCHED:
        return known
    # 3. Mate distance. Even a mate by the next move would be no better than the mate already found nearer to the root.
    pv_node, child_cut = beta - alpha > 1, 1 - cut_node
    alpha, beta = max(alpha, mated_in(ply)), min(beta, mate_in(ply + 1))
    if alpha >= beta:
        return alpha
    # 4. The table: a deep enough result is used, else its move is searched first. A singular search does not ask it.
    # 5. The static evaluation, or the table's score where that is nearer to the truth: steps 7 to 10 compare it.
    excluded, eval_score, extension = node.excluded_move, node.static_eval, int64(0)
    if excluded == 0:
        if probe_tt(board, state, ply, depth, beta, pv_node, cut_node):
            return int64(node.tt_score)
        eval_score = set_static_eval(board, state, evaluation, ply)
        learn_from_evaluation(board, state, ply)
    improving = is_improving(state, ply)
    if not node.in_check:
        # 6. Hindsight: the evaluation shows whether the move to this node was reduced too much or too little.
        depth = hindsight_depth(state, ply, depth)
        # 7. Reverse futility: far above beta a few plies do not change the outcome. A third of it is less daring.
        if is_reverse_futile(state, ply, depth, eval_score, beta, cut_node, improving):
            return int64(beta + (eval_score - beta) // 3)
        # 8. Null move: cut if we beat beta after passing. Its mates are not real; deep down, verify against zugzwang.
        if cut_node and not excluded and null_move_allowed(board, state, ply, depth, eval_score, beta):
            reduced = depth - null_move_reduction(depth, eval_score, beta)
            make_search_null_move(board, state, ply)
            score = -search(board, lists, state, evaluation, -beta, -beta + 1, reduced, ply + 1, int64(0))
            unmake_null_move(board)
            if beta <= score < MATE_BOUND and not state.stop:
                if depth < NULL_MOVE_VERIFY_THRESHOLD or state.null_move_ply > 0:
                    return score
                state.null_move_ply = ply + NULL_MOVE_VERIFY_FACTOR * reduced // 4
                verified = search(board, lists, state, evaluation, beta - 1, beta, reduced, ply, int64(0))
                state.null_move_ply = 0
                if verified >= beta:
                    return score
        improving |= int64(node.static_eval >= beta + NULL_MOVE_IMPROVING_MARGIN)
        # 9. Internal iterative reduction: without a table move the node is badly ordered, and costs more than it shows.
        if iir_applies(depth, node.tt_move, pv_node, cut_node):
            depth -= 1
        # 10. Probcut: a capture that beats beta by a margin at a lower depth (quiescence first) likely beats it here.
        margin = probcut_margin(improving)
        probcut_beta, low, reduced = beta + margin, -beta - margin, depth - PROBCUT_REDUCTION
        if probcut_allowed(state, ply, depth, beta, probcut_beta):
            init_picker(state, ply, node.tt_move if is_tactical(node.tt_move) else int64(0), int64(STAGE_QS_TT_MOVE))
            while not state.stop:
                move = next_capture(board, lists, state, ply)
                if move == 0:
                    break
                if not see_ge(board, move, probcut_beta - node.static_eval):
                    continue
                set_gives_check(board, state, ply, move)
                make_search_move(board, state, ply, move)
                score = -qsearch(board, lists, state, evaluation, low, low + 1, ply + 1)
                if score >= probcut_beta and reduced > 0:
                    score = -search(board, lists, state, evaluation, low, low + 1, reduced, ply + 1, child_cut)
                unmake_move(board)
                if score >= probcut_beta and not state.stop:
                    store_tt(board, state, ply, move, score, max(int64(0), reduced) + 1, int64(BOUND_LOWER))
                    return score if abs(score) >= MATE_BOUND else score - margin
    # 11. Singular extension: if all other moves stay well below the table's score, its move is searched deeper.
    tt_move, planned = int64(node.tt_move), depth
    if tt_move != 0 and excluded == 0 and is_singular_candidate(state, ply, depth):
        singular_beta, reduced = singular_search_beta(state, ply, depth, pv_node), (depth - 1) // 2
        node.excluded_move = tt_move
        score = search(board, lists, state, evaluation, singular_beta - 1, singular_beta, reduced, ply, cut_node)
        node.excluded_move = 0
        extension = singular_extension(state, ply, score, singular_beta, beta, pv_node, cut_node)
        if extension == MULTI_CUT:
            return score
        depth += int64(extension > 0)
    # 12. The moves, best first: the sooner beta is beaten, the fewer are searched.
    best_score, best_move, old_alpha = int64(-INFINITE), int64(0), alpha
    flags = node_flags(state, ply, pv_node, cut_node, improving)
    init_picker(state, ply, tt_move, int64(STAGE_TT_MOVE))
    while not state.stop:
        move = next_move(board, lists, state, ply)
        if move == 0:
            break
        move_count = begin_move(board, state, ply, move)
        reduction = base_reduction(state, ply, depth, move_count, beta - alpha, flags)
        # 13. Pruning of single moves, once a line is known that is not mate: leaving out all moves would look like it.
        if is_pruned(board, state, ply, move, depth, reduction, alpha, best_score, best_move, flags):
            continue
        make_search_move(board, state, ply, move)
        reduction = full_reduction(state, ply, move, depth, move_count, alpha, flags, reduction)
        extended = extension if move == tt_move else int64(0)
        new_depth, score = (planned if move == tt_move else depth) - 1 + extended, alpha + 1
        # 14. Late moves seldom beat alpha: search them reduced first. A null window costs less than an exact score.
        if depth >= LMR_THRESHOLD and move_count > 1:
            reduced = reduced_depth(new_depth, reduction, best_move, flags)
            node.reduction = new_depth - reduced
            score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, reduced, ply + 1, int64(1))
            node.reduction = 0
            if score > alpha:
                new_depth = research_depth(new_depth, reduced, score, best_score)
                if reduced < new_depth:
                    reward_second_search(state, ply)
                    score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, new_depth, ply + 1, child_cut)
        elif not pv_node or move_count > 1:
            shallower = first_depth(new_depth, reduction, tt_move)
            score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, shallower, ply + 1, child_cut)
        # 15. The principal variation: its first move, and every move that beats alpha, needs an exact score.
        if pv_node and (move_count == 1 or score > alpha):
            score = -search(board, lists, state, evaluation, -beta, -alpha, new_depth, ply + 1, int64(0))
        unmake_move(board)
        if score > best_score and not state.stop:
            best_score = score
            if score > alpha:
                best_move = move
                if pv_node:
                    update_pv(state, ply, move)
                if score >= beta:
                    node.cutoff_count += int64(extended < 2 or pv_node)
                    break
                alpha, depth = score, depth_after_raise(depth, score)
        if move != best_move:
            add_searched_move(node, move, is_tactical(move))
    # 16. Mate or stalemate, if there is no move.
    if state.stop or node.move_count == 0:
        return score_without_moves(state, ply, old_alpha)
    # 17. What the node teaches: the order of moves, the table, and the error of the static evaluation.
    check_result(board, state, ply, best_move, best_score, old_alpha, key)
    best_score = softened_score(best_score, beta, depth)
    learn_from_node(board, state, ply, best_move, best_score, depth, flags)
    if excluded == 0:
        store_node_result(board, state, ply, best_move, best_score, old_alpha, beta, depth)
    return best_score
