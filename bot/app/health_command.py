"""`bot88 health`: asks /healthz of the bot that runs with this configuration."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass

from bot.settings import DashboardSettings

TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the bot is well, and why in one line."""

    well: bool
    text: str


def ask_health(settings: DashboardSettings, timeout_s: float = TIMEOUT_S) -> Verdict:
    """Ask the dashboard on this machine; where it is switched off nothing is known against the bot."""
    if not settings.enabled:
        return Verdict(True, "not asked: the dashboard is not enabled (dashboard.enabled)")
    host = settings.reachable_host
    address = f"{f'[{host}]' if ':' in host else host}:{settings.port}"
    connection = http.client.HTTPConnection(host, settings.port, timeout=timeout_s)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return Verdict(False, f"unwell: nothing answers at {address}: {error or type(error).__name__}")
    finally:
        connection.close()
    return _verdict(answer.status, text, address)


def _verdict(status: int, text: str, address: str) -> Verdict:
    try:
        content = json.loads(text)
        well, reasons = bool(content["well"]), ", ".join(map(str, content["reasons"]))
    except (ValueError, KeyError, TypeError):
        return Verdict(False, f"unwell: what answers at {address} is no bot88 (status {status})")
    return Verdict(True, "well") if well and status == 200 else Verdict(False, f"unwell: {reasons}")
