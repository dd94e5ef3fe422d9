"""What is served is documented, and what is not is documented too and answers 404 in JSON."""

from __future__ import annotations

import re

from tests.fake_lichess.conftest import Connect, MakeFake
from tests.fake_lichess.differences import (
    DIFFERENCES,
    DOCUMENT,
    OFFICIAL,
    level,
    official,
    read_description,
    served,
    with_table,
)
from tests.helpers.shared import shared_data


def test_the_table_of_endpoints_and_differences_is_up_to_date() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_table(text) == text, "run python -m tests.fake_lichess.differences"
    assert set(DIFFERENCES) - {spec.name for spec in served().values()} == set()


def test_the_list_of_official_endpoints_is_that_of_the_description() -> None:
    description = shared_data("lichess-api/lichess-api-full.json")
    assert list(read_description(description)) == OFFICIAL.read_text(encoding="utf-8").splitlines()


def test_what_is_not_served_answers_404_in_json(make_fake: MakeFake, connect: Connect) -> None:
    client = connect(make_fake(), "Alice")
    missing = [(method, path) for _, method, path in official() if (method, level(path)) not in served()]
    assert len(missing) > 50
    for method, path in missing:
        filled = re.sub(r"\{\w+\}", "abcd1234", path)
        answer = client.session.request(method, client.url + filled, timeout=60)
        assert answer.status_code == 404, (method, path)
        assert method == "HEAD" or answer.json() == {"error": "Not found."}
