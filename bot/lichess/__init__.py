"""The gateway to Lichess: the only part of the bot that speaks HTTP to the server."""
