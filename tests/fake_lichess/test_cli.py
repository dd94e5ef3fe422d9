"""The command greets, serves, ends properly, and reports wrong settings in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import requests

from bot.fake_lichess import FakeConfig, FakeLichess
from bot.fake_lichess.cli import guarded, main, with_bots, with_opponents, with_people
from tests.helpers.processes import wait_until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def serving(tmp_path: Path) -> object:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "bot.fake_lichess", "--port", "0", "--seed", "3"]
    command += ["--ready-file", str(tmp_path / "ready")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    guard = threading.Timer(120, process.kill)
    guard.start()
    yield process
    guard.cancel()
    process.kill()
    process.communicate()


def test_it_serves_until_a_signal(serving: subprocess.Popen[str], tmp_path: Path) -> None:
    assert serving.stdout is not None
    first = serving.stdout.readline()
    url = first.split()[-1]
    ready = tmp_path / "ready"
    wait_until(lambda: ready.exists() and ready.read_text(encoding="utf-8") == f"{url}\n")
    assert processor_s(serving.pid) < 3, "0.3 s on an ordinary machine: see docs/fake-lichess.md"
    assert first.startswith("fake Lichess on http://127.0.0.1:")
    account = requests.get(url + "/api/account", headers={"Authorization": "Bearer lip_bot88"}, timeout=60)
    assert account.json()["title"] == "BOT"
    online = requests.get(url + "/api/bot/online", timeout=60).json()
    assert (online["id"], online["perfs"]["blitz"]["games"]) == ("sparring", 50), "matchmaking finds somebody"
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(60) == 0
    rest = serving.stdout.read()
    assert serving.stderr is not None
    assert serving.stderr.read() == ""
    assert "lip_bot88" in rest
    assert "played by the server (random)" in rest
    assert "faults calm, seed 3" in rest
    assert not ready.exists()


def processor_s(pid: int) -> float:
    """The processor time of a process, which does not depend on what else the machine does."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


DEFAULTS = FakeConfig().accounts


def test_a_bot_is_added_or_replaced_with_its_token() -> None:
    accounts = with_bots(DEFAULTS, ["MyBot=lip_mine", "bot88=lip_other"])
    found = {account.name: (account.title, account.token) for account in accounts}
    assert (found["MyBot"], found["bot88"]) == (("BOT", "lip_mine"), ("BOT", "lip_other"))
    assert len(accounts) == len(DEFAULTS) + 1


@pytest.mark.parametrize(("people", "names"), [(1, ["Alice"]), (6, ["Alice", "Bobby", "Fresh", "Anonymous"])])
def test_so_many_people_as_wanted(people: int, names: list[str]) -> None:
    accounts = with_people(DEFAULTS, people)
    persons = [one.name for one in accounts if one.title is None and one.opponent is None]
    assert persons == names + [f"Person{number}" for number in range(1, people - len(names) + 1)]
    assert with_people(DEFAULTS, None) == DEFAULTS


def test_opponents_are_added_with_or_without_a_name() -> None:
    accounts = with_opponents((), ["engine3:stockfish --option=1", "Weak=random"])
    found = [(one.name, one.opponent) for one in accounts]
    assert found == [("Opponent1", "engine3:stockfish --option=1"), ("Weak", "random")]


def test_tokens_cannot_be_guessed_where_others_reach_the_server() -> None:
    accounts = with_bots(DEFAULTS, ["MyBot=lip_mine"])
    assert guarded(accounts, "127.0.0.1") == accounts
    tokens = {one.name: one.token for one in guarded(accounts, "0.0.0.0")}
    assert tokens["MyBot"] == "lip_mine"
    assert all(token is not None and len(token) > 20 for name, token in tokens.items() if name != "MyBot")
    assert len(set(tokens.values())) == len(tokens)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--bot", "MyBot"], "NAME=TOKEN"),
        (["--bot", "?=x"], "--bot '?'"),
        (["--people", "-1"], "--people -1"),
        (["--opponent", "kasparov"], "unknown opponent 'kasparov'"),
    ],
)
def test_a_wrong_option_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], options: list[str], word: str
) -> None:
    assert main(options) == 2
    assert word in capsys.readouterr().err


def test_an_address_that_is_not_to_be_had_is_reported_with_a_remedy(
    fake: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    port = fake.url.rpartition(":")[2]
    assert main(["--port", port]) == 2
    taken = f"cannot listen on 127.0.0.1:{port}: Address already in use; choose another port, or 0 for a free one"
    assert taken in capsys.readouterr().err
    assert main(["--bind", "192.0.2.1"]) == 2
    assert "give an address of this machine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "word"), [("accounts: 5", "accounts"), ("prot: 1", "prot"), ("port: [", "fake.yml"), (None, "fake.yml")]
)
def test_a_wrong_file_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, word: str
) -> None:
    path = tmp_path / "fake.yml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert main(["--config", str(path)]) == 2
    told = capsys.readouterr().err
    assert word in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--config", "{file}"], "{file}: rateing: unknown key; did you mean rating?"),
        (["--scenario", "{file}"], "scenario {file}: bot: is missing; challenges: is missing; rateing: unknown"),
        (["--faults", "{file}"], "fault plan {file}: rateing: unknown key"),
        (["--opponent", "scripted:{file}"], "script {file}: rateing: unknown key"),
        (["--config", "nowhere.yml"], "nowhere.yml: No such file or directory"),
        (["--faults", "nowhere"], "fault plan 'nowhere': use calm, crash, deploy, flaky, storm or a YAML file"),
        (["--opponent", "engine3:no-such-engine"], "engine3:no-such-engine: program 'no-such-engine' not found"),
        (["--opponent", "engine:'"], "No closing quotation in the command"),
    ],
)
def test_what_is_wrong_is_reported_with_the_file_and_the_key(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.yml"
    file.write_text("rateing: 1\n", encoding="utf-8")
    assert main([argument.format(file=file) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told.format(file=file) in captured.err
    assert len(captured.err.splitlines()) == 1
