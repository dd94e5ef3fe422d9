"""Each thing that can be wrong at the start has its message, remedy and exit code."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.errors import LichessError, NetworkError, NotFound, RateLimited, StartUpError, Unauthorized
from bot.lichess.values import Account
from bot.service import startup_checks
from bot.service.signals import ExitCode, Stopped, StopSignals
from bot.service.startup_checks import (
    LONGEST_LIMIT_S,
    PAUSES_S,
    SAY_EVERY_S,
    check_account,
    missing_scopes,
)
from bot.settings import Settings, parse_settings
from tests.helpers.server import StubServer

GOOD = frozenset({"bot:play"})
BOT = Account("me", "Me", "BOT")


class Server(StubServer):
    """Answers as a test wants: a value, or an error to raise; a list is used up one by one."""

    def __init__(self, account: object = BOT, token: object = GOOD) -> None:
        self._account = account
        self._token = token
        self.asked = 0

    def account(self) -> Account:
        self.asked += 1
        answer = self._account.pop(0) if isinstance(self._account, list) else self._account
        if isinstance(answer, LichessError):
            raise answer
        assert isinstance(answer, Account)
        return answer

    def test_token(self) -> frozenset[str] | None:
        if isinstance(self._token, LichessError):
            raise self._token
        assert self._token is None or isinstance(self._token, frozenset)
        return self._token


@pytest.fixture
def configured() -> Settings:
    return parse_settings("lichess: {token: lip_secret, url: 'https://lichess.test'}", "f.yml")


def test_all_is_well(configured: Settings) -> None:
    assert check_account(Server(), configured, StopSignals()) == BOT


FAULTS = [
    pytest.param(Server(token=None), "the token is not valid", "BOT88_TOKEN", ExitCode.ACCOUNT, id="unknown token"),
    pytest.param(
        Server(account=Unauthorized(401, "No such token")), "not valid", "new one", ExitCode.ACCOUNT, id="401"
    ),
    pytest.param(
        Server(token=frozenset({"challenge:read"})),
        "lacks the scope bot:play (it has: challenge:read)",
        "create one with bot:play",
        ExitCode.ACCOUNT,
        id="scope",
    ),
    pytest.param(
        Server(Account("me", "Me")), "Me is not a bot account", "bot88 upgrade", ExitCode.ACCOUNT, id="no bot"
    ),
    pytest.param(
        Server(Account("me", "Me", "BOT", disabled=True)), "closed", "another account", ExitCode.ACCOUNT, id="closed"
    ),
    pytest.param(Server(NotFound(404)), "is not a Lichess", "lichess.url", ExitCode.UNREACHABLE, id="another server"),
]


@pytest.mark.parametrize(("server", "problem", "remedy", "code"), FAULTS)
def test_faults(server: Server, problem: str, remedy: str, code: ExitCode, configured: Settings) -> None:
    with pytest.raises(StartUpError) as failed:
        check_account(server, configured, StopSignals())
    assert problem in failed.value.problem
    assert remedy in failed.value.remedy
    assert "\n" not in failed.value.remedy
    assert failed.value.exit_code == code
    assert "lip_secret" not in str(failed.value)


def test_no_token_at_all() -> None:
    with pytest.raises(StartUpError, match="there is no token") as failed:
        check_account(Server(), Settings(), StopSignals())
    assert failed.value.exit_code == ExitCode.ACCOUNT


def test_a_server_that_comes_back_is_waited_for(configured: Settings) -> None:
    server = Server([NetworkError("refused"), RateLimited(0.1), BOT])
    assert check_account(server, configured, StopSignals()) == BOT
    assert server.asked == 3


class Waits(StopSignals):
    """Notes the waits instead of waiting; a clock that advances with them."""

    def __init__(self, enough: int = 10**9) -> None:
        super().__init__()
        self.waited: list[float] = []
        self.enough = enough

    def wait(self, seconds: float) -> bool:
        """Note."""
        self.waited.append(seconds)
        return len(self.waited) >= self.enough

    def now_s(self) -> float:
        """The sum of the waits."""
        return sum(self.waited)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Signals whose waits move the clock of the checks."""
    one = Waits(enough=200)
    monkeypatch.setattr(startup_checks, "time", SimpleNamespace(monotonic=one.now_s))
    return one


