"""The operator's page, health and metrics."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from bot.settings.base import Closed, Count, Flag, Text


class DashboardSettings(Closed):
    """Where the dashboard is served. Naming the host or the port switches it on, unless `enabled` says otherwise."""

    enabled: Flag = False
    host: Annotated[Text, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[Count, Field(le=65_535)] = 8088

    @model_validator(mode="before")
    @classmethod
    def _switched_on(cls, value: Any) -> Any:
        if isinstance(value, dict) and "enabled" not in value and value.keys() & {"host", "port"}:
            return value | {"enabled": True}
        return value
