"""What the bot says."""

from __future__ import annotations

import pytest

from bot.events import ChatLine
from bot.play.chat import HELP, MAX_CHARACTERS, answer_to, fill

FACTS = {"name": "I am bot88.", "eval": "I think I am at +0.30."}


def test_texts_are_filled_unknown_fields_dropped_and_length_kept() -> None:
    assert fill("Hi {opponent}, I am {me}{nothing}.", {"opponent": "Alice", "me": "bot88"}) == "Hi Alice, I am bot88."
    assert len(fill("{x}", {"x": "long " * 100})) == MAX_CHARACTERS


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (ChatLine("alice", "!name"), "I am bot88."),
        (ChatLine("alice", "!HELP me"), HELP),
        (ChatLine("alice", "!eval", "spectator"), "I think I am at +0.30."),
        (ChatLine("alice", "!eval", "player"), "I tell my evaluation to spectators only."),
        (ChatLine("alice", "hello"), None),
        (ChatLine("alice", "!"), None),
        (ChatLine("alice", "!  "), None),
        (ChatLine("alice", "!unknown"), None),
        (ChatLine("BOT88", "!name"), None),
        (ChatLine("lichess", "!name"), None),
    ],
)
def test_commands_of_others_are_answered_and_nothing_else(line: ChatLine, answer: str | None) -> None:
    assert answer_to(line, "bot88", FACTS) == answer
