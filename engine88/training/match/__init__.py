"""Matches between engines over UCI: one engine, one game, a pair with colours changed, statistics of pairs."""
