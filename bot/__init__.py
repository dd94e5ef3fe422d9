"""bot88: the bot. Streams events from Lichess, asks a UCI engine, posts moves."""
