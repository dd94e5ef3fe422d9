"""What the bot says in a game, and which commands it answers."""
