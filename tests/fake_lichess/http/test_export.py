"""What the tags of an export say in rarer games, as lila's PgnDump writes them."""

from __future__ import annotations

import chess

from bot.fake_lichess import FakeLichess
from bot.fake_lichess.world.game_end import GameEnd
from tests.helpers.lichess_client import Client


def test_a_game_by_correspondence_names_its_days_and_no_start_has_a_loser(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=None, days=2)
    assert '[TimeControl "2 days per move"]' in bot.get(f"/game/export/{game_id}").text
    fake.call(lambda: fake.world.games[game_id].finish(GameEnd("noStart", chess.BLACK), fake.world.now_ms()))
    text = bot.get(f"/game/export/{game_id}").text
    assert '[Result "0-1"]' in text
    assert '[Termination "Abandoned"]' in text


def test_who_went_berserk_is_marked(fake: FakeLichess, bot: Client) -> None:
    game_id = fake.start_game("Alice", "bot88", clock=(60, 0))

    def go_berserk() -> None:
        fake.world.games[game_id].players[chess.BLACK].berserk = True

    fake.call(go_berserk)
    text = bot.get(f"/game/export/{game_id}").text
    assert ('[BlackBerserk "true"]\n[Variant ' in text, "WhiteBerserk" in text) == (True, False)
