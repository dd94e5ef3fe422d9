"""Whether searches record the lines to positions that they evaluate, for training (`count_evaluation` in node.py).

A process that wants them runs with ENGINE88_TUNABLE=engine88.search.recording and writes the number (tunable.py, which
needs a module without kernels). In an engine that plays it is 0, and the recorder is compiled to nothing.
"""

RECORD_EVERY = 0  # one in so many evaluated positions is recorded; 0: none
