"""The 0x88 board: squares, moves, attack tables, Zobrist keys and the BOARD record; docs/0x88.md explains it."""
