"""The command: games over the wire, names, exit codes, what is written where, the score shown, the wait for people."""

from __future__ import annotations

import itertools
import json
import logging
import signal
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import requests
from chess.engine import Cp
from structlog.testing import capture_logs

from bot.errors import ConfigurationError, StartUpError
from bot.fake_lichess import FakeLichess
from bot.offline import command
from bot.offline.command import bot_account, opponent_account
from bot.offline.match import summarize
from bot.offline.options import BOT_NAME, OfflineOptions, offline_settings
from bot.service.signals import ExitCode, Stopped, StopSignals
from bot.settings import Settings, parse_settings
from tests.bot.offline.test_offline_game import ended_game
from tests.helpers.engines import tiny_engine
from tests.helpers.finished_games import games_in, record

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("spec", "name"),
    [("greedy", "Greedy"), ("level:3", "Level3"), ("level:12", "Level"), ("uci:/usr/bin/x", "Uci"), ("", "Opponent")],
)
def test_the_opponent_is_named_after_its_kind_and_level(spec: str, name: str) -> None:
    account = opponent_account(spec)
    assert (account.name, account.opponent) == (name, spec)


def service(*loops: SimpleNamespace) -> Any:
    """A bot with these games."""
    return SimpleNamespace(dispatcher=SimpleNamespace(snapshot=lambda: SimpleNamespace(loops=loops)))


def test_the_lobby_offers_the_variants_that_are_accepted_and_played(tmp_path: Path) -> None:
    file = tmp_path / "bot.yml"
    file.write_text(
        "challenges: {variants: [standard, atomic, chess960]}\nengines: [{variants: [chess960, standard]}]\n"
    )
    account = bot_account(OfflineOptions(config=file))
    assert account.variants == ("standard", "chess960"), "no engine plays atomic"
    file.write_text("challenges: {variants: [standard]}\nconduct: {levels: {by_chat: false}}\n")
    account = bot_account(OfflineOptions(config=file))
    assert (account.variants, account.levels) == (("standard",), False)


def test_the_score_is_that_of_the_game_itself() -> None:
    games = [SimpleNamespace(game_id=name, last_score=Cp(cp)) for name, cp in (("bbb", 20), ("aaa", 10))]
    assert command._score(service(*games), "aaa") == Cp(10)
    assert command._score(service(*games), "ccc") is None
    assert command._score(cast(Any, SimpleNamespace(dispatcher=None)), "aaa") is None


class QuietService:
    """A bot without games; `dashboard` is that of the next one, `made` the last."""

    dashboard: Any = None
    made: QuietService

    def __init__(self, settings: Settings, _signals: StopSignals, **_more: object) -> None:
        self.settings = settings
        self.calls: list[str] = []
        QuietService.made = self

    def start(self) -> None:
        """Start nothing."""
        self.calls.append("start")

    def close(self) -> None:
        """End nothing."""
        self.calls.append("close")


