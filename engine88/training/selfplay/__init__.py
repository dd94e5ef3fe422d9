"""Games of the engine with itself: one search, one game, a run of games in a file."""
