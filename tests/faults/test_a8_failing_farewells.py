"""A8: a fault while a game closes does not keep its slot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.fake_lichess import FakeLichess
from tests.helpers.playing import PlayingBot, resigning_at


def test_a_farewell_that_fails_frees_the_slot(
    fake: FakeLichess, make_bot: Callable[..., PlayingBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.add_account("Shorty", script=resigning_at(6))
    bot = make_bot(fake, conduct={"chat": {"farewell": "Thank you, {opponent}."}})

    def fail(_game_id: str, _room: str, _text: object) -> bool:
        raise RuntimeError("no chat today")

    game_id = fake.challenge("Shorty", bot.name, clock=(60, 0), color="white")
    fake.wait_for_moves(game_id, 4)
    monkeypatch.setattr(bot.chat, "say", fail)
    fake.wait_for_end(game_id)
    bot.finished(game_id)
