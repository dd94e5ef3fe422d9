"""Every error the bot raises on purpose. Foreign errors are translated into these where they first appear.

BotError
├── ConfigurationError            the configuration file, environment or command line cannot be used
├── StoreError                    the store cannot be opened or is not a database of bot88
├── StartUpError                  a start-up check failed: the message ends with the remedy
├── LichessError                  raised by bot.lichess alone
│   ├── NetworkError              no usable answer; the request may or may not have been applied
│   │   └── StreamBroken          an open stream was cut, fell silent or carried garbage
│   ├── RateLimited               429, or an earlier limit still holds (.retry_after_s, .key)
│   └── StatusError               an error as answer (.status, .message)
│       ├── ServerError           5xx, or an unreadable answer
│       └── Rejected              4xx: the server understood and refused
│           ├── Unauthorized      401 or 403: token missing, wrong, expired, or without the scope
│           ├── NotFound          404
│           └── OpponentLimited   400: the other player has reached a limit of the server (.retry_after_s)
└── EngineError                   raised by the engine pool
    ├── EngineStartError          the command cannot be started or does not speak UCI
    ├── EngineDied                the process ended
    ├── EngineTimeout             no answer in time
    └── EngineProtocolError       output that is not UCI, or an illegal move
"""

# ruff: noqa: N818 -- the names say what happened; `...Error` is kept for the families of the tree

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return `did you mean "speed"?` for the known word most like `word`, "" if none is at least `cutoff` (0 to 1)."""
    by_spelling = {name.lower().replace("-", "_"): name for name in known}
    near = difflib.get_close_matches(word.strip().lower().replace("-", "_"), by_spelling, n=1, cutoff=cutoff)
    return f'did you mean "{by_spelling[near[0]]}"?' if near else ""


def choices(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return `; did you mean "speed"? (possible: speed, mode)` to end a message about an unknown word."""
    known = list(known)
    hint = did_you_mean(word, known, cutoff)
    return f"{hint and f'; {hint}'} (possible: {', '.join(known)})"


class BotError(Exception):
    """Root of all errors of the bot."""


class ConfigurationError(BotError):
    """The message names the file, the line, the key and what to do."""


class StoreError(BotError):
    """The store cannot be opened or is not a database of bot88."""


class StartUpError(BotError):
    """A start-up check failed.

    Arguments: what was found, what to do about it (one line), and the exit code the program should end with.
    """

    def __init__(self, problem: str, remedy: str, exit_code: int) -> None:
        super().__init__(problem, remedy, exit_code)
        self.problem = problem
        self.remedy = remedy
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.problem}\n  -> {self.remedy}"


class LichessError(BotError):
    """A request to the server failed."""


class NetworkError(LichessError):
    """No usable answer arrived. The server may or may not have applied the request."""


class StreamBroken(NetworkError):
    """An open stream was cut, fell silent or carried garbage. Open it again."""


class RateLimited(LichessError):
    """The server refuses this request for now, or still does after an earlier refusal.

    `retry_after_s`: seconds to wait; `key`: the limit's name as the server gave it, such as "bot.vsBot.day", or "".
    """

    def __init__(self, retry_after_s: float, key: str = "", endpoint: str = "") -> None:
        super().__init__(retry_after_s, key, endpoint)
        self.retry_after_s = retry_after_s
        self.key = key
        self.endpoint = endpoint

    def __str__(self) -> str:
        name = f" ({self.key})" if self.key else ""
        return f"rate limited{name} on {self.endpoint or 'request'}: wait {self.retry_after_s:.0f} s"


class StatusError(LichessError):
    """The server answered with an error; `message` is "" if it gave no reason."""

    summary = "answered with"

    def __init__(self, status: int, message: str = "") -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message

    def __str__(self) -> str:
        return f"{self.summary} {self.status}" + (f": {self.message}" if self.message else "")


class ServerError(StatusError):
    """The server failed (5xx) or its answer is unreadable (status 200 with a body that is not JSON)."""

    summary = "server error"


class Rejected(StatusError):
    """The server understood the request and refused it. Repeating it unchanged is pointless."""

    summary = "refused with"


class Unauthorized(Rejected):
    """401 or 403."""


class NotFound(Rejected):
    """404."""


class OpponentLimited(Rejected):
    """400: the other player has reached a limit of the server, such as 100 games with bots in a day.

    `retry_after_s`: the seconds to wait that the server names.
    """

    def __init__(self, status: int, message: str, retry_after_s: float) -> None:
        super().__init__(status, message)
        self.retry_after_s = retry_after_s


class EngineError(BotError):
    """An engine process failed."""


class EngineStartError(EngineError):
    """The engine cannot be started or does not answer `uci`."""


class EngineDied(EngineError):
    """The engine process has ended."""


class EngineTimeout(EngineError):
    """The engine did not answer in time."""


class EngineProtocolError(EngineError):
    """The engine wrote something that is not UCI, or an illegal move."""
