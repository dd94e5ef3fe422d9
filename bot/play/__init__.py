"""One game from its first line to its end: moves, conduct, chat."""
