"""Pages, pictures and facts over HTTP, asked for well and badly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import requests

from bot.board.routes import STATIC as BOARD
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
        ("/board/theme/blue.svg", "image/svg+xml"),
        ("/board/pieces/classic/bQ.svg", "image/svg+xml"),
        ("/board/pieces/wood/wN.svg", "image/svg+xml"),
        ("/board/pieces/letters/wN.svg", "image/svg+xml"),
        ("/board/board.css", "text/css; charset=utf-8"),
        ("/board/view.js", "text/javascript; charset=utf-8"),
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
        "/board/pieces/classic/xx.svg",
        "/board/pieces/none/wN.svg",
        "/board/theme/red.svg",
        "/board/routes.py",
        "/abcdefgh",
        "/web/..%2froutes.py",
        "/board/..%2froutes.py",
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
    assert (alice["name"], alice["title"], alice["online"], alice["token"]) == (
        "Alice",
        None,
        False,
        fake.token("Alice"),
    )
    assert (alice["variants"], alice["levels"]) == (None, False), "not known"
    assert next(one["about"] for one in people["opponents"] if one["id"] == "greedy") == "captures whenever it can"
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


def test_pages_ask_for_files_that_exist_and_for_nothing_outside() -> None:
    folders = {"/web/": STATIC, "/board/": BOARD}
    found = {path: path.read_text(encoding="utf-8") for one in folders.values() for path in one.rglob("*.*")}
    for path, text in found.items():
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text), path.name
        for prefix, name in re.findall(r'(?:src=|href=|from |import )"(/web/|/board/)([\w./-]+)"', text):
            assert folders[prefix] / name in found, f"{path.name} asks for {prefix}{name}"
        for module in re.findall(r'from "(\.[\w./-]+)"', text):
            assert (path.parent / module).resolve().is_file(), f"{path.name} imports {module}"
