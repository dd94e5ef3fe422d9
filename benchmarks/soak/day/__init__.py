"""A day in the life of the bot, whose dashboard, log and archive are compared with the server."""
