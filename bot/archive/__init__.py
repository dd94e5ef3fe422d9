"""Finished games: recorded, stored, written as PGN, counted, reviewed and read again."""
