"""Leagues of engines on this machine: who plays whom, the games, the file that holds them, and the table."""