def test_without_network_a_service_goes_on_trying_and_says_so_once_a_minute(configured: Settings, waits: Waits) -> None:
    with capture_logs() as lines, pytest.raises(Stopped):
        check_account(Server(NetworkError("refused")), configured, waits)
    assert waits.now_s() > 3600.0
    assert max(waits.waited) <= 1.5 * PAUSES_S[1]
    said = [line for line in lines if line["event"] == "server_not_ready"]
    assert 0.5 <= len(said) / (waits.now_s() / SAY_EVERY_S) <= 1.1
    assert said[0]["waited_s"] == 0, "the first time at once"
    gaps = [after["waited_s"] - before["waited_s"] for before, after in itertools.pairwise(said)]
    assert SAY_EVERY_S <= min(gaps) + 1 <= max(gaps) <= SAY_EVERY_S + 2 * PAUSES_S[1]


def test_it_gives_up_when_told_to(configured: Settings, waits: Waits) -> None:
    with pytest.raises(StartUpError, match="does not answer") as failed:
        check_account(Server(NetworkError("refused")), configured, waits, give_up_after_s=100.0)
    assert failed.value.exit_code == ExitCode.UNREACHABLE
    assert 40.0 <= waits.now_s() <= 100.0


def test_a_limit_of_a_week_is_not_waited_for(configured: Settings, waits: Waits) -> None:
    assert check_account(Server([RateLimited(7 * 86_400.0), BOT]), configured, waits) == BOT
    assert waits.now_s() <= 1.5 * LONGEST_LIMIT_S


def test_a_server_without_the_token_question_is_judged_by_its_account(configured: Settings) -> None:
    assert check_account(Server(token=NotFound(404)), configured, StopSignals()) == BOT


def test_a_signal_ends_the_waiting(configured: Settings) -> None:
    signals = StopSignals()
    signals.ask()
    with pytest.raises(Stopped):
        check_account(Server(NetworkError("refused")), configured, signals)


ARENA = "tournaments: {arenas: {id: AbCd1234}}"
TEAM = "tournaments: {arenas: {id: AbCd1234}, teams: {id: ours}}"


@pytest.mark.parametrize(
    ("text", "token", "off"),
    [
        (ARENA, GOOD, ["tournaments.arenas"]),
        (TEAM, GOOD, ["tournaments.arenas", "tournaments.teams"]),
        (TEAM, frozenset({"bot:play", "tournament:write"}), ["tournaments.teams"]),
        (TEAM, frozenset({"bot:play", "tournament:write", "team:write"}), []),
        (ARENA, frozenset(), []),  # a server that does not name the scopes
        (ARENA, NetworkError("gone"), []),
        (ARENA, None, []),
        ("matchmaking: {enabled: true, profiles: {}}", GOOD, []),
        ("{}", NetworkError("nobody asks"), []),
    ],
)
def test_features_whose_scope_is_missing_are_named(text: str, token: object, off: list[str]) -> None:
    settings = parse_settings(text, "f.yml")
    with capture_logs() as lines:
        missing = missing_scopes(Server(token=token), settings)
    assert [one.key for one in missing] == off
    said = [line for line in lines if line["event"] == "scope_missing"]
    assert [line["key"] for line in said] == off
    assert all("https://lichess.org/account/oauth/token" in line["remedy"] for line in said)


@pytest.mark.parametrize("token", [frozenset(), Unauthorized(401, "not here")])
def test_what_does_not_tell_the_scopes_is_no_reason_to_refuse(token: object, configured: Settings) -> None:
    assert check_account(Server(token=token), configured, StopSignals()) == BOT
