"""The commands of `bot88`, one module each: arguments in, exit code out."""
