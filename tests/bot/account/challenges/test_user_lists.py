"""Lists of users: when they are read, what counts as one, and which copies are kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.account.challenges import user_lists
from bot.account.challenges.user_lists import (
    MAX_BYTES,
    RETRY_PAUSES_S,
    UnreadableList,
    UserLists,
    lists_in,
    names_in,
    unreadable_files,
)
from bot.archive.store import Store
from bot.errors import ConfigurationError, NetworkError, StoreError
from bot.settings import Settings, parse_settings
from tests.helpers.ending import closed_at_end
from tests.helpers.processes import wait_until
from tests.helpers.scarce_threads import refuse_threads

ADDRESS = "https://example.org/list"


class Web:
    """Answers with these texts or errors in turn, then with the last one."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, url: str, *, max_bytes: int, timeout_s: float) -> str:
        """Return a text."""
        self.asked.append((url, max_bytes))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def settings(block: Any = ADDRESS, **more: Any) -> Settings:
    """Return settings that name lists."""
    return Settings.model_validate({"challenges": {"block": block, **more}})


def test_names_are_the_first_words_of_the_lines() -> None:
    assert names_in("# bots\nAnn\n @Bob  since 2020\n\ncarl # rude\n!odd\n") == {"ann", "bob", "carl"}
    assert names_in("") == frozenset()
    assert names_in("ann\n!odd\n") == {"ann"}
    for page in ("<!DOCTYPE html>\n<html>\n<body>\nsign-in\n", "ann\n!odd\n?odd\n", "!odd\n"):
        with pytest.raises(UnreadableList, match="one name on each line"):
            names_in(page)


def test_all_lists_of_a_configuration_are_found_once() -> None:
    chosen = Settings.model_validate(
        {
            "challenges": {
                "allow": ["ann", "/a.txt"],
                "block": ADDRESS,
                "only": "/o.txt",
                "rules": [{"users": ["/r.txt", ADDRESS], "unless": {"users": "/u.txt"}, "decline": "later"}],
            },
            "matchmaking": {"block": ["bob", "/m.txt"]},
        }
    )
    assert tuple(lists_in(chosen)) == ("/a.txt", ADDRESS, "/o.txt", "/m.txt", "/r.txt", "/u.txt")


def test_the_last_good_copy_holds_while_an_address_fails() -> None:
    web = Web("ann\nbob", NetworkError("gone"), "<html>\n<b>\n", "bob")
    lists = UserLists(settings(["carl", ADDRESS]), web)
    entries = ("carl", ADDRESS)
    assert not lists.contains(entries, "ann")
    now_s = 0.0
    with capture_logs() as logged:
        for held in ({"ann", "bob"}, {"ann", "bob"}, {"ann", "bob"}, {"bob"}):
            lists.look(now_s)
            assert {name for name in ("ann", "bob", "dora") if lists.contains(entries, name)} == held
            now_s += 10_000
    assert lists.contains(entries, "carl")
    assert [line["event"] for line in logged] == [
        "user_list_read",
        "user_list_not_read",
        "user_list_not_read",
        "user_list_read",
    ]
    assert web.asked[0] == (ADDRESS, 1024 * 1024)


def test_a_list_is_read_again_no_sooner_than_configured() -> None:
    web = Web("ann")
    lists = UserLists(settings(), web)
    asked = []
    for now_s in (0.0, 5.0, 3599.0, 3600.0, 7199.0, 7200.0):
        lists.look(now_s)
        asked.append(len(web.asked))
    assert asked == [1, 1, 1, 2, 2, 3]


def test_a_copy_is_kept_over_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite3")
    UserLists(settings(), Web("ann"), store).look(0.0)
    store.close()
    again = closed_at_end(Store(tmp_path / "s.sqlite3"))
    lists = UserLists(settings(), Web(NetworkError("down")), again)
    assert lists.contains((ADDRESS,), "ann")
    lists.look(0.0)
    assert lists.contains((ADDRESS,), "ann")


def test_a_file_is_there_from_the_start_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("ann\n")
    lists = UserLists(settings(str(path)), Web("x"))
    assert lists.contains((str(path),), "ann")
    path.write_text("bob\n")
    lists.look(0.0)
    assert [lists.contains((str(path),), name) for name in ("ann", "bob")] == [False, True]
    path.unlink()
    lists.look(10_000.0)
    assert lists.contains((str(path),), "bob")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        ("ab\n" * 400_000, "is longer than"),
        ("<a>\n<b>\n", "not names"),
    ],
)
def test_a_file_that_is_no_list_is_an_error_at_the_start_and_in_check(
    content: str | None, message: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "list.txt").write_text(content)
    chosen = parse_settings("challenges: {block: list.txt}", "f.yml", folder=tmp_path)
    ((place, problem),) = unreadable_files(chosen)
    assert place == ("challenges", "block", 0)
    assert message in problem
    with pytest.raises(ConfigurationError, match=message):
        UserLists(chosen, Web("x"))


