"""The fault injector: decides which request or line a fault hits, and breaks the answer or stream.

A seed reproduces the faults of a game: whether the n-th request or line of a kind is hit depends on the seed, the
number of the game, the account and n, not on what other games and threads do meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from starlette.types import Message, Receive, Send

from .. import errors
from ..wire.listener import reset
from ..wire.responses import KEEP_ALIVE, Response, json_line, send_response
from .fault_plan import LINE_KINDS, STREAM_ONLY, FaultPlan, FaultRule

GARBAGE = b'{"type":"gameState","moves":\x00\xff<html>502</html>\n'
UNKNOWN_EVENT = json_line({"type": "somethingNew", "value": {"nested": [1, 2, 3]}})
HTML_ERROR = (
    "<!DOCTYPE html><html><head><title>{status}</title></head><body><h1>{status}</h1><p>nginx</p></body></html>"
)
REORDER_WAIT_S = 1.0
Fits = Callable[[FaultRule], bool]


@dataclass(frozen=True)
class MatchedRequest:
    """A request, as rules match it."""

    method: str
    endpoint: str
    game_id: str
    account_id: str


EVERYTHING = MatchedRequest("", "", "", "")


@dataclass(frozen=True)
class FaultSeen:
    """A fault that has happened, on the monotonic clock."""

    at_s: float
    kind: str
    target: MatchedRequest


class Faults:
    """Applies a plan: counts matches of its rules and draws from its seed. `seen` has restarts, too."""

    def __init__(self, plan: FaultPlan, seed: int | None = None) -> None:
        self.seen: deque[FaultSeen] = deque(maxlen=10_000)
        self.outage_status: int | None = None
        self.set_plan(plan, seed)

    def set_plan(self, plan: FaultPlan, seed: int | None = None) -> None:
        """Follow another plan from now on, with all counters at zero. The plan's seed wins."""
        self.plan = plan
        self._seed = plan.seed if plan.seed is not None else seed
        self._set_at_s = time.monotonic()
        self._matched = [0] * len(plan.rules)
        self._hit = [0] * len(plan.rules)
        self._games: dict[str, int] = {}
        self._asked: Counter[tuple[object, ...]] = Counter()

    def for_request(self, target: MatchedRequest, *, stream: bool) -> FaultRule | None:
        """Return the rule that hits a request or the opening of a stream, None for no fault."""
        if self.outage_status is not None:
            return FaultRule(fault="status", status=self.outage_status)
        return self._draw(target, lambda rule: rule.hits_opening if stream else rule.fault not in STREAM_ONLY)

    def for_line(self, target: MatchedRequest) -> FaultRule | None:
        """Return the rule that hits one line of a stream, None for no fault."""
        return self._draw(target, lambda rule: rule.at == "line" and rule.fault in LINE_KINDS)

    def note(self, kind: str, target: MatchedRequest = EVERYTHING) -> None:
        """Remember a fault that happens now."""
        self.seen.append(FaultSeen(asyncio.get_running_loop().time(), kind, target))

    def _draw(self, target: MatchedRequest, fits: Fits) -> FaultRule | None:
        if not self.plan.rules:
            return None
        age_s, key = time.monotonic() - self._set_at_s, self._key(target)
        self._asked[key] += 1
        for index, rule in enumerate(self.plan.rules):
            if not (fits(rule) and _matches(rule, target) and _in_time(rule, age_s)):
                continue
            self._matched[index] += 1
            spent = rule.times is not None and self._hit[index] >= rule.times
            if spent or self._matched[index] <= rule.skip or self._random(index, key) >= rule.chance:
                continue
            self._hit[index] += 1
            self.note(rule.fault, target)
            return rule
        return None

    def _key(self, target: MatchedRequest) -> tuple[object, ...]:
        """Return what identifies a target in a repeated run, where games have other ids but the same order."""
        game = self._games.setdefault(target.game_id, len(self._games))
        return target.method, target.endpoint, game, target.account_id

    def _random(self, purpose: object, key: tuple[object, ...]) -> float:
        """Return a number from 0 to 1 for the latest request or line of a target."""
        text = repr((self._seed, purpose, key, self._asked[key]))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) / 2**64

    def delay_s(self, rule: FaultRule, target: MatchedRequest) -> float:
        """Return the length of a delay."""
        shortest, longest = rule.delay_s
        return shortest + (longest - shortest) * self._random("delay", self._key(target))


def _in_time(rule: FaultRule, age_s: float) -> bool:
    return age_s >= rule.after_s and (rule.for_s is None or age_s < rule.after_s + rule.for_s)


def _matches(rule: FaultRule, target: MatchedRequest) -> bool:
    return (
        rule.method in ("*", target.method)
        and fnmatchcase(target.endpoint, rule.endpoint)
        and fnmatchcase(target.game_id, rule.game)
        and fnmatchcase(target.account_id, rule.account)
    )


