"""Reviews of finished games by an engine: accuracy, blunders with the better line, and where the time went."""
