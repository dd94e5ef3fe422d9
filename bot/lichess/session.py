"""The HTTP session under berserk: time-outs, our User-Agent, a large enough pool and no redirects to other hosts."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from berserk import TokenSession
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool
from urllib3.connection import HTTPConnection

from bot.events.reading import clean

CONNECT_TIMEOUT_S = 5.0
READ_TIMEOUT_S = 10.0
_LICHESS_HOSTS = ("lichess.org", "lichess.ovh")
HEADERS_TIMEOUT_S = 5.0  # of a stream; once it is open, its silence time-out applies


def user_agent(username: str = "") -> str:
    """Return our User-Agent. The server's terms for bots ask for the account's name in it."""
    try:
        number = version("bot88")
    except PackageNotFoundError:  # run from a checkout that is not installed
        number = "dev"
    return f"bot88/{number} user:{username}" if username else f"bot88/{number}"


def is_loopback(url: str) -> bool:
    """Return whether the URL names this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def may_see_token(url: str, own_url: str) -> bool:
    """Return whether the URL belongs to Lichess or to the server that we play on, `own_url`."""
    target, ours = urlsplit(url), urlsplit(own_url)
    if (target.scheme, target.netloc) == (ours.scheme, ours.netloc):
        return True
    host = target.hostname or ""
    return target.scheme == "https" and any(host == name or host.endswith(f".{name}") for name in _LICHESS_HOSTS)


class RedirectRefused(requests.RequestException):
    """The server redirects to another host, or from https to http; neither request nor token is sent there."""

    def __init__(self, response: Response, target: str) -> None:
        parts = urlsplit(target)
        self.status = response.status_code
        host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"  # without a password
        super().__init__(f"redirects to {host}, which is not followed; correct the server's address")


class BotSession(TokenSession):
    """berserk's session with default time-outs. Every status of 300 or more raises requests.HTTPError."""

    def __init__(self, token: str, url: str, *, adapter: HTTPAdapter) -> None:
        super().__init__(token)
        self.headers.update({"User-Agent": user_agent(), "Accept-Encoding": "identity", "Accept": "application/json"})
        self.trust_env = not is_loopback(url)  # looking up proxies costs more than a request to this machine
        self.auth = _keep_headers
        self._environment: dict[str, dict[str, Any]] = {}
        self.mount("http://", adapter)
        self.mount("https://", adapter)

    def request(self, *args: Any, **kwargs: Any) -> Response:
        """Send a request as requests does.

        The status is checked here because berserk's own check reads and decodes error bodies without a limit, and
        accepts a redirect that is not followed.
        """
        if kwargs.get("timeout") is None:
            kwargs["timeout"] = (CONNECT_TIMEOUT_S, READ_TIMEOUT_S)
        response: Response = super().request(*args, **kwargs)
        if response.status_code >= 300:
            raise requests.HTTPError(f"status {response.status_code}", response=response)
        return response

    def merge_environment_settings(self, url: Any, _proxies: Any, stream: Any, *_: Any) -> Any:
        """Look up proxies and certificates once per host: the environment does not change while we run."""
        parts = urlsplit(str(url))
        host = f"{parts.scheme}://{parts.netloc}"
        if host not in self._environment:
            self._environment[host] = dict(super().merge_environment_settings(host, {}, None, None, None))
        return {**self._environment[host], "stream": bool(stream)}

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


def _keep_headers(request: PreparedRequest) -> PreparedRequest:
    """Change nothing. With an `auth` of any kind, requests does not read ~/.netrc, which would replace our token."""
    return request


class StreamAdapter(HTTPAdapter):
    """Connections for streams: headers must arrive in time for the request, then data every `silence_s` seconds.

    requests has one time-out for both, and nothing that another thread could close before the headers have arrived.
    """

    def __init__(self, connections: int, silence_s: float) -> None:
        self.opening: set[socket.socket] = set()  # waiting for headers
        self.silence_s = silence_s
        super().__init__(pool_connections=8, pool_maxsize=connections)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Create the pools of direct connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = self._pools()

    def proxy_manager_for(self, proxy: Any, **kwargs: Any) -> Any:
        """Return the pools of connections through a proxy."""
        manager = super().proxy_manager_for(proxy, **kwargs)
        manager.pool_classes_by_scheme = self._pools()
        return manager

    def _pools(self) -> dict[str, type[HTTPConnectionPool]]:
        pools = {}
        for scheme, pool in (("http", HTTPConnectionPool), ("https", HTTPSConnectionPool)):
            connection = type("StreamConnection", (_StreamConnection, pool.ConnectionCls), {"adapter": self})
            pools[scheme] = type("StreamPool", (pool,), {"ConnectionCls": connection})
        return pools

    def interrupt(self) -> None:
        """End all openings that wait for headers, from any thread; they raise a connection error."""
        for waiting in tuple(self.opening):
            with suppress(OSError):
                waiting.shutdown(socket.SHUT_RDWR)


class _StreamConnection(HTTPConnection):
    adapter: StreamAdapter

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3 overrides http.client's
        own_socket = self.sock  # http.client forgets it when the server wants to close the connection afterwards
        self.adapter.opening.add(own_socket)
        try:
            response = super().getresponse()
        finally:
            self.adapter.opening.discard(own_socket)
        with suppress(OSError):  # closed already, together with an empty body
            own_socket.settimeout(self.adapter.silence_s)
        return response
