"""The learned evaluation: its file, the accumulators, and the inference in integers."""
