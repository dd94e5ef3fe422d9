"""Target `http`: broken requests to the fake server over raw sockets; it must go on and never answer 500."""

from __future__ import annotations

import logging
import random
import re
import socket
from urllib.parse import urlsplit

from bot.fake_lichess import FakeConfig, FakeLichess
from tests.fuzz.mutate import mutated_bytes

READ_S = 0.05
READ_AT_MOST = 1_000_000
TIMEOUT_S = 20.0
SANE_EVERY = 50
AUTH = b"Host: x\r\nAuthorization: Bearer lip_bot88\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
PGN = b'pgn=[Event "a"]\n\n1. e4 e5 2. Nf3 { comment } (2. f4) 2... Nc6 $1 *'
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n5\r\nrated\r\n6;x=y\r\n=false\r\n0\r\n\r\n"
SEEDS = (
    b"GET /api/account HTTP/1.1\r\n" + AUTH + b"\r\n",
    b"GET /api/account/playing?nb=9 HTTP/1.1\r\n" + AUTH + b"Connection: close\r\n\r\n",
    b"POST /api/challenge/Alice HTTP/1.1\r\n"
    + AUTH
    + FORM
    + b"Content-Length: 33\r\n\r\nclock.limit=60&clock.increment=0&",
    b"POST /api/challenge/Alice HTTP/1.1\r\n" + AUTH + FORM + CHUNKED,
    b"POST /api/token/test HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nlip_bot88",
    b"POST /api/import HTTP/1.1\r\n" + AUTH + FORM + b"Content-Length: %d\r\n\r\n%s" % (len(PGN), PGN),
    b"GET /game/export/abcdefgh?clocks=true HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n",
    b"GET /api/games/user/bot88?max=3&since=1&sort=dateAsc HTTP/1.1\r\n" + AUTH + b"\r\n",
    b"POST /api/bot/game/abcdefgh/move/e2e4 HTTP/1.1\r\n" + AUTH + b"Content-Length: 0\r\n\r\n",
    b"GET /api/bot/game/stream/abcdefgh HTTP/1.1\r\n" + AUTH + b"\r\n",
)
TOKENS = (
    *(b"\r\n", b"\n", b"\x00", b"\xff", b"%00", b"%ff", b"%", b"&", b"=", b"?", b"/", b"//", b"\t", b" "),
    *(
        b"Content-Length: -1\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"ffffffffff\r\n",
    ),
    *(
        b"Expect: 100-continue\r\n",
        b"Upgrade: websocket\r\n",
        b"X: " + b"y" * 70_000 + b"\r\n",
        b"HTTP/9.9",
        b"1e400",
        b"NaN",
    ),
    *(b"Content-Type: multipart/form-data; boundary=\r\n", b"Content-Type: application/json\r\n", b'[FEN "x"]', b"("),
)
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


class _Errors(logging.Handler):
    """Keeps what the server logs as errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        reason = f": {record.exc_info[1]!r}" if record.exc_info else ""
        self.texts.append(record.getMessage()[:300] + reason)


class Http:
    """A server in this process; an input is what one connection sends."""

    name = "http"

    def __init__(self) -> None:
        self._server = FakeLichess(FakeConfig(rate_limits=False, keep_finished=50, keep_requests=50))
        url = urlsplit(self._server.start())
        self._address = (url.hostname or "", url.port or 0)
        self._errors = _Errors()
        logging.getLogger().addHandler(self._errors)
        self._tried = 0

    def make(self, rng: random.Random) -> bytes:
        """A request, or two on one connection, with a few changes."""
        data = b"".join(rng.choices(SEEDS, k=rng.choice([1, 1, 1, 2])))
        return mutated_bytes(rng, data, rng.choice([1, 2, 4]), TOKENS)

    def check(self, data: bytes) -> str:
        """Send it; a status 500, an error in the log, or a server that serves no more is wrong."""
        try:
            statuses = {int(status) for status in _STATUS.findall(self._exchange(data, READ_S))}
            if statuses & {500, 501, 503}:
                return f"answered {sorted(statuses)}: {self._errors.texts[-1:]}"
            if self._errors.texts:
                return f"logged {self._errors.texts.pop()}"
            self._tried += 1
            if self._tried % SANE_EVERY == 0:
                sane = self._exchange(SEEDS[1], TIMEOUT_S)
                return "" if sane.startswith(b"HTTP/1.1 200") else f"a sane request is answered {sane[:80]!r}"
        except OSError as error:
            return f"the server cannot be reached: {error}"
        return ""

    def _exchange(self, data: bytes, read_s: float) -> bytes:
        """Send on a connection of its own, and read until the server closes or says nothing for so long."""
        answer = b""
        with socket.create_connection(self._address, TIMEOUT_S) as connection:
            connection.settimeout(read_s)
            try:
                connection.sendall(data)
                while len(answer) < READ_AT_MOST and (part := connection.recv(65_536)):
                    answer += part
            except (TimeoutError, ConnectionError):
                return answer  # a request that is not complete waits; a refused one is cut
        return answer

    def close(self) -> None:
        """Stop the server."""
        logging.getLogger().removeHandler(self._errors)
        self._server.stop()
