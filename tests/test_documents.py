"""The documents name configurations, log events, tests and pages that exist, and the site lists every page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from bot.settings import parse_settings

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ROOT / "docs"


def yaml_blocks(name: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (DOCUMENTS / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", ["how-to.md", "configuration.md"])
def test_every_example_is_a_good_configuration(name: str, tmp_path: Path) -> None:
    for text in yaml_blocks(name):
        parse_settings(text, name, environ={"BOT88_TOKEN": "lip_x"}, folder=tmp_path)


def test_the_log_events_in_troubleshooting_exist() -> None:
    text = (DOCUMENTS / "troubleshooting.md").read_text(encoding="utf-8")
    named = {
        word for row in re.findall(r"^\| (.*?) \|", text, re.MULTILINE) for word in re.findall(r"`(\w+_\w+)`", row)
    }
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py"))
    assert len(named) > 15
    assert [event for event in sorted(named) if f'"{event}"' not in source] == []


def test_troubleshooting_has_every_warning() -> None:
    text = (DOCUMENTS / "troubleshooting.md").read_text(encoding="utf-8")
    files = [path for path in (ROOT / "bot").rglob("*.py") if "fake_lichess" not in path.parts]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    logged = set(re.findall(r"log\.(?:warning|error|exception|critical)\(\s*\"(\w+)\"", source))
    assert len(logged) > 50
    assert [event for event in sorted(logged) if f"`{event}`" not in text] == []


def test_the_tests_in_documents_exist() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS.rglob("*.md"))
    named = set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text))
    assert len(named) > 30
    missing = [
        (file, test)
        for file, test in sorted(named)
        if not (ROOT / file).is_file() or f"def {test}" not in (ROOT / file).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_the_log_events_in_the_changelog_exist() -> None:
    table = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("| log event | was |")[2].partition("\n\n")[0]
    named = {word for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)}
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py"))
    assert len(named) > 5
    assert [event for event in sorted(named) if f'"{event}"' not in source] == []


def pages_of(navigation: object) -> set[str]:
    if isinstance(navigation, str):
        return {navigation}
    children = navigation.values() if isinstance(navigation, dict) else navigation
    assert isinstance(children, Iterable)
    return {page for child in children for page in pages_of(child)}


def test_the_navigation_of_the_site_has_every_page() -> None:
    navigation = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    pages = {path.name for path in DOCUMENTS.glob("*.md")}
    assert pages_of(navigation) == {*pages, "experiments/index.md"}


def test_the_index_of_experiments_has_every_page() -> None:
    folder = DOCUMENTS / "experiments"
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", (folder / "index.md").read_text(encoding="utf-8")))
    assert linked == {path.name for path in folder.glob("*.md")} - {"index.md"}


def test_links_between_documents_lead_to_files() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCUMENTS.rglob("*.md")]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\((?!\w+:)([^)#\s]+)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 100
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []
