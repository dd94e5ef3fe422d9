"""Arenas and teams: the rules and the JSON of tournaments."""
