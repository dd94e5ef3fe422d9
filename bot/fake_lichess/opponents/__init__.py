"""Accounts that the server plays itself, and the engine and files that the pages and the explorer ask."""
