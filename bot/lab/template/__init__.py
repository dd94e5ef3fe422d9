"""The files that `bot88 new-engine` copies; they import nothing of the bot."""
