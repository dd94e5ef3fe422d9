"""Keys under their old names: they work, and the new name is told."""

from __future__ import annotations

from typing import Any

import pytest

from bot.errors import ConfigurationError
from bot.settings import Settings
from bot.settings.reading.environment import with_environment
from bot.settings.reading.renamed import RENAMED, with_new_names
from bot.settings.reading.yaml_lines import Document, read_document

TABLE = {"challenges.limit": "challenges.queue", "manners": "conduct", "think.ponder": "clock.ponder"}


def renamed(text: str, environ: dict[str, str] | None = None) -> tuple[Document, list[str]]:
    """The document under new names, and what was said."""
    said: list[str] = []
    document = with_environment(read_document(text, "f.yml"), environ or {})
    return with_new_names(document, "f.yml", said.append, TABLE), said


@pytest.mark.parametrize(
    ("text", "data", "place"),
    [
        ("challenges:\n  limit: 3\n  queue:", {"challenges": {"queue": 3}}, "f.yml:2: challenges.limit"),
        ("manners: {takebacks: 2}", {"conduct": {"takebacks": 2}}, "f.yml:1: manners"),
        ("log: {}\nthink: {ponder: true}", {"log": {}, "clock": {"ponder": True}}, "f.yml:2: think.ponder"),
    ],
)
def test_the_value_is_found_under_the_new_name(text: str, data: Any, place: str) -> None:
    document, said = renamed(text)
    assert document.data == data
    assert len(said) == 1
    assert said[0].startswith(place)
    assert "now; the old name works until the next version" in said[0]


def test_a_mistake_in_the_value_is_told_with_its_line() -> None:
    document, _ = renamed("log: {}\nmanners:\n  takebacks: x")
    assert document.line_of(("conduct", "takebacks")) == 3


def test_a_variable_may_use_the_old_name() -> None:
    document, (line,) = renamed("", {"BOT88__CHALLENGES__LIMIT": "4"})
    assert document.data == {"challenges": {"queue": 4}}
    assert line.startswith("BOT88__CHALLENGES__LIMIT: challenges.limit is called challenges.queue now;")


def test_both_names_at_once_are_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"^f\.yml:1: challenges\.limit: .* challenges\.queue now"):
        renamed("challenges: {limit: 3, queue: 4}")


def test_what_has_no_old_name_is_left_alone() -> None:
    document, said = renamed("concurrency: 3")
    assert (document.data, said) == ({"concurrency": 3}, [])


def test_the_table_in_force_leads_to_keys_that_exist() -> None:
    for new in RENAMED.values():
        model: Any = Settings
        for part in new.split("."):
            assert part in model.model_fields
            model = model.model_fields[part].annotation


def test_a_section_stays_where_another_key_is_in_it() -> None:
    document, _ = renamed("think: {ponder: true, other: 1}\nchallenges: {limit: 3, accept: false}")
    assert document.data == {
        "think": {"other": 1},
        "clock": {"ponder": True},
        "challenges": {"queue": 3, "accept": False},
    }


def test_lines_of_other_keys_stay_theirs() -> None:
    document, _ = renamed("challenges:\n  accept: true\n  limit: 3\nthinking: 1")
    assert document.lines == {
        ("challenges",): 1,
        ("challenges", "accept"): 2,
        ("challenges", "queue"): 3,
        ("thinking",): 4,
    }
    assert document.source_of(("challenges", "queue"), "f.yml") == "f.yml:3"


@pytest.mark.parametrize("text", ["think: 5", "think: [ponder]", "challenges: x"])
def test_what_is_no_section_has_no_old_names_in_it(text: str) -> None:
    document, said = renamed(text)
    assert (document.data, said) == (read_document(text, "f.yml").data, [])
