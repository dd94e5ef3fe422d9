"""Fault plans: closed models of failures, from YAML or from a named profile."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from pydantic import Field, model_validator

from ..config import ClosedModel, read_named

Kind = Literal[
    "delay",
    "silence",
    "cut",
    "reset",
    "garbage",
    "half_line",
    "status",
    "rate_limit",
    "lost_answer",
    "keepalives_only",
    "duplicate",
    "reorder",
    "unknown_event",
]
LimitKind = Literal["bare", "html", "key", "opponent", "retry_after", "polling"]
LINE_KINDS = frozenset(get_args(Kind)) - {"status", "rate_limit", "lost_answer"}
STREAM_ONLY = frozenset({"keepalives_only", "duplicate", "reorder", "unknown_event"})
APPLIED_BY_DEFAULT = frozenset({"garbage", "half_line", "lost_answer"})


class FaultRule(ClosedModel):
    """One kind of failure, with the requests and lines that it hits.

    - Where: `endpoint`, `game` and `account` are shell patterns for the name of the endpoint and for both ids. With
      `at: open` the opening of a stream is hit instead of its lines, before the server sends headers; `status` and
      `rate_limit` always hit the opening.
    - When: from `after_s` seconds after the plan was set, for `for_s` seconds. The first `skip` matching requests or
      lines pass; each later one is hit with probability `chance`, at most `times` times.
    - `applied`: whether the server still does the work. A delayed request does it before the delay if true, else
      after it.
    """

    fault: Kind
    endpoint: str = "*"
    method: Literal["*", "GET", "POST", "DELETE"] = "*"
    game: str = "*"
    account: str = "*"
    at: Literal["open", "line"] = "line"
    after_s: float = Field(default=0.0, ge=0)
    for_s: float | None = Field(default=None, gt=0)
    chance: float = Field(default=1.0, ge=0, le=1)
    skip: int = Field(default=0, ge=0)
    times: int | None = Field(default=None, ge=1)
    delay_s: tuple[float, float] = Field(default=(0.1, 0.5), description="shortest and longest delay")
    status: int = Field(default=502, ge=400, le=599)
    body: Literal["json", "html"] = "html"
    limit: LimitKind = "bare"
    seconds: int = Field(default=60, ge=1, description="ratelimit.seconds or Retry-After")
    applied: bool | None = None

    @model_validator(mode="after")
    def _sensible(self) -> FaultRule:
        if self.delay_s[0] < 0 or self.delay_s[1] < self.delay_s[0]:
            raise ValueError("delay_s is [shortest, longest] in seconds")
        return self

    @property
    def is_applied(self) -> bool:
        """Whether the server still does the work of the request."""
        return self.fault in APPLIED_BY_DEFAULT if self.applied is None else self.applied

    @property
    def hits_opening(self) -> bool:
        """Whether the rule hits the opening of a stream."""
        return self.fault not in STREAM_ONLY and (self.at == "open" or self.fault in ("status", "rate_limit"))


class RestartRule(ClosedModel):
    """The server stops `after_s` seconds after its start for `down_s` seconds, and again every `every_s` seconds.

    A `planned` restart ends the streams properly, as a deployment does; otherwise they are cut. Connections are
    refused meanwhile, or with `status` every request gets that status from the proxy in front of the server.
    """

    after_s: float = Field(gt=0)
    down_s: float = Field(default=1.0, ge=0)
    every_s: float | None = Field(default=None, gt=0)
    planned: bool = False
    status: int | None = Field(default=None, ge=500, le=599)


class FaultPlan(ClosedModel):
    """All failures of a server. The first rule that hits wins."""

    seed: int | None = None
    rules: tuple[FaultRule, ...] = ()
    restarts: tuple[RestartRule, ...] = ()


def load_plan(name: str) -> FaultPlan:
    """Return a packaged plan (calm, flaky, storm, deploy, crash), or that of a YAML file; raises ConfigError."""
    return read_named(name, Path(__file__).parent / "profiles", FaultPlan, "fault plan")
