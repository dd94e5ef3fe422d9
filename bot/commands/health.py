"""`bot88 health`: ask /healthz of the bot that runs with this configuration."""

from __future__ import annotations

import http.client
import json
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
    well, text = ask_health(load_configuration(config, with_secrets=False).dashboard)
    typer.echo(text, err=not well)
    raise typer.Exit(0 if well else 1)


def ask_health(settings: DashboardSettings, timeout_s: float = TIMEOUT_S) -> tuple[bool, str]:
    """Return whether the bot on this machine is well, and why in one line; a bot without a dashboard counts as well."""
    if not settings.enabled:
        return True, "not asked: the dashboard is not enabled (dashboard.enabled)"
    host = settings.reachable_host
    address = f"{f'[{host}]' if ':' in host else host}:{settings.port}"
    connection = http.client.HTTPConnection(host, settings.port, timeout=timeout_s)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        content = json.loads(answer.read())
        well, reasons = bool(content["well"]), ", ".join(map(str, content["reasons"]))
    except (OSError, http.client.HTTPException) as error:
        return False, f"unwell: nothing answers at {address}: {error or type(error).__name__}"
    except (ValueError, KeyError, TypeError):
        return False, f"unwell: {address} answers, but is not bot88 (status {answer.status})"
    finally:
        connection.close()
    return (True, "well") if well and answer.status == 200 else (False, f"unwell: {reasons}")
