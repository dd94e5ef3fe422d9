"""B3: while a rated game runs, nobody can ask the bot what it thinks of the position."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.opponents.script import Script
from tests.helpers.playing import PlayingBot
from tests.integration.test_chat import watch


@pytest.mark.parametrize(
    ("rated", "allowed", "answered"),
    [(True, False, False), (True, True, False), (False, False, False), (False, True, True)],
)
def test_spectators_of_a_running_game_get_no_advice_unless_the_owner_allows_it(
    rated: bool, allowed: bool, answered: bool, fake: FakeLichess, make_bot: Callable[..., PlayingBot]
) -> None:
    fake.add_account("Idler", script=Script(moves=("e2e4",), then="idle"))
    make_bot(fake, conduct={"chat": {"advice_in_casual_games": allowed}} if allowed else {})
    game_id = fake.challenge("Idler", "bot88", clock=(600, 0), color="white", rated=rated)
    fake.wait_for_moves(game_id, 2)
    said = len(fake.game(game_id).chat)
    for command in ("!pv", "!eval", "!book", "!name"):
        watch(fake, game_id, "Carol", command)
    fake.wait_for(lambda: any("a bot." in text for _, text, _ in fake.game(game_id).chat), what="the answer to !name")
    answers = [text for user, text, _room in fake.game(game_id).chat[said:] if user == "bot88"]
    advice = [text for text in answers if "for me with" in text or "I expect" in text or "No move of mine" in text]
    assert bool(advice) is answered
