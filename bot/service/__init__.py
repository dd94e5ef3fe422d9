"""The life cycle of the program: start-up checks, signals, reload, shutdown, console and notifications."""
