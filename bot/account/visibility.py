"""Whether other people and bots can find us: bio, place in the list of online bots, time played against people."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from bot.errors import LichessError
from bot.lichess.server import Server
from bot.lichess.values import Account
from bot.supervised_loop import SupervisedLoop

FIRST_LOOK_S = 60.0  # after the start: the server lists a bot once its stream is open
LOOK_EVERY_S = 900.0
BIO = "write a bio at {url}/account/profile, for bots without one are not listed"
PEOPLE = "the list is sorted by time played against people; docs/being-found.md says what helps"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Visibility:
    """`people_s`: time played against people; `place` in the list of the `listed` online bots, None outside it."""

    has_bio: bool
    people_s: int
    place: int | None
    listed: int

    def in_words(self) -> str:
        """Return one line."""
        place = f"place {self.place} of {self.listed}" if self.place is not None else "not"
        return f"{place} in the list of online bots; {about(self.has_bio, self.people_s)}"

    def remedy(self, url: str) -> str:
        """Return what would raise the bot in the list."""
        return PEOPLE if self.has_bio else BIO.format(url=url)


def about(has_bio: bool, people_s: int) -> str:
    """Return the facts about an account that decide about its place."""
    return f"{'a bio' if has_bio else 'no bio'}, {people_s / 3600:.1f} h played against people"


def account_advice(account: Account, url: str) -> str:
    """Return a line about an account that is not online, with what would let people find it."""
    remedy = PEOPLE if account.has_bio else BIO.format(url=url)
    return f"{account.username} has {about(account.has_bio, account.people_s)}: {remedy}"


def look(server: Server, account_id: str) -> Visibility:
    """Ask the server. Raises LichessError."""
    account = server.account()
    listed = [bot.id for bot in server.online_bots()]
    place = listed.index(account_id) + 1 if account_id in listed else None
    return Visibility(account.has_bio, account.people_s, place, len(listed))


class VisibilityWatch:
    """Looks every quarter of an hour; `latest` is None before the first answer."""

    def __init__(self, server: Server, account_id: str, url: str, first_s: float = FIRST_LOOK_S) -> None:
        self.latest: Visibility | None = None
        self._server, self._account_id, self._url, self._first_s = server, account_id, url, first_s
        self._loop = SupervisedLoop("visibility", self._work)

    def start(self) -> None:
        """Begin to look."""
        self._loop.start()

    def close(self) -> None:
        """Look no more."""
        self._loop.stop()

    def _work(self) -> None:
        wait_s = self._first_s
        while not self._loop.wait(wait_s):
            wait_s = LOOK_EVERY_S
            try:
                found = look(self._server, self._account_id)
            except LichessError as error:
                log.info("visibility_not_known", error=str(error))
                continue
            if found.place is None and (self.latest is None or self.latest.place is not None):
                log.warning("not_listed", found=found.in_words(), remedy=found.remedy(self._url))
            self.latest = found
