"""The HTTP session: berserk's, with time-outs, our User-Agent, a large enough pool and no redirects to other hosts."""

from __future__ import annotations

import ipaddress
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urljoin, urlsplit

from berserk import TokenSession
from requests import Response
from requests.adapters import HTTPAdapter
from requests.exceptions import RequestException

from bot.events.reading import clean

CONNECT_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 10.0


def user_agent(username: str = "") -> str:
    """Return our User-Agent, with the account's name once it is known, as the server's terms for bots ask."""
    try:
        number = version("bot88")
    except PackageNotFoundError:  # run from a checkout that is not installed
        number = "dev"
    return f"bot88/{number} user:{username}" if username else f"bot88/{number}"


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class RedirectRefused(RequestException):
    """The server redirects to another host, or from https to http; the request and its token stay here."""

    def __init__(self, response: Response, target: str) -> None:
        parts = urlsplit(target)
        self.status = response.status_code
        self.to = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self.response: Response
        super().__init__(
            f"redirects to {self.to}, which is not followed; correct the server's address", response=response
        )


class BotSession(TokenSession):
    """berserk's token session; every request has a time-out, and no redirect leaves the server that was asked."""

    def __init__(self, token: str, url: str, *, connections: int, silence_s: float) -> None:
        super().__init__(token)
        self.headers.update({"User-Agent": user_agent(), "Accept-Encoding": "identity", "Accept": "application/json"})
        self._silence_s = silence_s
        # Looking up proxies costs more than the request itself, and there is none before this very machine.
        self.trust_env = not is_loopback(url)
        self.auth = _keep_headers
        adapter = HTTPAdapter(pool_connections=8, pool_maxsize=connections)
        self.mount("http://", adapter)
        self.mount("https://", adapter)

    def request(self, *args: Any, **kwargs: Any) -> Response:
        """Send a request as requests does, with a default time-out: longer for streams, where it means silence."""
        if kwargs.get("timeout") is None:
            read_s = self._silence_s if kwargs.get("stream") else READ_TIMEOUT_S
            kwargs["timeout"] = (CONNECT_TIMEOUT_S, read_s)
        response: Response = super().request(*args, **kwargs)
        return response

    def get_redirect_target(self, resp: Response) -> str | None:
        """Return where a response redirects to. Raises RedirectRefused for another host and for https to http."""
        location = super().get_redirect_target(resp)
        if location is None:
            return None
        asked = resp.request.url or ""
        target = urljoin(asked, location)
        leaves: bool = self.should_strip_auth(asked, target)  # type: ignore[no-untyped-call]  # its stub has no types
        if leaves:
            resp.close()
            raise RedirectRefused(resp, clean(target))
        return location


def _keep_headers(request: Any) -> Any:
    """Do nothing: an `auth` of any kind keeps requests from reading ~/.netrc, which would replace our token."""
    return request
