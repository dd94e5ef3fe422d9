"""What lichess-bot's homemade engines import, as a package `lib` on the adapter's search path."""
