"""Pages, pictures and facts over HTTP, asked for well and badly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import requests

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.web import routes

STATIC = Path(routes.__file__).with_name("static")


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/favicon.ico", "image/svg+xml"),
        ("/web/lobby/lobby.js", "text/javascript; charset=utf-8"),
        ("/web/common/base.css", "text/css; charset=utf-8"),
        ("/web/board/blue.svg", "image/svg+xml"),
        ("/web/piece/classic/bQ.svg", "image/svg+xml"),
        ("/web/piece/wood/wN.svg", "image/svg+xml"),
        ("/web/piece/letters/wN.svg", "image/svg+xml"),
        ("/web/small-board.svg?fen=4k3/8/8/8/8/8/8/4K3 w&last=e2e1", "image/svg+xml"),
    ],
)
def test_what_is_there(fake: FakeLichess, path: str, media: str) -> None:
    answer = requests.get(fake.url + path, timeout=30)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/web/secret.py",
        "/web/routes.py",
        "/web/piece/classic/xx.svg",
        "/web/piece/none/wN.svg",
        "/web/board/red.svg",
        "/abcdefgh",
        "/web/..%2froutes.py",
        "/web/board/../../routes.py",
    ],
)
def test_what_is_not(fake: FakeLichess, path: str) -> None:
    answer = requests.get(fake.url + path, timeout=30)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text


def test_a_game_has_a_page(fake: FakeLichess) -> None:
    game_id = fake.start_game("Alice", "Bobby")
    page = requests.get(f"{fake.url}/{game_id}", timeout=30)
    assert page.status_code == 200
    assert "/web/game/game.js" in page.text


def test_tokens_are_given_on_this_machine_but_not_for_who_the_server_plays(fake: FakeLichess) -> None:
    people = requests.get(f"{fake.url}/web/people", timeout=30).json()
    alice = next(one for one in people["people"] if one["id"] == "alice")
    assert alice == {"name": "Alice", "id": "alice", "title": None, "online": False, "token": fake.token("Alice")}
    assert {"bot88", "Random"} <= {one["name"] for one in people["opponents"]}
    tokens = {one["name"]: one.get("token") for one in people["opponents"]}
    assert (tokens["bot88"], tokens["Random"], tokens["Greedy"]) == (fake.token("bot88"), None, None)
    assert "Anonymous" not in {one["name"] for one in people["people"]}
    assert len(people["variants"]) == 10


@pytest.mark.parametrize(("host", "home"), [("127.0.0.1", True), ("::1", True), ("192.168.1.7", False), ("", False)])
def test_only_loopback_is_at_home(host: str, home: bool) -> None:
    assert routes._is_loopback(host) == home


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"moves": "e2e5"}', b"[" * 60_000, b" " * 100_000])
def test_a_bad_question_about_a_position_is_refused(fake: FakeLichess, body: bytes) -> None:
    answer = requests.post(f"{fake.url}/web/position", data=body, timeout=30)
    assert answer.status_code == 400
    assert "Traceback" not in answer.text
    assert answer.json()["error"]


def test_a_bad_fen_is_refused(fake: FakeLichess) -> None:
    assert requests.get(f"{fake.url}/web/small-board.svg?fen=9/9", timeout=30).status_code == 400


def test_pages_ask_for_files_that_exist_and_for_nothing_outside() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    names = {path.relative_to(STATIC).as_posix() for path in files}
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name
        assert set(re.findall(r'(?:src|href)="/web/([\w./-]+)"', text)) <= names, path.name
        for module in re.findall(r'from "(\.[\w./-]+)"', text):
            assert (path.parent / module).resolve().is_file(), f"{path.name} imports {module}"
