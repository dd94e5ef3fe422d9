"""Chat: floods and repeats vanish, presets pass."""

from __future__ import annotations

from bot.fake_lichess.world.chat_room import ChatRoom


def test_a_fifth_line_within_ten_seconds_vanishes() -> None:
    room = ChatRoom()
    texts = ("first of all", "now for something else", "third", "what a game this is", "and the fifth thing")
    said = [room.say("bot88", text, "player", at) for at, text in enumerate(texts)]
    assert [line is not None for line in said] == [True, True, True, True, False]
    assert room.say("bot88", "much later then", "player", 10_001) is not None


def test_a_line_like_one_of_the_last_two_vanishes() -> None:
    room = ChatRoom()
    assert room.say("a", "I am a bot, hello there", "player", 0)
    assert room.say("a", "I am a bot, hello there!", "player", 60_000) is None
    assert room.say("b", "I am a bot, hello there", "player", 60_000), "others may say it too"


def test_presets_are_never_dropped() -> None:
    room = ChatRoom()
    assert all(room.say("a", "Good game", "player", at) for at in range(9))
    assert len(room.lines) == 9


def test_empty_lines_are_dropped_and_white_space_is_joined() -> None:
    room = ChatRoom()
    assert room.say("a", " \n\t ", "player", 0) is None
    line = room.say("a", "two\nlines   here", "player", 1)
    assert line is not None
    assert line.text == "two lines here"