def test_other_settings_name_other_lists(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("bob\n")
    lists = UserLists(settings(), Web("ann"))
    lists.look(0.0)
    with capture_logs() as logged:
        lists.configure(settings([ADDRESS, str(path), "/gone.txt"]))
    assert lists.contains((ADDRESS, str(path)), "ann")
    assert lists.contains((str(path),), "bob")
    assert [line["event"] for line in logged] == ["user_list_not_known"]
    lists.configure(settings(str(path)))
    assert not lists.contains((ADDRESS,), "ann")


@pytest.mark.parametrize("answer", ["ann", NetworkError("gone")], ids=["read", "not read"])
def test_a_list_that_is_dropped_while_it_is_read_is_read_no_more(answer: str | Exception) -> None:
    web = Web(answer)

    def fetch(url: str, *, max_bytes: int, timeout_s: float) -> str:
        lists.configure(settings("carl"))
        return web(url, max_bytes=max_bytes, timeout_s=timeout_s)

    lists = UserLists(settings(), fetch)
    lists.look(0.0)
    lists.look(100_000.0)
    assert len(web.asked) == 1
    assert not lists.contains((ADDRESS,), "ann")


def test_asking_waits_for_no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_lists, "LOOK_EVERY_S", 0.01)
    released = False

    def slow(url: str, *, max_bytes: int, timeout_s: float) -> str:
        assert wait_until(lambda: released)
        return "ann"

    lists = closed_at_end(UserLists(settings(), slow))
    lists.start()
    began_s = time.monotonic()
    assert not lists.contains((ADDRESS,), "ann")
    assert time.monotonic() - began_s < 5
    released = True
    assert wait_until(lambda: lists.contains((ADDRESS,), "ann"))


def test_a_thread_that_cannot_be_started_at_once_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refuse_threads(monkeypatch, 1)
    lists = closed_at_end(UserLists(settings(), Web("ann")))
    lists.start()
    assert refused == ["user-lists"]
    assert wait_until(lambda: lists.contains((ADDRESS,), "ann"))


def test_a_list_that_cannot_be_read_is_asked_for_ever_more_rarely_until_it_can() -> None:
    web = Web(NetworkError("gone"))
    lists = UserLists(settings(), web)
    now_s, pauses_s = 0.0, []
    for _ in range(9):
        lists.look(now_s)
        asked = len(web.asked)
        due_s = lists._lists[ADDRESS].due_s
        lists.look(due_s - 0.01)
        assert len(web.asked) == asked
        pauses_s.append(due_s - now_s)
        now_s = due_s
    first_s, longest_s = RETRY_PAUSES_S
    assert 0.5 * first_s <= pauses_s[0] <= 1.5 * first_s
    assert pauses_s[-1] >= 0.5 * longest_s
    web.answers = ["ann"]
    lists.look(now_s)
    web.answers = [NetworkError("gone")]
    now_s = lists._lists[ADDRESS].due_s
    lists.look(now_s)
    assert lists._lists[ADDRESS].due_s - now_s <= 1.5 * first_s


def test_a_file_may_have_a_mebibyte_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    chosen = Settings.model_validate({"challenges": {"block": str(path)}})
    path.write_text("ann\n" * (MAX_BYTES // 4))
    assert UserLists(chosen, Web("x")).contains((str(path),), "ann")
    path.write_text("ann\n" * (MAX_BYTES // 4) + "\n")
    with pytest.raises(ConfigurationError, match="longer than 1048576 bytes"):
        UserLists(chosen, Web("x"))


def test_what_an_address_holds_is_kept_and_what_a_file_holds_is_not(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("carl\n")
    store = closed_at_end(Store())
    lists = UserLists(settings([ADDRESS, str(path)]), Web("bob\nann"), store)
    path.write_text("dora\n")
    with capture_logs() as logged:
        lists.look(0.0)
        lists.look(100_000.0)  # nothing is new
    assert store.noted(f"user list {ADDRESS}", str) == ["ann", "bob"]
    assert store.noted(f"user list {path}", str) == []
    assert [(line["list"], line["users"]) for line in logged] == [(ADDRESS, 2), (str(path), 1)]


def test_a_store_that_cannot_be_read_costs_the_copies_alone() -> None:
    class BrokenStore(Store):
        def noted(self, name: str, read: object) -> list[str]:
            raise StoreError("locked")

    with capture_logs() as logged:
        lists = UserLists(settings(), Web("ann"), closed_at_end(BrokenStore()))
    assert [(line["event"], line["list"]) for line in logged] == [("user_list_not_known", ADDRESS)]
    lists.look(0.0)
    assert lists.contains((ADDRESS,), "ann")


def test_after_the_end_nothing_is_read() -> None:
    web = Web("ann")
    lists = UserLists(settings(), web)
    lists.close()
    lists.look(0.0)
    assert web.asked == []
