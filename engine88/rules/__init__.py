"""The rules of chess: move generation, legality, make and unmake, draws, FEN, exchanges, perft."""
