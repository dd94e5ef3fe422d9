"""Requests about other users."""

from __future__ import annotations

import pytest
import requests_mock

from bot.errors import NotFound
from bot.lichess import Gateway
from bot.lichess.values import UserProfile, UserStatus

URL = "https://lichess.test"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"id": "ann", "createdAt": 1_500_000_000_123, "count": {"all": 7}}, UserProfile(1_500_000_000.123, 7)),
        ({"id": "ann", "disabled": True}, UserProfile()),
        ([], UserProfile()),
    ],
)
def test_what_is_public_about_a_user(body: object, expected: UserProfile, requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/user/ann", json=body)
    assert Gateway(URL, "lip_x").user_profile("ann") == expected


def test_a_user_who_does_not_exist(requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/user/..%2Fx", status_code=404, json={"error": "Not found"})
    with pytest.raises(NotFound):
        Gateway(URL, "lip_x").user_profile("../x")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ([{"id": "ann", "name": "Ann", "online": True}], (UserStatus("ann", "Ann", online=True),)),
        ([], ()),
        ({"id": "ann"}, ()),
    ],
)
def test_who_is_online(body: object, expected: tuple[UserStatus, ...], requests_mock: requests_mock.Mocker) -> None:
    requests_mock.get(f"{URL}/api/users/status?ids=ann,bob", json=body)
    assert Gateway(URL, "lip_x").users_status("ann", "bob") == expected
