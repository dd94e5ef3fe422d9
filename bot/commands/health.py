"""`bot88 health`: ask /healthz of the bot that runs with this configuration."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from bot.commands.options import ConfigOption, load_configuration

if TYPE_CHECKING:
    from bot.settings import DashboardSettings

TIMEOUT_S = 5.0


def health(config: ConfigOption = None) -> None:
    """Ask the dashboard of the running bot whether it is well: exit code 0 or 1. For container health checks.

    Without a dashboard (`dashboard.enabled: false`) the answer is unknown, which counts as well.
    """
    found = ask_health(load_configuration(config, with_secrets=False).dashboard)
    typer.echo(found.text, err=not found.well)
    raise typer.Exit(0 if found.well else 1)


@dataclass(frozen=True, slots=True)
class HealthReply:
    """Whether the bot is well, and why in one line."""

    well: bool
    text: str


def ask_health(settings: DashboardSettings, timeout_s: float = TIMEOUT_S) -> HealthReply:
    """Ask the dashboard on this machine; a bot without one counts as well."""
    if not settings.enabled:
        return HealthReply(True, "not asked: the dashboard is not enabled (dashboard.enabled)")
    host = settings.reachable_host
    address = f"{f'[{host}]' if ':' in host else host}:{settings.port}"
    connection = http.client.HTTPConnection(host, settings.port, timeout=timeout_s)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return HealthReply(False, f"unwell: nothing answers at {address}: {error or type(error).__name__}")
    finally:
        connection.close()
    return _health_of(answer.status, text, address)


def _health_of(status: int, text: str, address: str) -> HealthReply:
    try:
        content = json.loads(text)
        well, reasons = bool(content["well"]), ", ".join(map(str, content["reasons"]))
    except (ValueError, KeyError, TypeError):
        return HealthReply(False, f"unwell: {address} answers, but is not bot88 (status {status})")
    return HealthReply(True, "well") if well and status == 200 else HealthReply(False, f"unwell: {reasons}")
