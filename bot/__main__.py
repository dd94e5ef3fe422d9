"""`python -m bot`, the same as `bot88`."""

from bot.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
