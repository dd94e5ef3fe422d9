"""For people who write their own engine: a start, a test bench, and leagues of engines on this machine."""
