"""The socket of `bot88 ctl` where the configuration says nothing about it."""

from __future__ import annotations

from bot.settings import parse_settings


def test_a_bot_can_be_told_what_to_do_unless_it_is_switched_off() -> None:
    control = parse_settings("{}", "f.yml").control
    assert (control.enabled, control.socket) == (True, None)
    assert not parse_settings("control: {enabled: false}", "f.yml").control.enabled
