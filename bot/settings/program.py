"""The program around the games: server, log, records, dashboard, notifications, end."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, field_validator, model_validator

from bot.settings.types import Closed, Count, FilePath, Flag, Names, Seconds, Secret, Text, listed, unique

#: In an environment with this variable set to "on", as in the image, the dashboard is enabled by default.
DEFAULT_VARIABLE = "BOT88_DASHBOARD_DEFAULT"
SHORTEST_PASSWORD = 8
_EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}

Level = Literal["debug", "info", "warning", "error"]
#: What may be worth a message.
NotifiedEvent = Literal["unwell", "well_again", "token_refused", "rating_record"]


class LichessSettings(Closed):
    """The server and the token. The token comes from BOT88_TOKEN, else from `token_file`, else from `token`."""

    url: Text = "https://lichess.org"
    """The server."""
    token: Secret | None = Field(default=None, examples=["lip_..."])
    """The API token; better in the environment variable BOT88_TOKEN or in `token_file`."""
    token_file: FilePath | None = Field(default=None, examples=["../data/token"])
    """A file that contains only the token; it wins over `token`."""
    stream_silence_s: Annotated[Seconds, Field(gt=0)] = 20.0
    """A stream that is silent for this long is dead; Lichess sends a keep-alive every 7 s."""

    @field_validator("url")
    @classmethod
    def _web_address(cls, value: str) -> str:
        if not value.startswith(("http://", "https://")) or len(value.split("://", 1)[1].strip("/")) == 0:
            raise ValueError("must start with http:// or https:// and name a host")
        if "/" in value.split("://", 1)[1].rstrip("/"):
            raise ValueError("must name the server alone, without a path")
        if "@" in value.split("://", 1)[1].split("/")[0]:
            raise ValueError("must not carry a user name or password")
        return value.rstrip("/")


class ShutdownSettings(Closed):
    """What happens to running games at the first SIGTERM or SIGINT."""

    games: Literal["finish", "leave"] = "finish"
    """`finish` games, except correspondence; or `leave` them on Lichess, where the next start resumes them."""
    timeout_s: Seconds = 3600.0
    """With `finish`: leave what still runs after this time."""


class LogSettings(Closed):
    """The log. It never contains the token."""

    level: Level = "info"
    """`debug`, `info`, `warning`, `error`."""
    format: Literal["console", "json"] = "console"
    """`console` for people, `json` for machines (one object per line)."""
    file: FilePath | None = Field(default=None, examples=["../data/bot.log"])
    """Also write the log to this file."""
    max_bytes: Count = 10_000_000
    """Start a new file before this size; 0: never."""
    keep: Count = 5
    """Old files to keep; `bot.log.1` is the youngest."""


class PgnSettings(Closed):
    """PGN files in `pgn_folder`."""

    group: Literal["game", "opponent", "month", "all"] = "month"
    """What shares a file: the games of a `month` (UTC), of an `opponent`, `all`, or none (`game`)."""


class RetentionSettings(Closed):
    """What is kept, and how long. 0: no limit."""

    games_days: Count = 0
    """Keep finished games this many days: in the store, and PGN files by their last game."""
    games: Count = 0
    """Keep at most this many games in the store, the youngest."""


class DashboardSettings(Closed):
    """A page, health and metrics while the bot runs, for everybody who can reach the address. See docs/dashboard.md.

    Setting the host or the port enables it, unless `enabled` is given.
    """

    enabled: Flag = False
    """Serve the dashboard."""
    host: Annotated[Text, Field(min_length=1)] = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[Count, Field(le=65_535)] = 8088
    """The port; 0: any free one."""
    hosts: Names = Field(default=(), examples=[["bot.example.org"]])
    """Names under which it is reached besides localhost and its address, such as that of a proxy."""
    password: Secret | None = Field(default=None, examples=["eight or more characters"])
    """Lets who knows it pause the bot and send challenges from the page; eight characters or more."""
    password_file: FilePath | None = Field(default=None, examples=["password"])
    """A file that contains the password, if `password` is not given."""

    @field_validator("password", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        if isinstance(value, (bool, int, float)):  # how YAML reads digits without quotes, from the environment too
            raise ValueError("must be text; put one of digits alone in quotes, such as \"'12345678'\"")
        return value

    @field_validator("password")
    @classmethod
    def _long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < SHORTEST_PASSWORD:
            raise ValueError(f"must have {SHORTEST_PASSWORD} characters or more")
        return value

    @model_validator(mode="before")
    @classmethod
    def _enabled_by_address(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "enabled" in value:
            return value
        on = bool(value.keys() & {"host", "port"}) or os.environ.get(DEFAULT_VARIABLE) == "on"
        return value | {"enabled": True} if on else value

    @property
    def reachable_host(self) -> str:
        """The host to ask from this machine: loopback if the dashboard listens on every address."""
        return _EVERY_ADDRESS.get(self.host, self.host)


class NotifySettings(Closed):
    """Messages to the operator: a POST with JSON. docs/dashboard.md has examples for ntfy and Discord."""

    webhook: Secret | None = Field(default=None, examples=["https://ntfy.sh/my-topic"])
    """The address; treated as a secret."""
    events: Annotated[tuple[NotifiedEvent, ...], BeforeValidator(listed), AfterValidator(unique)] = (
        "unwell",
        "well_again",
        "token_refused",
        "rating_record",
    )
    """The events that are worth a message."""

    @field_validator("webhook")
    @classmethod
    def _web_address(cls, value: SecretStr | None) -> SecretStr | None:
        address = value.get_secret_value() if value is not None else "https://none"
        if not address.startswith(("http://", "https://")) or not address.isascii() or " " in address:
            raise ValueError("must be an address that begins with http:// or https://, without blanks")
        if not _names_a_host(address):
            raise ValueError("must name a host, and a port from 0 to 65535 if any")
        return value


def _names_a_host(address: str) -> bool:
    """Whether an address has a host, and a valid port if any."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:  # a bracket that is not closed, a port that is not a number or too large
        return False
    return bool(parts.hostname)


class ControlSettings(Closed):
    """The socket for `bot88 ctl`; only the user that runs the bot may connect."""

    enabled: Flag = True
    """Listen for `bot88 ctl`."""
    socket: FilePath | None = Field(default=None, examples=["../data/bot88.sock"])
    """Path of the socket; default: beside `store`, without a store in `~/.local/state/bot88`."""
