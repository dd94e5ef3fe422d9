"""The listener under restarts: every client that knocks is answered or refused, none is left waiting."""

from __future__ import annotations

import threading

import requests

from bot.fake_lichess import FakeLichess

RESTARTS, CLIENTS = 15, 4


def test_no_client_is_left_waiting_when_the_server_closes(fake: FakeLichess) -> None:
    done = threading.Event()
    waited: list[str] = []
    answered: list[int] = []

    def knock() -> None:
        while not done.is_set():
            try:
                answered.append(requests.get(fake.url + "/api/bot/online", timeout=60).status_code)
            except requests.ReadTimeout as error:
                waited.append(str(error))
            except requests.ConnectionError:
                done.wait(0.002)

    threads = [threading.Thread(target=knock) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for _ in range(RESTARTS):
        fake.restart(down_s=0.01)
    before = len(answered)
    fake.wait_for(lambda: len(answered) > before, what="an answer after the last restart")
    done.set()
    for thread in threads:
        thread.join(120)
    assert waited == []
    assert set(answered) == {200}
