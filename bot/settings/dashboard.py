"""The operator's page, health and metrics."""

from __future__ import annotations

import os
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator, model_validator

from bot.settings.base import Closed, Count, FilePath, Flag, Names, Text

#: In an environment with this variable set to "on", as in the image, the dashboard is on unless it is switched off.
DEFAULT_VARIABLE = "BOT88_DASHBOARD_DEFAULT"
SHORTEST_PASSWORD = 8
_EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class DashboardSettings(Closed):
    """Where the dashboard is served. Naming the host or the port switches it on, unless `enabled` says otherwise.

    `hosts`: further names under which it is reached, such as that of a proxy.
    Without a password it is read-only. `password_file`: a file that holds the password, where `password` is not given.
    """

    enabled: Flag = False
    host: Annotated[Text, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[Count, Field(le=65_535)] = 8088
    hosts: Names = ()
    password: SecretStr | None = None
    password_file: FilePath | None = None

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
    def _switched_on(cls, value: Any) -> Any:
        if not isinstance(value, dict) or "enabled" in value:
            return value
        on = bool(value.keys() & {"host", "port"}) or os.environ.get(DEFAULT_VARIABLE) == "on"
        return value | {"enabled": True} if on else value

    @property
    def reachable_host(self) -> str:
        """The host to ask from this machine; what listens on every address is asked on loopback."""
        return _EVERY_ADDRESS.get(self.host, self.host)
