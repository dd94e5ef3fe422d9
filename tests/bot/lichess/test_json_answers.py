"""What is said of a request's body, and how an answer is read."""

from __future__ import annotations

import pytest
import requests_mock
from requests import Response

from bot.events.reading import MalformedJson
from bot.lichess import Gateway
from bot.lichess.json_answers import BoundedJson

URL = "https://lichess.test"


@pytest.mark.parametrize(
    ("content_type", "headers"),
    [
        ("", {"Accept": "application/json"}),
        ("text/plain", {"Accept": "application/json", "Content-Type": "text/plain"}),
    ],
)
def test_the_kind_of_a_body_is_said_where_there_is_one(content_type: str, headers: dict[str, str]) -> None:
    assert BoundedJson(content_type).headers == headers


def test_a_token_is_tested_as_plain_text_and_a_form_is_a_form(requests_mock: requests_mock.Mocker) -> None:
    requests_mock.post(f"{URL}/api/token/test", json={})
    requests_mock.post(f"{URL}/api/bot/game/abcdefgh/chat", json={"ok": True})
    gateway = Gateway(URL, "lip_secretsecret")
    assert gateway.test_token() is None
    gateway.chat("abcdefgh", "player", "hi")
    kinds = [sent.headers["Content-Type"] for sent in requests_mock.request_history]
    assert kinds == ["text/plain", "application/x-www-form-urlencoded"]


@pytest.mark.parametrize(("body", "value"), [(b'{"a":[1]}', {"a": [1]}), (b"7", 7), (b"<html>", None), (b"", None)])
def test_an_answer_is_one_json_value_or_an_error(body: bytes, value: object) -> None:
    response = Response()
    response._content = body
    if value is not None:
        assert BoundedJson().parse(response) == value
        return
    with pytest.raises(MalformedJson):
        BoundedJson().parse(response)
