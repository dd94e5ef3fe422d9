"""Whether the bot is well, from a snapshot."""

from __future__ import annotations

from dataclasses import dataclass

STALE_AFTER_S = 20.0  # Lichess sends a keep-alive every 7 s; almost three are missing


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """Facts about health; `stream_age_s`: since the last line of the account's stream, None before the first."""

    started: bool
    connected: bool
    stream_age_s: float | None
    token_rejected: bool
    token_used_twice: bool
    engine_processes: int
    ending: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """`reasons`: why the bot is unwell, empty when it is well. `ready`: it accepts new games."""

    reasons: tuple[str, ...]
    ready: bool

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.reasons


def assess(facts: HealthFacts, stale_after_s: float = STALE_AFTER_S) -> Health:
    """Judge the facts. A stream that was cut is reopened at once, so only its age makes the bot unwell."""
    if not facts.started:
        return Health(("it is starting",), ready=False)
    age_s = facts.stream_age_s
    reasons = []
    if facts.token_rejected:
        reasons.append("Lichess rejects the token")
    if facts.token_used_twice:
        reasons.append("another program uses the same token")
    if age_s is None:
        reasons.append("the event stream has not been opened yet")
    elif age_s > stale_after_s:
        reasons.append("the event stream is silent")
    if facts.engine_processes == 0:
        reasons.append("no engine answers")
    return Health(tuple(reasons), ready=not reasons and facts.connected and not facts.ending)
