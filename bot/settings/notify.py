"""Messages to the operator."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, field_validator

from bot.settings.base import Closed, _listed, _unique

#: What may be worth a message.
NotifiedEvent = Literal["unwell", "well_again", "token_refused", "rating_record"]


class NotifySettings(Closed):
    """`webhook`: the address that gets a POST with JSON for each of `events`; it often holds a secret."""

    webhook: SecretStr | None = None
    events: Annotated[tuple[NotifiedEvent, ...], BeforeValidator(_listed), AfterValidator(_unique)] = (
        "unwell",
        "well_again",
        "token_refused",
        "rating_record",
    )

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
    """Whether a client finds a host in an address, and no port that is none."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:  # a bracket that is not closed, a port that is no number or too large
        return False
    return bool(parts.hostname)
