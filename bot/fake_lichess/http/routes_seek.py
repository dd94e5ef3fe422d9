"""Seeks over HTTP: ask for a game with any opponent."""

from __future__ import annotations

import re

from .. import errors
from ..errors import ApiError, FormError, check_field
from ..wire.responses import Response, Streaming, Subscriber, streaming
from ..world.challenges import NOT_RATED, Terms, check_rated, is_ratable
from ..world.clocks import TimeControl
from ..world.seeks import Range, Seek
from ..world.variants import is_board_compatible
from .challenge_form import DAYS, read_color, read_variant
from .endpoint import AppState, Spec
from .request import Request, trueish

MAX_MINUTES, MAX_INCREMENT_S = 180, 180
RANGE = re.compile(r"(\d{3,4})-(\d{3,4})")


def read_terms(request: Request, allow_any: bool) -> Terms:
    """Return the terms of a seek: `time` in minutes and `increment` in seconds, or `days`; raises FormError."""
    variant = read_variant(request)
    check_field(variant.key != "fromPosition", "variant")
    terms = Terms(variant, _read_control(request), trueish(request.text("rated", "false")), read_color(request))
    check_field(allow_any or is_board_compatible("lobby", terms.speed), "global", "Invalid time control")
    check_rated(terms)
    check_field(not terms.rated or is_ratable(variant, terms.control), "global", NOT_RATED)
    return terms


def _read_control(request: Request) -> TimeControl:
    days = request.number("days")
    if days is not None:
        check_field(days in DAYS, "days")
        return TimeControl(days=int(days))
    minutes, increment = request.required_number("time"), request.required_number("increment")
    check_field(0 <= minutes <= MAX_MINUTES, "time")
    check_field(0 <= increment <= MAX_INCREMENT_S, "increment")
    check_field(minutes + increment > 0, "time", "Invalid clock")
    return TimeControl(round(minutes * 60_000), round(increment * 1000))


def _read_range(request: Request) -> Range | None:
    text = request.form.get("ratingRange")
    if not text:
        return None
    found = RANGE.fullmatch(text)
    if found is None or int(found[1]) >= int(found[2]):
        raise FormError({"ratingRange": ["Invalid range"]})
    return int(found[1]), int(found[2])


def post_seek(state: AppState, request: Request) -> Response | Streaming:
    """Seek a game: while the stream is open in real time, until it is taken by correspondence."""
    terms = read_terms(request, state.world.config.allow_any_clock)
    ratings = _read_range(request)
    if terms.control.limit_ms is not None:
        if state.world.limiter.enabled and any(
            seek.streamed and seek.account is request.me for seek in state.seeks.seeks
        ):
            raise ApiError(429, errors.TOO_MANY_AT_ONCE.format(most=1))
        return _seeking(state, state.seeks.add(request.me, terms, ratings))
    return Response({"id": state.seeks.add(request.me, terms, ratings).id})


def _seeking(state: AppState, seek: Seek) -> Streaming:
    """Stream empty lines until the seek is taken; withdraw it when the client leaves."""
    streams = state.world.broadcaster.other_streams

    def opened(subscriber: Subscriber) -> None:
        seek.on_end = subscriber.close
        streams.add(subscriber)
        subscriber.on_close += [lambda: streams.discard(subscriber), lambda: state.seeks.cancel(seek)]
        if seek not in state.seeks.seeks:
            subscriber.close()

    return streaming(state.world.config.event_keepalive_s, opened)


SEEK_SPECS = [Spec("seek", "POST", "/api/board/seek", post_seek, ("board:play",), False, stream=True)]
