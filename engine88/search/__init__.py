"""The search of one thread: kernels on the search record, and their parameters."""