def refusal(rule: FaultRule, target: MatchedRequest) -> Response:
    """Return the answer of a status or rate-limit fault."""
    if rule.fault == "rate_limit":
        return _too_many(rule, target)
    if rule.body == "json":
        text = errors.NO_SUCH_TOKEN if rule.status == 401 else f"Server error {rule.status}"
        return Response({"error": text}, rule.status)
    return Response(HTML_ERROR.format(status=rule.status).encode(), rule.status, "text/html")


def _too_many(rule: FaultRule, target: MatchedRequest) -> Response:
    if rule.limit == "html":
        return Response(HTML_ERROR.format(status="429 Too Many Requests").encode(), 429, "text/html")
    if rule.limit == "polling":
        return Response({"error": errors.NO_POLLING}, 429)
    if rule.limit in ("key", "opponent"):
        text = errors.BOT_DAY.format(name=target.account_id if rule.limit == "key" else "The opponent", games=100)
        body = {"error": text, "ratelimit": {"key": errors.BOT_DAY_KEY, "seconds": rule.seconds}}
        return Response(body, 429 if rule.limit == "key" else 400)
    headers = ((b"retry-after", str(rule.seconds).encode()),) if rule.limit == "retry_after" else ()
    return Response({"error": errors.TOO_MANY}, 429, headers=headers)


async def wait_for_disconnect(receive: Receive) -> None:
    """Wait until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def client_left_within(delay_s: float, receive: Receive) -> bool:
    """Wait; returns early with True if the client leaves meanwhile."""
    try:
        await asyncio.wait_for(wait_for_disconnect(receive), delay_s)
    except TimeoutError:
        return False
    return True


async def break_response(
    rule: FaultRule,
    target: MatchedRequest,
    answer: Response,
    send: Send,
    receive: Receive,
    transport: asyncio.Transport | None,
) -> None:
    """Answer one request as the rule says instead of with `answer`."""
    if rule.fault in ("status", "rate_limit"):
        await send_response(refusal(rule, target), send)
    elif rule.fault == "garbage":
        await send_response(Response(GARBAGE, media="text/html"), send)
    elif rule.fault == "silence" or transport is None:
        await wait_for_disconnect(receive)
    else:
        if rule.fault == "half_line":
            await _send_half(answer, send)
        reset(transport) if rule.fault == "reset" else transport.close()
        await wait_for_disconnect(receive)


async def _send_half(answer: Response, send: Send) -> None:
    content = answer.content()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": content[: len(content) // 2], "more_body": True})


class FaultySend:
    """Sends the lines of a stream, broken as the rules say."""

    def __init__(self, faults: Faults, target: MatchedRequest, send: Send, transport: asyncio.Transport | None) -> None:
        self.faults, self.target, self.transport = faults, target, transport
        self.silent = False
        self._send = send
        self._broken = False
        self._only_keepalives = False
        self._held: bytes | None = None

    async def __call__(self, message: Message) -> None:
        """Send one ASGI message."""
        if self.silent or self._broken:
            return
        body = message.get("body", b"")
        if message["type"] != "http.response.body" or not body:
            await self._release()
            await self._send(message)
        elif body == KEEP_ALIVE:
            await self._release()
            await self._pass(body)
        else:
            await self._line(body)

    async def _pass(self, body: bytes) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None and not self._only_keepalives:
            await self._pass(held)

    async def _line(self, body: bytes) -> None:
        rule = self.faults.for_line(self.target)
        kind = "none" if rule is None else rule.fault
        if self._only_keepalives:
            return
        if kind == "reorder" and self._held is None:
            self._held = body
            asyncio.get_running_loop().call_later(REORDER_WAIT_S, self._release_later)
        elif kind == "silence":
            self.silent = True
        elif kind == "keepalives_only":
            self._only_keepalives = True
        elif kind in ("cut", "reset", "half_line"):
            await self._break(kind, body)
        else:
            if kind == "delay" and rule is not None:
                await asyncio.sleep(self.faults.delay_s(rule, self.target))
            before = {"garbage": GARBAGE, "unknown_event": UNKNOWN_EVENT, "duplicate": body}.get(kind)
            if before is not None:
                await self._pass(before)
            await self._pass(body)
            await self._release()

    def _release_later(self) -> None:
        if self._held is not None and not (self.silent or self._broken):
            self._task = asyncio.ensure_future(self._release())

    async def _break(self, kind: str, body: bytes) -> None:
        if kind == "half_line":
            await self._pass(body[: len(body) // 2])
        self._broken = True
        if self.transport is not None:
            reset(self.transport) if kind == "reset" else self.transport.close()
