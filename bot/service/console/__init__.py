"""The live view and the prompt of `bot88 run` on a terminal."""
