"""The official schemas, closed: no key may appear that they do not name, but for a short list with reasons."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

ROOT = "urn:lichess"
EVENTS = {
    "gameStart": "GameStartEvent",
    "gameFinish": "GameFinishEvent",
    "challenge": "ChallengeEvent",
    "challengeCanceled": "ChallengeCanceledEvent",
    "challengeDeclined": "ChallengeDeclinedEvent",
    "gameFull": "GameFullEvent",
    "gameState": "GameStateEvent",
    "chatLine": "ChatLineEvent",
    "opponentGone": "OpponentGoneEvent",
}
# Paths of the fake that the bundled part of the specification lacks, though Lichess has them.
NOT_IN_THE_BUNDLE = {
    "/api/player",  # likewise ten players in each category
    "/{path:path}",
}
OK_STATUSES = range(200, 300)
# Texts without a fixed set of values: levelled before a line is looked up among those already checked.
FREE_TEXTS = frozenset(
    {"moves", "fen", "lastMove", "gameId", "fullId", "initialFen", "username", "name", "text", "url"}
)
FREE_TEXTS |= {
    "pgn",
    "error",
    "rematch",
    "rematchOf",
    "playing",
    "userId",
    "user",
    "show",
    "declineReason",
    "icon",
    "lm",
}
FREE_TEXTS |= {"scopes", "playingId"}
LEVELLED_ID = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class SentMessage:
    """A response, or a line of a stream: method and path template of its endpoint, status, media type, text."""

    method: str
    template: str
    status: int
    media: str
    text: str


def allowed(value: Any) -> Any:
    """The value without what the server is known to send against its own schemas; each case with its reason."""
    if isinstance(value, list):
        return [allowed(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: allowed(item) for key, item in value.items()}
    if found.get("type") == "gameFull":
        for color in ("white", "black"):  # the computer and anonymous players are sent without id and name
            found[color] = {"id": "nobody", "name": "nobody"} | found[color]
    if isinstance(found.get("players"), dict) and "statusName" not in found:
        for color in ("white", "black"):  # likewise in exports: without user and rating
            found["players"][color] = {"user": {"id": "nobody", "name": "nobody"}, "rating": 0} | found["players"][
                color
            ]
    for game in found.get("nowPlaying", ()):
        game.setdefault("secondsLeft", 0)  # an unlimited game has none
        if game["opponent"]["id"] is None:  # the computer has no id
            game["opponent"]["id"] = "nobody"
    found.pop("lastFen", None)  # likewise: a query field of exports, known without its answer
    found.pop("fullId" if "players" in found else "", None)  # sent to a player of the game
    if isinstance(found.get("playing"), dict):
        found["playing"] = True  # asked for by withGameMetas, likewise without its answer
    found.pop("playingId", None)  # asked for by withGameIds, which the specification knows without its answer
    if found.get("type") == "gameState":
        found.pop("rematch", None)  # sent once a rematch has begun, not in the schema
    if "timeControl" in found and "challenger" in found:
        found.pop("rules", None)  # sent with challenges under special rules, not in the schema
        if found["challenger"] is None and "open" not in found:  # anonymous: null, the schema wants an object
            found["challenger"] = {"id": "anonymous", "name": "Anonymous"}
    if isinstance(found.get("opponent"), dict) and found["opponent"].get("id", "") is None:
        found["opponent"].setdefault("ai", 0)  # an anonymous opponent has neither id nor rating
    if isinstance(found.get("error"), dict):
        for field in found["error"]:  # messages per field instead of one text, and again at the top
            found.pop(field, None)
        found["error"] = "form errors"
    found.pop("ratelimit", None)  # which limit and for how long, beside the error
    return _allowed_of_events(found)


def _allowed_of_events(found: dict[str, Any]) -> dict[str, Any]:
    """Likewise for what belongs to teams and tournaments."""
    if "joinedTeamAt" in found and "username" in found:  # the prose knows `full` members of a team, the schema does not
        return {"id": found["id"], "name": found["username"], "joinedTeamAt": found["joinedTeamAt"]}
    return found


class StrictSchemas:
    """Validators by endpoint and event, closed by unevaluatedProperties."""

    def __init__(self, path: Path) -> None:
        spec = json.loads(path.read_text(encoding="utf-8"))
        closed = {name: _closed(schema) for name, schema in spec["components"]["schemas"].items()}
        self._document = {"components": {"schemas": spec["components"]["schemas"], "closed": closed}}
        self._paths = {re.sub(r"\{\w+\}", "{}", key): item for key, item in spec["paths"].items()}
        resource = Resource.from_contents(self._document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(ROOT, resource)
        self._validators: dict[str, Draft202012Validator] = {}
        self._seen: set[tuple[str, str, int, str]] = set()

    def problems(self, message: SentMessage) -> list[str]:
        """What is wrong with a message; empty for what has been checked before or is in no schema."""
        if message.template in NOT_IN_THE_BUNDLE or message.media in ("text/html", "application/x-chess-pgn"):
            return []
        if message.template == "/player" and '"ultraBullet"' in message.text:
            return []  # the leaderboards at their old address, which the explorer has on another host
        texts = message.text.splitlines() if message.media == "application/x-ndjson" else [message.text]
        return [problem for text in texts if text.strip() for problem in self._check(message, text)]

    def _check(self, message: SentMessage, text: str) -> list[str]:
        try:
            value = json.loads(text)
        except ValueError as error:
            return [f"{message.method} {message.template} {message.status}: not JSON: {error}: {text[:200]}"]
        key = (message.method, message.template, message.status, json.dumps(_levelled(value), sort_keys=True))
        if key in self._seen:
            return []
        self._seen.add(key)
        if isinstance(value, dict) and set(value) == {"done"}:  # the end of a keep-alive challenge, known in prose only
            return []
        validator = self._validator(message, value)
        if validator is None:
            return [f"{message.method} {message.template} {message.status}: no official schema for it"]
        name = f"{message.method} {message.template} {message.status}"
        return [f"{name} {e.json_path}: {e.message} in {text[:300]}" for e in validator.iter_errors(allowed(value))]

    def _validator(self, message: SentMessage, value: Any) -> Draft202012Validator | None:
        if message.status not in OK_STATUSES:
            return self._named("Error")
        if message.template in ("/api/stream/games-by-users", "/api/stream/games/{stream_id}"):
            return self._named("GameStreamGame")
        if message.template == "/api/stream/game/{game_id}":
            value.pop("winner", None)  # sent with the game's last line, not in the schema
            return self._named("MoveStreamEntry")
        if "stream" in message.template and message.method == "GET":
            kind = value.get("type") if isinstance(value, dict) else None
            return self._named(EVENTS[kind]) if kind in EVENTS else None
        return self._response(message)

    def _named(self, name: str) -> Draft202012Validator:
        return self._build(name, {"$ref": f"{ROOT}#/components/closed/{name}"})

    def _response(self, message: SentMessage) -> Draft202012Validator | None:
        path = self._paths.get(re.sub(r"\{\w+\}", "{}", message.template), {})
        response = path.get(message.method.lower(), {}).get("responses", {}).get(str(message.status))
        if response is None:
            return None
        content = response["content"].get(message.media) or next(iter(response["content"].values()))
        return self._build(
            f"{message.method} {message.template} {message.status} {message.media}", _closed(content["schema"])
        )

    def _build(self, name: str, schema: dict[str, Any]) -> Draft202012Validator:
        if name not in self._validators:
            self._validators[name] = Draft202012Validator(schema, registry=self._registry)
        return self._validators[name]


def _levelled(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _levelled(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_levelled(item, key) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int) and key != "id":
        return 0
    if isinstance(value, str) and (key in FREE_TEXTS or (key == "id" and LEVELLED_ID.fullmatch(value))):
        return "x" * len(value) if key == "id" else "x"
    return value


def _closed(schema: Any, *, inside_all_of: bool = False) -> Any:
    """The schema with every object closed; parts of an allOf stay open, their whole is closed."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {"$ref": f"{ROOT}#/components/{'schemas' if inside_all_of else 'closed'}/{name}"}
    found = copy.copy(schema)
    for key in ("properties", "patternProperties"):
        if key in found:
            found[key] = {name: _closed(item) for name, item in found[key].items()}
    for key in ("items", "additionalProperties"):
        if key in found:
            found[key] = _closed(found[key])
    for key in ("oneOf", "anyOf"):
        if key in found:
            found[key] = [_closed(item, inside_all_of=inside_all_of) for item in found[key]]
    if "allOf" in found:
        found["allOf"] = [_closed(item, inside_all_of=True) for item in found["allOf"]]
    has_keys = ("properties" in found and "additionalProperties" not in found) or "allOf" in found
    if has_keys and not inside_all_of:
        found["unevaluatedProperties"] = False
    return found
