"""`python -m bot.fake_lichess`."""

import sys

from .cli import main

sys.exit(main())
