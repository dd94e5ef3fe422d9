"""The process of a bot under test: started for a scenario, and ended after it."""

from __future__ import annotations

import os
import signal
import subprocess
from types import TracebackType
from typing import Self

END_S = 10.0


class BotEndedError(Exception):
    """The bot's process ended before the scenario was over."""


class BotProcess:
    """A context manager that runs a shell command with LICHESS_URL and LICHESS_TOKEN in its environment.

    lichess-bot and BotLi read the token from LICHESS_BOT_TOKEN.
    """

    def __init__(self, command: str, url: str, token: str) -> None:
        self._command = command
        given = {"LICHESS_URL": url, "LICHESS_TOKEN": token, "LICHESS_BOT_TOKEN": token}
        self._environment = os.environ | given

    def __enter__(self) -> Self:
        # a separate session, so that a signal reaches every process that the command starts
        self._process = subprocess.Popen(self._command, shell=True, env=self._environment, start_new_session=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._process.wait()

    def check(self) -> None:
        """Raise BotEndedError if the process has ended."""
        status = self._process.poll()
        if status is not None:
            raise BotEndedError(f"the bot's command ended with status {status}: {self._command}")

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return  # every process of the session has ended
