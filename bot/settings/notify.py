"""Messages to the operator."""

from __future__ import annotations

from typing import Annotated, Literal

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
        if not address.split("://", 1)[1].split("/")[0]:
            raise ValueError("must name a host")
        return value
