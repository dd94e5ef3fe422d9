"""The operator's forms."""

from __future__ import annotations

from typing import get_args

from bot.control.commands import parse_command
from bot.dashboard.operator_pages import words_of
from bot.dashboard.pages.operator_forms import CLOCKS, COLORS, VARIANTS, answer_page, controls, sign_in_page, sign_link
from bot.settings import Variant
from tests.bot.dashboard.pages.test_overview import HOSTILE, Reader
from tests.bot.dashboard.pictures import words


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


def test_every_variant_is_offered_but_a_position_of_ones_own() -> None:
    assert {*VARIANTS, "fromPosition"} == set(get_args(Variant))
    assert VARIANTS[0] == "standard"
    shown = controls(paused=False)
    assert "".join(f"<option>{variant}</option>" for variant in VARIANTS) in shown
    assert "".join(f"<option>{color}</option>" for color in COLORS) in shown


def test_why_signing_in_failed_is_said_where_it_did() -> None:
    assert 'role="alert">That is not the password.<' in sign_in_page("That is not the password.")
    assert "alert" not in sign_in_page()


def test_what_a_command_led_to_is_said_with_a_way_back() -> None:
    page = answer_page("paused")
    start, end = page.index("<main"), page.index("</main>")
    assert words(page[start:end]) == "paused Back"


def test_the_buttons_in_words() -> None:
    plain = words(controls(paused=False))
    assert plain.startswith("Pause Challenge Clock Colour random white black Variant standard")
    assert words(controls(paused=True)).startswith("Resume Challenge")
    assert 'title="Take challenges and seek games again"' in controls(paused=True)
    assert 'title="Take no challenges and seek no games"' in controls(paused=False)
