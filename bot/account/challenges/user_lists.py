"""Lists of users in files and at addresses, read again and again in the background.

Queries are answered at once from the last good copy. The store keeps the copies of lists at addresses over restarts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from bot.archive.store import Store
from bot.backoff import Backoff
from bot.errors import BotError, ConfigurationError, LichessError, StoreError
from bot.settings import Settings, is_address, is_list, is_user_name
from bot.supervised_loop import SupervisedLoop

TIMEOUT_S = 15.0
REFRESH_S = 3600.0
MAX_BYTES = 1 << 20  # of a list
LOOK_EVERY_S = 5.0
RETRY_PAUSES_S = (30.0, 3600.0)  # first and longest, after a list could not be read
MOST_PAGE_SHARE = 0.5  # a text in which more lines than this are not names is a web page
_NOTE = "user list "

log = structlog.get_logger(__name__)


class UnreadableList(BotError):  # noqa: N818 -- the name says what it is, as in bot.errors
    """A file or an address does not contain a list of users."""


def lists_in(settings: Settings) -> dict[str, tuple[str | int, ...]]:
    """Return the files and addresses that a configuration names, and the path of the key where each comes first."""
    challenges = settings.challenges
    keys: list[tuple[tuple[str | int, ...], tuple[str, ...] | None]] = [
        (("challenges", "allow"), challenges.allow),
        (("challenges", "block"), challenges.block),
        (("challenges", "only"), challenges.only),
        (("matchmaking", "block"), settings.matchmaking.block),
    ]
    for index, rule in enumerate(challenges.rules):
        keys.append((("challenges", "rules", index, "users"), rule.users))
        keys.append((("challenges", "rules", index, "unless", "users"), rule.unless.users if rule.unless else None))
    found: dict[str, tuple[str | int, ...]] = {}
    for place, users in keys:
        for index, entry in enumerate(users or ()):
            if is_list(entry):
                found.setdefault(entry, (*place, index))
    return found


def unreadable_files(settings: Settings) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Read the files once. Yield the path of the key of each that cannot be used, and the problem."""
    for entry, place in lists_in(settings).items():
        if not is_address(entry):
            try:
                names_in(_read_file(entry))
            except UnreadableList as error:
                yield place, f"the list of users {entry}: {error}"


def names_in(text: str) -> frozenset[str]:
    """Return the names in a list: the first word of each line, `#` begins a comment. Raises UnreadableList."""
    words = [line.split("#")[0].split() for line in text.splitlines()]
    first = [found[0].removeprefix("@").lower() for found in words if found]
    names = frozenset(word for word in first if is_user_name(word))
    if first and sum(not is_user_name(word) for word in first) > MOST_PAGE_SHARE * len(first):
        raise UnreadableList("most of its lines are not names of users; it must have one name on each line")
    return names


def _read_file(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except OSError as error:
        hint = "; an address begins with http:// or https://" if isinstance(error, FileNotFoundError) else ""
        raise UnreadableList(f"cannot be read: {error.strerror or error}{hint}") from error
    if len(body) > MAX_BYTES:
        raise UnreadableList(f"is longer than {MAX_BYTES} bytes; divide it")
    return body.decode("utf-8", "replace")


@dataclass
class KnownList:
    """The last good copy of a list, and when to read it again (monotonic seconds)."""

    names: frozenset[str]
    due_s: float = 0.0
    backoff: Backoff = field(default_factory=lambda: Backoff(*RETRY_PAUSES_S))


class UserLists:
    """`contains` may be called from any thread and never waits; a separate thread reads the lists."""

    def __init__(self, settings: Settings, fetch: Callable[..., str], store: Store | None = None) -> None:
        """Read the files, and the kept copies of the addresses. `start` begins to read all of them.

        Raises ConfigurationError for a file that cannot be used.
        """
        for _place, problem in unreadable_files(settings):
            raise ConfigurationError(problem)
        self._fetch = fetch
        self._store = store
        self._lists: dict[str, KnownList] = {}  # replaced as a whole
        self._loop = SupervisedLoop("user-lists", self._work)
        self.configure(settings)

    def start(self) -> None:
        """Begin to read."""
        self._loop.ensure_started()

    def close(self) -> None:
        """Read no more."""
        self._loop.stop()

    def configure(self, settings: Settings) -> None:
        """Read the lists of these settings from now on. Copies of lists that stay are kept."""
        known = self._lists
        self._lists = {entry: known.get(entry) or KnownList(self._first(entry)) for entry in lists_in(settings)}

    def contains(self, users: tuple[str, ...], user_id: str) -> bool:
        """Return whether a user is named in `users`, or is in one of the lists that it names."""
        lists = self._lists
        return user_id in users or any(user_id in lists[entry].names for entry in users if entry in lists)

    def look(self, now_s: float) -> None:
        """Read the lists that are due at `now_s` (monotonic seconds)."""
        for entry, known in self._lists.items():
            if known.due_s <= now_s and not self._loop.stopped:
                self._refresh(entry, known, now_s)

    def _work(self) -> None:
        self.look(time.monotonic())
        while not self._loop.wait(LOOK_EVERY_S):
            self.look(time.monotonic())

    def _refresh(self, entry: str, known: KnownList, now_s: float) -> None:
        try:
            names = self._read(entry)
        except (LichessError, UnreadableList) as error:
            remedy = f"the {len(known.names)} names read last remain valid"
            log.warning("user_list_not_read", list=entry, error=str(error), remedy=remedy)
            known.due_s = now_s + known.backoff.next_s()
            return
        known.backoff.reset()
        known.due_s = now_s + REFRESH_S
        if names != known.names:
            known.names = names
            log.info("user_list_read", list=entry, users=len(names))
            if self._store is not None and is_address(entry):
                self._store.note(_NOTE + entry, sorted(names))

    def _read(self, entry: str) -> frozenset[str]:
        if is_address(entry):
            return names_in(self._fetch(entry, max_bytes=MAX_BYTES, timeout_s=TIMEOUT_S))
        return names_in(_read_file(entry))

    def _first(self, entry: str) -> frozenset[str]:
        """Return the names of a file, or the names that an earlier run read from an address."""
        try:
            if not is_address(entry):
                return self._read(entry)
            return frozenset(self._store.noted(_NOTE + entry, str) if self._store is not None else ())
        except (StoreError, UnreadableList) as error:
            log.error("user_list_not_known", list=entry, error=str(error), remedy="it is empty until it can be read")
            return frozenset()
