"""engine88: a chess engine on the 0x88 board."""
