"""Three other ways to store a board, small and complete, to compare with the 0x88 board (docs/0x88.md, chapter 10).

Each module holds a position in one flat array and offers `from_fen`, `generate`, `make` and `may_stand`, with which
`counting.perft` counts. Standard chess only. The engine uses none of them.
"""
