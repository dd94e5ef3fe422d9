"""`python -m bot.fake_lichess`."""

import sys

from bot.fake_lichess.cli import main

sys.exit(main())
