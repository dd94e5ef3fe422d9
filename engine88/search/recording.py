"""Whether searches record lines for training (recorder.py): no kernels here, so that the number can be made tunable.

A process that wants them runs with ENGINE88_TUNABLE=engine88.search.recording and writes the number (tunable.py).
"""

RECORD_EVERY = 0  # one in so many evaluated positions is recorded; 0: none
