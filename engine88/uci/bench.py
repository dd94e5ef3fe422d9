"""``bench``: fixed positions to a fixed depth on one thread; the sum of the nodes is the engine's signature.

A change that should not change the search must not change the number; one that should is stated in its commit.
The last line, ``N nodes M nps``, is the form that OpenBench reads.
"""

import time
from collections.abc import Callable

from engine88.contract import MAX_DEPTH, EngineOptions, Limits, SearchResult
from engine88.engine import Engine
from engine88.rules.position import Position

BENCH_DEPTH = 12
HASH_MB = 16
# Openings, then games (played out between two weak sides, both colours to move) from the opening to the endgame,
# then endings.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
    "rnbq1rk1/pp2bppp/4pn2/3p2B1/2PP4/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 7",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/pppnn1bp/3p2p1/3Ppp2/2P1P3/2N2P2/PP2B1PP/R1BQNRK1 w - - 0 11",
    "rnbqkb1r/pp1pp2p/2p2ppn/8/2P4P/1P1P4/P3PPP1/RNBQKBNR w KQkq - 0 5",
    "rnbqkb1r/ppp1p2p/3p1np1/1N3p2/2PP4/5N1P/PP2PPP1/R1BQKB1R b KQ - 2 7",
    "rnbqk1n1/ppp2p2/3pp2r/7p/2BPP1p1/1QP2N2/PP3PPP/RN3RK1 w q - 0 9",
    "r2qk1n1/pp1bppbr/2np2p1/3N3p/3N3P/4B1P1/PPP1PPB1/R2QK2R b KQq - 2 11",
    "r3kb1r/pbpp1pp1/1p2pq2/8/1n1P1P1p/1P1BPNnP/PBPN2P1/R2QK1R1 w Qkq - 0 12",
    "bn2r1k1/2pq1pbp/1p3np1/3pp3/1P2P3/2PP2P1/3N1PBP/1NBQK2R b K - 0 13",
    "r1bq1rk1/5p1p/2p2np1/p1np4/PbP1p3/3P2P1/N1QNPPBP/R1B1K2R w KQ - 1 14",
    "3qkb1r/1pp2p1p/2n1b1p1/1B2p2n/1P2P3/2Q2N1P/r2N1PP1/1RB1K2R b Kk - 5 15",
    "r1bq1rk1/pp4p1/2pb3p/1P1np3/PnQ5/5NPP/3N1PB1/R1B1K2R w KQ - 1 16",
    "r3r1k1/pbpp2pp/1p1n1q2/2n4Q/7R/2P1B2N/PP3PPP/2K2B1R b - - 13 17",
    "rn1q2k1/1b1p1rpp/3Bp3/pB6/2P1n3/PP6/5PPP/RN1Q1RK1 w - - 3 18",
    "1r1q3r/ppp3k1/4p2n/4P2P/P1Bp4/3Pn2Q/1PP3P1/R3K1NR b KQ - 0 19",
    "2k2rnr/1ppb1p1p/2n3pP/2bNp1P1/p1P1P3/P4P2/1PKBN1B1/2R4R w - - 4 20",
    "2r1k1r1/3b3p/3q4/Qp2n3/4p3/1P2PP2/PB1P1P1P/R3KB1R b KQ - 0 21",
    "2bq1k1r/2p5/3b1p1p/r2B4/6pP/p2PP1P1/2Q1NP2/RR4K1 w - - 6 23",
    "2r3k1/7p/b2N2p1/3p1p2/4P3/1Bb2P1P/1qPB1P2/3QK2R b K - 2 25",
    "6Q1/1pp4p/2n2k1p/2PB4/3p3q/b2P2NP/Pp5K/5r2 w - - 6 27",
    "1rb1r2k/1p4p1/pP1bqn1p/2p1B3/P1N1pP2/4R1Pn/2QPP1BP/1R3K2 b - - 4 29",
    "8/1p2nk2/7p/p1r1p3/3n4/P2B4/1KP2N2/6R1 w - - 2 31",
    "4rrk1/8/pqQ1n2p/3p1p2/6pP/1N2P1P1/P4P2/R1R3K1 b - - 1 33",
    "1r6/6kp/1rp2p2/5p1P/1PR5/5PP1/1R3K2/8 w - - 0 36",
    "8/1p4k1/2pp1R2/p1n1p2r/P1P1P3/1n1PP1K1/1P5r/1R3Q2 b - - 8 39",
    "8/5pk1/1r1p4/4pK1p/1P5P/R1P5/7P/8 w - - 0 43",
    "5k2/7p/1pr3p1/4P3/3r2P1/1p2RK1P/1R6/8 b - - 2 47",
    "3R4/1k3p2/p1p5/P1P1r2p/b1P5/8/6B1/5K2 w - - 3 51",
    "8/7r/5p2/5p1k/5P2/6PK/1R6/8 b - - 9 56",
    "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1",
    "8/2k5/4p3/1p1pP3/1P1P1K2/8/8/8 b - - 0 1",
    "8/5k2/4p1p1/3pP1Pp/2pP3P/2P1K3/4B3/5b2 w - - 0 1",
    "8/4kp2/3r2p1/1R5p/7P/4KPP1/8/8 b - - 0 1",
    "6k1/5ppp/8/1Q6/8/2r4P/5PPK/4q3 w - - 0 1",
    "8/8/3k4/8/2BNK3/8/8/8 w - - 0 1",
)
CHESS960_POSITIONS = (
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "nrk1bbrq/pp2pppp/2pp1n2/8/3PP3/2N5/PPP2PPP/1RKNBBRQ w GBgb - 0 1",
)


def _never() -> bool:
    return False


def run_bench(write: Callable[[str], None], depth: int = BENCH_DEPTH, is_stopped: Callable[[], bool] = _never) -> int:
    """Search every position to the depth, write a line for each and the sum at last; return the nodes.

    Raise ValueError for a depth outside 1..MAX_DEPTH. Once `is_stopped` returns True, the bench ends without a sum.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"bench: the depth must be from 1 to {MAX_DEPTH}, not {depth}")
    total, spent_s = 0, 0.0
    for chess960, fens in ((False, POSITIONS), (True, CHESS960_POSITIONS)):
        with Engine(EngineOptions(hash_mb=HASH_MB, chess960=chess960)) as engine:
            for fen in fens:
                position = Position.from_fen(fen, chess960=chess960)
                engine.new_game()
                started_s = time.perf_counter()
                result = _search(engine, position, Limits(depth=depth), is_stopped)
                if is_stopped():
                    write("info string bench was stopped")
                    return total
                spent_s += time.perf_counter() - started_s
                nodes = engine.nodes
                total += nodes
                write(f"{fen}: {nodes} nodes, {result.best_move}")
    write(f"{total} nodes {int(total / max(spent_s, 1e-9))} nps")
    return total


def _search(engine: Engine, position: Position, limits: Limits, is_stopped: Callable[[], bool]) -> SearchResult:
    def stop_if_asked(_: object) -> None:
        if is_stopped():
            engine.stop()

    return engine.start(position, limits, stop_if_asked, stop_if_asked).result()
