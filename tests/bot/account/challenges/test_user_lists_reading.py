"""When lists of users are read again, what counts as one, and what is kept of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.account.challenges.user_lists import (
    MAX_BYTES,
    RETRY_PAUSES_S,
    UnreadableList,
    UserLists,
    check_list_files,
    names_in,
)
from bot.archive.store import Store
from bot.errors import ConfigurationError, NetworkError, StoreError
from bot.settings import Settings
from tests.bot.account.challenges.test_user_lists import ADDRESS, Web, settings


def test_a_list_that_cannot_be_read_is_asked_for_ever_more_rarely_until_it_can() -> None:
    web = Web(NetworkError("gone"))
    lists = UserLists(settings(), web)
    now_s, pauses_s = 0.0, []
    for _ in range(9):
        lists.look(now_s)
        asked = len(web.asked)
        due_s = lists._due_s[ADDRESS]
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
    now_s = lists._due_s[ADDRESS]
    lists.look(now_s)
    assert lists._due_s[ADDRESS] - now_s <= 1.5 * first_s


@pytest.mark.parametrize(("text", "is_list"), [("ann\n!odd\n", True), ("ann\n!odd\n?odd\n", False), ("!odd\n", False)])
def test_a_text_most_of_whose_lines_are_no_names_is_no_list(text: str, is_list: bool) -> None:
    if is_list:
        assert names_in(text) == {"ann"}
        return
    with pytest.raises(UnreadableList, match="one name on each line"):
        names_in(text)


def test_a_file_may_have_a_mebibyte_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    chosen = Settings.model_validate({"challenges": {"block": str(path)}})
    path.write_text("ann\n" * (MAX_BYTES // 4))
    check_list_files(chosen)
    assert UserLists(chosen, Web("x")).contains((str(path),), "ann")
    path.write_text("ann\n" * (MAX_BYTES // 4) + "\n")
    with pytest.raises(ConfigurationError, match="longer than 1048576 bytes"):
        check_list_files(chosen)


def test_what_an_address_holds_is_kept_and_what_a_file_holds_is_not(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("carl\n")
    store = Store()
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
        lists = UserLists(settings(), Web("ann"), BrokenStore())
    assert [(line["event"], line["list"]) for line in logged] == [("user_list_not_known", ADDRESS)]
    lists.look(0.0)
    assert lists.contains((ADDRESS,), "ann")


def test_after_the_end_nothing_is_read() -> None:
    web = Web("ann")
    lists = UserLists(settings(), web)
    lists.close()
    lists.look(0.0)
    assert web.asked == []
