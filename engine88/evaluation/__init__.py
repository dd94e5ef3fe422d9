"""The static evaluation; `evaluate.py` is its interface."""
