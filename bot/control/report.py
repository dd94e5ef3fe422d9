"""The state of the bot, as text for people and as JSON for programs. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from bot.archive.listing import aligned
from bot.dashboard.games import GameView, Side, score_json
from bot.dashboard.picture import Picture
from bot.engine_pool.values import score_text
from bot.events.reading import clean
from bot.play.game_log import clock_text


@dataclass(frozen=True)
class Status:
    """The current picture and the operator's wishes; `slots` is how many games may run at once."""

    picture: Picture
    slots: int
    paused: bool
    ending: bool
    blocked: tuple[str, ...]

    @property
    def state(self) -> str:
        """One word: starting, ending, paused, or playing."""
        if self.ending:
            return "ending"
        return "starting" if not self.picture.account else "paused" if self.paused else "playing"


def status_text(status: Status) -> str:
    """Return the status as a few lines."""
    picture = status.picture
    health = "; ".join(picture.health.reasons) or "well"
    lines = [
        f"{picture.account or 'the bot'} on {picture.server_url}: {_STATES[status.state]}; {health}",
        f"games    {len(picture.games)} running, {_slots_in_words(status)}",
        *(f"         {line}" for line in game_lines(picture.games)),
        f"queue    {len(picture.waiting)} waiting",
        *(f"         {one.challenger}: {one.terms}" for one in picture.waiting),
        f"limits   {limits_in_words(picture)}",
        f"today    {results_in_words(picture)}",
    ]
    if picture.visibility is not None:
        lines.append(f"found    {picture.visibility.in_words()}")
        lines.append(f"         {picture.visibility.remedy(picture.server_url)}")
    if status.blocked:
        lines.append(f"blocked  {', '.join(status.blocked)}")
    if picture.last_error is not None:
        lines.append(f"error    {picture.last_error.event} {clean(picture.last_error.text)}".rstrip())
    return "\n".join(lines)


def status_json(status: Status) -> str:
    """Return the status as one JSON object."""
    picture = status.picture
    found: dict[str, Any] = {
        "state": status.state,
        "paused": status.paused,
        "ending": status.ending,
        "account": picture.account,
        "url": picture.server_url,
        "well": picture.health.well,
        "reasons": list(picture.health.reasons),
        "slots": status.slots,
        "free_slots": picture.free_slots,
        "games": [asdict(game) for game in picture.games],
        "uses": dict(picture.uses),
        "queue": [asdict(one) for one in picture.waiting],
        "limits_s": dict(picture.limits),
        "results_today": picture.results_by_word,
        "visibility": None if picture.visibility is None else asdict(picture.visibility),
        "blocked": list(status.blocked),
        "last_error": None if picture.last_error is None else asdict(picture.last_error),
    }
    return json.dumps(found, ensure_ascii=False, default=score_json)


def games_text(games: tuple[GameView, ...]) -> str:
    """Return the running games, one a line."""
    return "\n".join(game_lines(games)) or "no games are running"


def games_json(games: tuple[GameView, ...]) -> str:
    """Return the running games as a JSON list."""
    return json.dumps([asdict(game) for game in games], ensure_ascii=False, default=score_json)


def game_lines(games: Iterable[GameView]) -> list[str]:
    """Return a line for each game, in columns: id, terms, players with their clocks, last move, our score."""
    rows = [
        (
            game.game_id,
            f"{'rated' if game.rated else 'casual'} {game.speed}"
            + ("" if game.variant == "standard" else f" {game.variant}"),
            _side(game.white),
            "-",
            _side(game.black),
            game.last_move,
            score_text(game.score, game.our_side),
        )
        for game in games
    ]
    return aligned(rows).splitlines()


def clock_in_words(clock_ms: int | None) -> str:
    """Return a clock as people read it, and a dash for no clock."""
    return "-" if clock_ms is None else clock_text(clock_ms)


def limits_in_words(picture: Picture) -> str:
    """Return the rate limits that hold at the moment."""
    closed = [f"{name} for {seconds:.0f} s" for name, seconds in sorted(picture.limits.items())]
    return ", ".join(closed) or "none"


def results_in_words(picture: Picture) -> str:
    """Return how the games of the day (UTC) ended for us."""
    results = picture.results_by_word
    if results is None:
        return "unknown: the store cannot be read"
    return ", ".join(f"{count} {word}" for word, count in results.items())


def _slots_in_words(status: Status) -> str:
    uses = {use: count for use, count in status.picture.uses.items() if count and use in ("accepted", "outgoing")}
    more = "".join(f", {count} {_USES[use]}" for use, count in uses.items())
    parked = status.picture.uses.get("parked", 0)
    waits = "game waits for its opponent" if parked == 1 else "games wait for their opponents"
    more += f", {parked} correspondence {waits}" if parked else ""
    return f"{max(0, status.picture.free_slots)} of {status.slots} slots free{more}"


def _side(side: Side) -> str:
    rating = f" ({side.rating})" if side.rating is not None else ""
    return f"{side.name}{rating} {clock_in_words(side.clock_ms)}{'*' if side.running else ''}"


_STATES = {
    "starting": "starting",
    "playing": "playing",
    "paused": "PAUSED, takes no challenges and seeks no games",
    "ending": "ENDING, takes no challenges",
}
_USES = {"accepted": "about to begin", "outgoing": "challenged"}
