"""berserk's JSON format with our own bounded reader in place of its own."""

from __future__ import annotations

from typing import Any

from berserk.formats import FormatHandler
from requests import Response

from bot.events.reading import read_json


class BoundedJson(FormatHandler[Any]):
    """Answers of one JSON value; raises MalformedJson. `content_type` is sent for requests that carry a body."""

    def __init__(self, content_type: str = "") -> None:
        super().__init__(mime_type="application/json")
        if content_type:
            self.headers["Content-Type"] = content_type

    def parse(self, response: Response) -> Any:
        """The decoded body."""
        return read_json(response.content)


JSON = BoundedJson()
#: For the one request whose body is plain text, the test of a token.
JSON_FOR_PLAIN_TEXT = BoundedJson("text/plain")
