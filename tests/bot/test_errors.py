"""The tree in the docstring matches the code, and every error survives pickling with its text."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from bot import errors
from bot.errors import BotError, RateLimited, Rejected, ServerError, StartUpError

CLASSES = [value for _, value in inspect.getmembers(errors, inspect.isclass) if issubclass(value, BotError)]


def drawn() -> dict[str, int]:
    """Depth of each class in the drawing."""
    found = {}
    for line in (errors.__doc__ or "").split("\n\n", 1)[1].splitlines():
        match = re.match(r"([│├└─ ]*)([A-Z]\w+)", line)
        if match:
            found[match[2]] = len(match[1]) // 4
    return found


def test_the_drawing_is_right() -> None:
    depths = {error.__name__: len(error.__mro__) - len(BotError.__mro__) for error in CLASSES}
    assert drawn() == depths


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (RateLimited(61.4, "bot.vsBot.day", "challenge"), "rate limited (bot.vsBot.day) on challenge: wait 61 s"),
        (RateLimited(2.0), "rate limited on request: wait 2 s"),
        (ServerError(502), "server error 502"),
        (ServerError(200, "no JSON"), "server error 200: no JSON"),
        (Rejected(404), "refused with 404"),
        (Rejected(400, "Not your turn"), "refused with 400: Not your turn"),
        (StartUpError("no token", "create one", 3), "no token\n  -> create one"),
    ],
)
def test_texts_and_pickles(error: BotError, text: str) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert str(error) == str(again) == text
    assert vars(again) == vars(error)
