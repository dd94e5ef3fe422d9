"""The static evaluation; `evaluate.py` is its one entrance."""
