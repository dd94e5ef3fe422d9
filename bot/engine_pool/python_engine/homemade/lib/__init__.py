"""The names that lichess-bot offers to homemade engines."""
