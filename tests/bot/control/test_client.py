"""Finding the bot and bringing its answer back; each failure is one line with the remedy."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bot.control import client, wire
from bot.control.client import find_bot, send
from bot.control.command_list import CommandError
from bot.control.server import AlreadyListening, ControlServer
from bot.settings import Settings
from tests.bot.control.test_server import echo


def test_nobody_runs(tmp_path: Path) -> None:
    settings = Settings.model_validate({"control": {"socket": tmp_path / "bot.sock"}})
    with pytest.raises(CommandError, match=r"no bot is running at .*bot\.sock; start one with `bot88 run`"):
        find_bot(settings, {})
    with pytest.raises(CommandError, match="start one with `bot88 run`"):
        send(("status",), tmp_path / "bot.sock")
    with pytest.raises(CommandError, match="no bot is running for this configuration"):
        find_bot(Settings(), {"XDG_STATE_HOME": str(tmp_path)})


def test_it_is_switched_off() -> None:
    with pytest.raises(CommandError, match=r"control\.enabled: false"):
        find_bot(Settings.model_validate({"control": {"enabled": False}}), {})


def test_without_a_store_the_only_one_that_lives_is_found(tmp_path: Path) -> None:
    environ, folder = {"XDG_STATE_HOME": str(tmp_path)}, tmp_path / "bot88"
    with ExitStack() as stack:
        for number in (1, 2):
            server = ControlServer(folder / f"{number}.sock", echo)
            server.start()
            stack.callback(server.close)
            if number == 1:
                with closing(socket.socket(socket.AF_UNIX)) as dead:
                    dead.bind(str(folder / "0.sock"))
                assert find_bot(Settings(), environ) == folder / "1.sock"
        with pytest.raises(CommandError, match=r"several bots run: .*1\.sock, .*2\.sock; name one with --socket"):
            find_bot(Settings(), environ)


def test_a_socket_of_another_user_is_there_and_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_path: Path, **_how: bool) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(wire, "connect", forbidden)
    monkeypatch.setattr(client, "connect", forbidden)
    settings = Settings.model_validate({"control": {"socket": tmp_path / "bot.sock"}})
    assert find_bot(settings, {}) == tmp_path / "bot.sock"
    with pytest.raises(CommandError, match=r"bot\.sock: only the user that runs the bot may give it commands"):
        send(("status",), tmp_path / "bot.sock")
    with pytest.raises(AlreadyListening):
        ControlServer(tmp_path / "bot.sock", echo).start()


def test_a_bot_that_does_not_answer_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "ANSWER_S", 0.05)
    with closing(socket.socket(socket.AF_UNIX)) as silent:
        silent.bind(str(tmp_path / "bot.sock"))
        silent.listen()
        with pytest.raises(CommandError, match="did not answer within 0 s; look at its log"):
            send(("status",), tmp_path / "bot.sock")


def test_a_bot_that_ends_before_it_answers(tmp_path: Path) -> None:
    path = tmp_path / "bot.sock"
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(path))
        listener.listen()

        def hang_up() -> None:
            connection, _address = listener.accept()
            connection.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(CommandError, match="ended before it answered"):
            send(("status",), path)
        thread.join()
