"""The operator's forms."""

from __future__ import annotations

from bot.control.commands import parse_command
from bot.dashboard.operator_pages import words_of
from bot.dashboard.pages.operator_forms import CLOCKS, COLORS, VARIANTS, answer_page, controls, sign_in_page, sign_link
from tests.bot.dashboard.pages.test_overview import HOSTILE, Reader


def test_everything_that_the_form_offers_is_understood() -> None:
    form = {"command": "challenge", "user": "Alice", "rated": "yes"}
    for clock in CLOCKS:
        for color in COLORS:
            for variant in VARIANTS:
                assert parse_command(words_of(form | {"clock": clock, "color": color, "variant": variant})).terms


def test_the_button_undoes_what_is() -> None:
    assert 'value="pause"' in controls(paused=False)
    assert 'value="resume"' not in controls(paused=False)
    assert 'value="resume"' in controls(paused=True)


def test_what_is_typed_stays_when_the_page_is_renewed() -> None:
    assert controls(paused=False).split("data-keep")[1:] != []
    before, after = (controls(paused).split('id="challenge"')[1] for paused in (False, True))
    assert before == after


def test_signing_in_and_out_are_offered_in_turn() -> None:
    assert 'href="/login"' in sign_link(signed_in=False)
    assert 'action="/logout"' in sign_link(signed_in=True)


def test_hostile_texts_stay_texts() -> None:
    assert Reader(sign_in_page(HOSTILE)).tags == Reader(sign_in_page("no")).tags
    assert Reader(answer_page(HOSTILE)).tags == Reader(answer_page("no")).tags
