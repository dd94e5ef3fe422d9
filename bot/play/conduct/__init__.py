"""Decisions of a game besides moves: offers, claims, resignation."""
