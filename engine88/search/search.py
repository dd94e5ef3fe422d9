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
from engine88.evaluation.evaluate import evaluate
from engine88.evaluation.evaluation_state import EvaluationState
from engine88.rules.draws import is_draw
from engine88.rules.make_move import unmake_move, unmake_null_move
from engine88.rules.see import see_ge
from engine88.search.extensions import (
    MULTI_CUT,
    check_extension,
    is_singular_candidate,
    singular_extension,
    singular_search_beta,
)
from engine88.search.history import add_searched_move, update_histories
from engine88.search.invariants import check_node, check_reduced, check_result
from engine88.search.move_picker import (
    STAGE_EVASION_TT_MOVE,
    STAGE_QS_TT_MOVE,
    STAGE_TT_MOVE,
    init_picker,
    next_capture,
    next_evasion,
    next_move,
)
from engine88.search.move_rules import is_pruned
from engine88.search.node import (
    LAST_PLY,
    draw_score,
    enter_node,
    init_node,
    is_improving,
    make_search_move,
    make_search_null_move,
    mate_or_stalemate_score,
    move_history,
    probe_tt,
    set_gives_check,
    set_static_eval,
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
)
from engine88.search.params import (
    LMR_THRESHOLD,
    NULL_MOVE_VERIFY_FACTOR,
    NULL_MOVE_VERIFY_THRESHOLD,
    PROBCUT_MARGIN,
    PROBCUT_REDUCTION,
)
from engine88.search.quiescence import qsearch
from engine88.search.reductions import node_flags, reduced_depth, research_depth
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
    enter_node(state, ply)
    if state.stop:
        return int64(0)
    if is_draw(board, ply):
        return draw_score(state)
    node = node_at(state, ply)
    if ply >= LAST_PLY:
        return int64(0) if node.in_check else evaluate(board, evaluation)
    # 3. Mate distance. Even a mate by the next move would be no better than the mate already found nearer to the root.
    pv_node = beta - alpha > 1
    alpha, beta = max(alpha, mated_in(ply)), min(beta, mate_in(ply + 1))
    if alpha >= beta:
        return alpha
    # 4. The table: a deep enough result is used, else its move is searched first. A singular search leaves it alone.
    # 5. The static evaluation, or the table's score where that is nearer to the truth: steps 6 to 9 compare it.
    excluded, eval_score, tt_move, extension = node.excluded_move, node.static_eval, int64(0), int64(0)
    if excluded == 0:
        if probe_tt(board, state, ply, depth, beta, pv_node, cut_node):
            return int64(node.tt_score)
        tt_move = node.tt_move
        eval_score = set_static_eval(board, state, evaluation, ply)
    improving = is_improving(state, ply)
    init_node(state, ply)
    # Steps 6, 7 and 9 cut on suspicion: not in the principal variation, nor in check, nor in a singular search.
    if not (pv_node or node.in_check or excluded):
        # 6. Reverse futility: far above beta a few plies do not change the outcome. The mean of both is less daring.
        if is_reverse_futile(depth, eval_score, beta, improving, tt_move):
            return int64(eval_score + beta) // 2
        # 7. Null move: cut if we beat beta after passing. Its mates are not real; deep down, verify against zugzwang.
        if null_move_allowed(board, state, ply, depth, eval_score, beta):
            reduced = depth - null_move_reduction(depth, eval_score, beta)
            make_search_null_move(board, state, ply)
            score = -search(board, lists, state, evaluation, -beta, -beta + 1, reduced, ply + 1, 1 - cut_node)
            unmake_null_move(board)
            if score >= beta and not state.stop:
                score = min(score, MATE_BOUND - 1)
                if depth < NULL_MOVE_VERIFY_THRESHOLD or state.null_move_ply > 0:
                    return score
                state.null_move_ply = ply + NULL_MOVE_VERIFY_FACTOR * reduced // 4
                verified = search(board, lists, state, evaluation, beta - 1, beta, reduced, ply, cut_node)
                state.null_move_ply = 0
                if verified >= beta:
                    return score
    # 8. Internal iterative reduction: without a table move the node is badly ordered, and costs more than it shows.
    if iir_applies(depth, tt_move, pv_node, cut_node) and not excluded:
        depth -= 1
    # 9. Probcut: a capture that beats beta by a margin at a lower depth (quiescence first) very likely beats it here.
    probcut_beta, low, reduced = beta + PROBCUT_MARGIN, -beta - PROBCUT_MARGIN, depth - PROBCUT_REDUCTION
    if not (pv_node or node.in_check or excluded) and probcut_allowed(state, ply, depth, beta, probcut_beta):
        init_picker(state, ply, tt_move if is_tactical(tt_move) else int64(0), int64(STAGE_QS_TT_MOVE))
        while not state.stop:
            move = next_capture(board, lists, state, ply)
            if move == 0:
                break
            if not see_ge(board, move, probcut_beta - node.static_eval):
                continue
            set_gives_check(board, state, ply, move)
            make_search_move(board, state, ply, move)
            score = -qsearch(board, lists, state, evaluation, low, low + 1, ply + 1)
            if score >= probcut_beta:
                score = -search(board, lists, state, evaluation, low, low + 1, reduced, ply + 1, 1 - cut_node)
            unmake_move(board)
            if score >= probcut_beta and not state.stop:
                store_tt(board, state, ply, move, score, reduced + 1, int64(BOUND_LOWER))
                return score
    # 10. Singular extension: if all other moves stay well below the table's score, its move is searched deeper.
    if tt_move != 0 and is_singular_candidate(state, ply, depth):
        singular_beta, reduced = singular_search_beta(state, ply, depth), (depth - 1) // 2
        node.excluded_move = tt_move
        score = search(board, lists, state, evaluation, singular_beta - 1, singular_beta, reduced, ply, cut_node)
        node.excluded_move = 0
        extension = singular_extension(state, ply, score, singular_beta, beta, pv_node, cut_node)
        if extension == MULTI_CUT:
            return singular_beta
    # 11. The moves, best first: the sooner beta is beaten, the fewer are searched.
    best_score, best_move, move_count, old_alpha = int64(-INFINITE), int64(0), int64(0), alpha
    flags = node_flags(state, ply, pv_node, cut_node, improving)
    init_picker(state, ply, tt_move, int64(STAGE_EVASION_TT_MOVE if node.in_check else STAGE_TT_MOVE))
    while not state.stop:
        move = next_evasion(board, lists, state, ply) if node.in_check else next_move(board, lists, state, ply)
        if move == 0:
            break
        move_count += 1
        tactical = is_tactical(move)
        node.stat_score = move_history(board, state, ply, move, tactical)
        set_gives_check(board, state, ply, move)
        # 12. Pruning of single moves, once a line is known that is not mate: leaving out all moves would look like it.
        if best_score > -MATE_BOUND and is_pruned(board, state, ply, move, depth, move_count, alpha, flags):
            continue
        make_search_move(board, state, ply, move)
        new_depth, score = depth - 1 + (extension if move == tt_move else check_extension(state, ply)), alpha + 1
        # 13. Late moves seldom beat alpha: search them reduced first. A null window costs less than an exact score.
        if depth >= LMR_THRESHOLD and move_count > 1 + pv_node:
            reduced = reduced_depth(state, ply, depth, new_depth, move_count, tactical, flags)
            check_reduced(reduced, new_depth)
            score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, reduced, ply + 1, int64(1))
            if score > alpha and reduced < new_depth:
                new_depth = research_depth(new_depth, score, best_score)
                score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, new_depth, ply + 1, 1 - cut_node)
        elif not pv_node or move_count > 1:
            score = -search(board, lists, state, evaluation, -alpha - 1, -alpha, new_depth, ply + 1, 1 - cut_node)
        # 14. The principal variation: its first move, and every move that beats alpha, needs an exact score.
        if pv_node and (move_count == 1 or score > alpha):
            score = -search(board, lists, state, evaluation, -beta, -alpha, new_depth, ply + 1, int64(0))
        unmake_move(board)
        if score > best_score and not state.stop:
            best_score = score
            if score > alpha:
                best_move, alpha = move, score
                if pv_node:
                    update_pv(state, ply, move)
                if score >= beta:
                    break
        if move != best_move:
            add_searched_move(node, move, tactical)
    if state.stop:
        return int64(0)
    # 15. Mate or stalemate; in a singular search only the table move is legal, which then is singular indeed.
    if move_count == 0:
        return old_alpha if excluded else mate_or_stalemate_score(state, ply)
    # 16. What the node teaches: the order of moves, the table, and the error of the static evaluation.
    check_result(board, state, ply, best_move, best_score, old_alpha, key)
    if best_score >= beta:
        update_histories(board, state, ply, best_move, is_tactical(best_move), depth)
    if excluded == 0:
        store_node_result(board, state, ply, best_move, best_score, old_alpha, beta, depth)
    return best_score
