"""The forms of the operator: signing in, pausing, challenging."""

from __future__ import annotations

from html import escape
from typing import get_args

from bot.dashboard.pages.layout import document
from bot.settings import Variant

#: What the form offers; the command understands other clocks too.
CLOCKS = ("1+0", "1+1", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "10+5", "15+10", "30+20")
COLORS = ("random", "white", "black")
VARIANTS = tuple(name for name in get_args(Variant) if name != "fromPosition")


def sign_in_page(problem: str = "") -> str:
    """Return the page with the form; `problem`: why the last attempt failed."""
    said = f'<p class="why" role="alert">{escape(problem)}</p>' if problem else ""
    body = (
        '<main id="content"><form class="panel sign-in" method="post" action="/login"><h1>Sign in</h1>'
        '<p class="none">The password is <code>dashboard.password</code> of the configuration.</p>'
        '<label for="password">Password</label>'
        '<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>'
        f'{said}<button type="submit">Sign in</button></form></main>'
    )
    return document("Sign in · bot88", body, style="overview")


def answer_page(text: str) -> str:
    """Return what a command led to, for a browser without JavaScript."""
    body = f'<main id="content"><p class="panel said">{escape(text)}</p><p><a href="/">Back</a></p></main>'
    return document("bot88", body, style="overview")


def sign_link(signed_in: bool) -> str:
    """What stands in the navigation of a dashboard that has a password."""
    if not signed_in:
        return '<a href="/login">Sign in</a>'
    return '<form method="post" action="/logout"><button type="submit" class="quiet">Sign out</button></form>'


def controls(paused: bool) -> str:
    """The buttons for who is signed in. What is typed stays when the page is renewed."""
    name, words = ("resume", "Resume") if paused else ("pause", "Pause")
    told = "Take challenges and seek games again" if paused else "Take no challenges and seek no games"
    clocks = "".join(f'<option value="{clock}">' for clock in CLOCKS)
    return (
        '<section class="panel controls" id="controls" aria-label="Commands">'
        f'<form method="post" action="/command" data-command><input type="hidden" name="command" value="{name}">'
        f'<button type="submit" title="{told}">{words}</button></form>'
        '<form method="post" action="/command" data-command data-keep id="challenge">'
        '<input type="hidden" name="command" value="challenge">'
        '<label>Challenge <input name="user" required maxlength="30" pattern="[A-Za-z0-9_\\-]{2,30}" size="14"'
        ' placeholder="user" autocomplete="off" spellcheck="false"></label>'
        '<label>Clock <input name="clock" required value="3+2" size="6" list="clocks"'
        ' pattern="[0-9.]+\\+[0-9]+"></label>'
        f'<datalist id="clocks">{clocks}</datalist>'
        f"{_choice('Colour', 'color', COLORS)}{_choice('Variant', 'variant', VARIANTS)}"
        '<label class="check"><input type="checkbox" name="rated" value="yes"> rated</label>'
        '<button type="submit">Challenge</button></form>'
        '<p class="said" id="said" role="status" data-keep></p></section>'
    )


def _choice(label: str, name: str, values: tuple[str, ...]) -> str:
    options = "".join(f"<option>{value}</option>" for value in values)
    return f'<label>{label} <select name="{name}">{options}</select></label>'
