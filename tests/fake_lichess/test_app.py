"""What is served is documented, and what is not is documented too and answers 404 in JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bot.fake_lichess.app import all_specs
from tests.fake_lichess.conftest import Connect, MakeFake
from tests.helpers.shared import shared_data

DOCUMENT = Path(__file__).parents[2] / "docs" / "fake-lichess.md"
ROW = re.compile(r"^\| `(\w+)` \| ([A-Z]+) (/\S*) \|$", re.MULTILINE)
ENTRY = re.compile(r"`([A-Z]+) (/\S*)`")
METHODS = ("get", "post", "put", "delete", "head")


def level(path: str) -> str:
    """A path template without the names of its fields."""
    return re.sub(r"\{\w+\}", "{}", path)


def not_served() -> set[tuple[str, str]]:
    """Method and path of the list in the document."""
    text = DOCUMENT.read_text(encoding="utf-8").partition("### Not served")[2].partition("\n## ")[0]
    return {(method, path) for method, path in ENTRY.findall(text)}


def test_the_table_has_every_endpoint() -> None:
    rows = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert rows == [(spec.name, spec.method, spec.path) for spec in all_specs()]


def test_every_official_endpoint_is_served_or_listed_as_not_served() -> None:
    paths = json.loads(shared_data("lichess-api/lichess-api-full.json").read_text(encoding="utf-8"))["paths"]
    official = {(m.upper(), level(path)) for path, item in paths.items() for m in item if m in METHODS}
    served = {(spec.method, level(spec.path)) for spec in all_specs()}
    missing = {(method, level(path)) for method, path in not_served()}
    assert official - served == missing


def test_what_is_not_served_answers_404_in_json(make_fake: MakeFake, connect: Connect) -> None:
    client = connect(make_fake(), "Alice")
    for method, path in sorted(not_served()):
        filled = re.sub(r"\{\w+\}", "abcd1234", path)
        answer = client.session.request(method, client.url + filled, timeout=60)
        assert answer.status_code == 404, (method, path)
        assert method == "HEAD" or answer.json() == {"error": "Not found."}