class Dashboard:
    """A page at an address; it keeps what is to carry out its commands."""

    url = "http://127.0.0.1:2"

    def __init__(self) -> None:
        self.handlers: list[object] = []
        self.take_commands = self.handlers.append


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`_play` with a bot and games that take no time, by a clock that shows 1000, 1002, ..."""
    monkeypatch.setenv("XDG_STATE_HOME", "/nowhere")
    monkeypatch.setattr(command, "Service", QuietService)
    monkeypatch.setattr(command, "CommandHandler", lambda _service: SimpleNamespace(handle="the commands"))
    monkeypatch.setattr(command, "start_log", lambda _settings: None)
    monkeypatch.setattr(command, "_play_games", lambda *_arguments: [])
    ticks = itertools.count(1000.0, 2.0)
    monkeypatch.setattr(command, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    server = cast(FakeLichess, SimpleNamespace(url="http://127.0.0.1:1", token=lambda _name: "lip_fake"))
    return lambda options, signals: command._play(server, options, "Greedy", signals)


@pytest.mark.parametrize(("games", "code"), [(0, ExitCode.OK), (1, ExitCode.FAILED)])
def test_the_sum_tells_how_long_the_games_took(play: Any, capsys: Capture, games: int, code: ExitCode) -> None:
    assert play(OfflineOptions(games=games, json=True), StopSignals()) == code
    assert json.loads(capsys.readouterr().out)["wall_s"] == 2.0
    assert QuietService.made.calls == ["start", "close"]
    assert QuietService.made.settings.lichess.url == "http://127.0.0.1:1"


def test_a_signal_amid_the_games_decides_the_exit_code(play: Any) -> None:
    signals = StopSignals()
    signals.ask(signal.SIGINT)
    assert play(OfflineOptions(games=1, json=True), signals) == 128 + signal.SIGINT
    assert QuietService.made.calls == ["start", "close"]


def test_a_signal_before_the_games_decides_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_fake: object, _options: object, _opponent: str, signals: StopSignals) -> int:
        signals.ask(signal.SIGINT)
        raise Stopped("asked to end")

    monkeypatch.setattr(command, "_play", stopped)
    assert command.play_offline(OfflineOptions()) == 128 + signal.SIGINT


def test_the_signal_that_people_end_the_browser_with_is_no_failure(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[str] = []

    def wait(fake: FakeLichess, _options: OfflineOptions, signals: StopSignals) -> None:
        waited.append(fake.url)
        signals.ask(signal.SIGINT)

    monkeypatch.setattr(command, "_wait_for_people", wait)
    assert play(OfflineOptions(games=0, browser=True), StopSignals()) == ExitCode.OK
    assert waited == ["http://127.0.0.1:1"]


def test_a_bot_that_cannot_start_is_closed(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_service: object) -> None:
        raise StartUpError("no engine runs", "install one", ExitCode.ENGINE)

    monkeypatch.setattr(QuietService, "start", fail)
    with pytest.raises(StartUpError):
        play(OfflineOptions(), StopSignals())
    assert QuietService.made.calls == ["close"]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("dashboard", [None, Dashboard()])
def test_the_addresses_come_first_and_leave_standard_output_to_the_json(
    play: Any, capsys: Capture, monkeypatch: pytest.MonkeyPatch, dashboard: Dashboard | None, as_json: bool
) -> None:
    monkeypatch.setattr(QuietService, "dashboard", dashboard)
    play(OfflineOptions(games=0, json=as_json), StopSignals())
    shown = capsys.readouterr()
    addresses = "board      http://127.0.0.1:1\n" + ("dashboard  http://127.0.0.1:2\n" if dashboard else "")
    assert (shown.err if as_json else shown.out) == addresses
    assert dashboard is None or dashboard.handlers[-1] == "the commands"
    assert [json.loads(line)["games"] for line in (shown.out if as_json else shown.err).splitlines()] == [0] * as_json


@pytest.mark.parametrize(("faults", "level"), [("calm", logging.WARNING), ("storm", logging.CRITICAL)])
def test_only_on_a_faulty_network_the_server_is_silent_about_answers_that_got_lost(
    play: Any, monkeypatch: pytest.MonkeyPatch, faults: str, level: int
) -> None:
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "level", logging.WARNING)
    play(OfflineOptions(games=0, faults=faults), StopSignals())
    assert logging.getLogger("uvicorn.error").level == level


PGN = '[Event "Casual blitz game"]\n\n1. e4 { engine88 [%eval 0.3,12] [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } *'


class KeptGames:
    """A store with the PGN of one game, which comes at the second look."""

    def __init__(self) -> None:
        self.looks = 0

    def game(self, game_id: str) -> Any:
        """Return the game."""
        self.looks += game_id == "abcdefgh"
        return SimpleNamespace(pgn=PGN) if game_id == "abcdefgh" and self.looks > 1 else None


def service_with(**settings: Any) -> Any:
    return SimpleNamespace(store=KeptGames(), settings=parse_settings(json.dumps(settings), "f.yml"))


def test_the_games_of_the_store_and_their_sum_are_written_for_people(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [ended_game(), ended_game("white", id="aborted0", status="aborted", winner=None, moves=())]
    command._report(games, summarize(games, 2, 5.0), OfflineOptions(games=2), service_with(store="/tmp/x.sqlite3"))
    shown = capsys.readouterr().out
    (game,) = games_in(shown[: shown.index("2 of 2 games")])
    assert game.headers["Event"] == "Casual blitz game"
    assert game.next().eval() is not None  # type: ignore[union-attr]  # it has two moves
    assert shown.startswith("\n[Event")
    assert summarize(games, 2, 5.0).in_words(2) in shown
    assert shown.endswith("\nfiles left: store /tmp/x.sqlite3, engine88's compiled kernels, which later starts use\n")


def test_a_game_that_is_never_kept_is_waited_for_no_longer_than_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "RECORDED_WITHIN_S", 0.05)
    assert command._stored_pgn(cast("Any", KeptGames()), ended_game(id="gone0000").report) == ""


def test_lines_of_moves_are_broken_between_words() -> None:
    pgn = '[Event "x"]\n\n' + " ".join(f"{number}. Nf3 Nf6" for number in range(1, 30))
    lines = command.wrapped(pgn).splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(lines[2:]) == pgn.splitlines()[2]


def test_nothing_is_summed_up_where_people_alone_play(capsys: Capture) -> None:
    command._report([], summarize([], 0, 1.0), OfflineOptions(games=0, browser=True), service_with())
    assert capsys.readouterr() == ("", "")


def test_the_server_has_the_bot_its_opponent_and_a_guest_and_ends_with_the_command() -> None:
    with command._serving(OfflineOptions(seed=3), opponent_account("random")) as server:
        assert server.token(BOT_NAME)
        assert server.challenge("Guest", "Random", clock=(0.1, 0.0))  # no clock of Lichess's
        host, port = server.url.removeprefix("http://").split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))


def test_finished_games_of_earlier_runs_are_in_the_lobby_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pgn = '[White "Guest"]\n[Black "bot88"]\n[TimeControl "180+2"]\n[Result "0-1"]\n\n'
    pgn += "1. f3 { [%clk 0:02:59] } e5 { [%clk 0:02:58] } 2. g4 { [%clk 0:02:57] } Qh4# { [%clk 0:02:56] } 0-1"
    games = [record("earlier1", pgn=pgn, status="mate"), record("broken11", pgn="1. e5 *")]
    monkeypatch.setattr(command, "read_games", lambda _store, **_selection: games)
    with command._serving(OfflineOptions(), opponent_account("random")) as server, capture_logs() as lines:
        command.restore_games(server, Path("store"))
        (shown,) = requests.get(f"{server.url}/web/finished?player=guest&result=loss", timeout=60).json()["games"]
        facts = requests.get(f"{server.url}/web/facts/earlier1", timeout=60).json()
        assert requests.get(f"{server.url}/earlier1/analysis", timeout=60).status_code == 200
    assert (shown["id"], shown["status"], shown["speed"]) == ("earlier1", "mate", "blitz")
    assert facts["clocks"] == [17900, 17800, 17700, 17600]
    assert [line["game_id"] for line in lines] == ["broken11"]


def test_people_find_their_games_again_without_a_configured_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    stores = [
        offline_settings(OfflineOptions(browser=browser), "http://127.0.0.1:1", "lip_x").store
        for browser in (True, False)
    ]
    assert stores == [Path("/state/bot88/offline.sqlite3"), None]


@pytest.mark.parametrize("wrong", ["port", "faults"])
def test_a_server_that_cannot_start_is_one_line(wrong: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        options = OfflineOptions(port=port) if wrong == "port" else OfflineOptions(faults="no-such-file.yml")
        with (
            pytest.raises(ConfigurationError, match="the built-in Lichess cannot start: "),
            command._serving(options, opponent_account("random")),
        ):
            raise AssertionError("it started")


RESIGNS = "moves: [e2e4, e7e5]\nthen: idle\nacts: [{ply: 2, do: resign}]\n"


def with_tiny_engine(folder: Path, script: str, **options: Any) -> OfflineOptions:
    """Options for games of a tiny engine against a script, with the files that they need."""
    (folder / "script.yml").write_text(script, encoding="utf-8")
    engine = {"name": "tiny", "command": list(tiny_engine()), "slots": 2}
    challenges = {"speeds": ["bullet"], "games_per_opponent": 2}
    config = folder / "my.yml"
    rest = {"log": {"level": "error"}, "dashboard": {"port": 0}}
    config.write_text(json.dumps({"engines": [engine], "challenges": challenges, **rest}), encoding="utf-8")
    return OfflineOptions(clock=(60.0, 0.0), opponent=f"scripted:{folder / 'script.yml'}", config=config, **options)


# One square for each pawn, of either colour: what is not legal is skipped.
PAWNS = "moves: [{}]\nthen: resign\n".format(", ".join(f"{file}2{file}3, {file}7{file}6" for file in "abcdefgh"))


def test_a_seed_repeats_the_faults_of_each_game(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "faults.yml").write_text(
        "rules: [{endpoint: move, fault: delay, delay_s: [0, 0.01], chance: 0.5}]", encoding="utf-8"
    )
    faults = str(tmp_path / "faults.yml")
    runs = []
    for seed in (7, 7, 8, None):
        # The opponent resigns when it is to move, so that no move of the bot crosses the end.
        options = with_tiny_engine(tmp_path, PAWNS, games=3, seed=seed, json=True, faults=faults)
        assert command.play_offline(options) == ExitCode.OK
        shown = capsys.readouterr()
        assert f"faults     {faults}; --seed {'' if seed is None else seed}" in shown.err
        runs.append([json.loads(line)["faults"] for line in shown.out.splitlines()[:3]])
    assert runs[0] == runs[1] != runs[2]
    assert all("delay of move" in game for game in runs[0])


@pytest.mark.parametrize("as_json", [False, True])
def test_whole_games_are_played_and_told(as_json: bool, tmp_path: Path, capsys: Capture) -> None:
    """With a server, a bot and a tiny engine; the opponent gives up after a move of each."""
    options = with_tiny_engine(tmp_path, RESIGNS, games=2, concurrency=2, json=as_json)
    assert command.play_offline(options) == ExitCode.OK
    shown = capsys.readouterr().out
    if as_json:
        *games, total = [json.loads(line) for line in shown.splitlines()]
        assert [(game["status"], game["plies"], game["ended_well"]) for game in games] == [("resign", 2, True)] * 2
        assert {game["bot_color"] for game in games} == {"white", "black"}
        assert {game["opponent"] for game in games} == {"Scripted"}
        assert (total["games"], total["wins"]) == (2, 2)
    else:
        assert shown.count("  resignation  (2 plies, ") == 2
        assert len(games_in(shown[shown.index("[Event") : shown.index("2 of 2 games")])) == 2
        assert "2 of 2 games" in shown


@pytest.mark.parametrize("as_json", [False, True])
def test_people_are_waited_for_until_a_signal_comes(as_json: bool, capsys: Capture) -> None:
    online, signalled = iter([False, False, True]), iter([False, False, False, False, True])
    server = cast(FakeLichess, SimpleNamespace(url="http://127.0.0.1:1", is_online=lambda _name: next(online)))
    signals = cast(StopSignals, SimpleNamespace(wait=lambda _seconds: next(signalled)))
    command._wait_for_people(server, OfflineOptions(json=as_json), signals)
    assert list(online) == list(signalled) == []  # the bot was there, then hours passed before the signal
    shown = capsys.readouterr()
    assert f"to play against {BOT_NAME}" in (shown.err if as_json else shown.out)
    assert (shown.out if as_json else shown.err) == ""


def test_a_bot_that_never_comes_online_is_waited_for_no_longer_than_a_signal() -> None:
    server = cast(FakeLichess, SimpleNamespace(url="http://127.0.0.1:1", is_online=lambda _name: False))
    signalled = iter([False, True, True])
    command._wait_for_people(
        server, OfflineOptions(), cast(StopSignals, SimpleNamespace(wait=lambda _s: next(signalled)))
    )
    assert list(signalled) == []
