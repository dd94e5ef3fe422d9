"""What is played: fault profiles, and each game of a run drawn from the run's seed and the game's number."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from bot.fake_lichess.faults.fault_plan import FaultPlan, RestartRule, load_plan
from bot.fake_lichess.opponents.script import Act, Script

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
)
#: Clocks of the profile `mixed`: (limit, increment) in seconds, or days.
MIXED_CLOCKS: tuple[tuple[float, float] | int, ...] = ((30, 0), (60, 1), (180, 2), (300, 3), (900, 10), 1, 3)


@dataclass(frozen=True)
class Profile:
    """What goes wrong in a run. Times in seconds; None: never. `mixed`: all speeds instead of one."""

    faults: str
    kill_every_s: float | None = None
    restart_every_s: float | None = None
    mixed: bool = False

    def fault_plan(self) -> FaultPlan:
        """The fake's fault plan, with the profile's restarts instead of the plan's own."""
        plan = load_plan(self.faults)
        if self.restart_every_s is None:
            return plan
        restart = RestartRule(after_s=self.restart_every_s, down_s=2.0, every_s=self.restart_every_s)
        return plan.model_copy(update={"restarts": (restart,)})


PROFILES = {
    "calm": Profile("calm"),
    "flaky": Profile("flaky"),
    "storm": Profile("storm", kill_every_s=60.0, restart_every_s=30.0),
    "mixed": Profile("calm", mixed=True),
}


@dataclass(frozen=True)
class GamePlan:
    """One game: the challenge's terms (see FakeLichess.challenge) and what the opponent does."""

    number: int
    terms: dict[str, Any] = field(default_factory=dict)
    script: Script = field(default_factory=Script)


def plan_game(seed: int, number: int, clock: tuple[float, float], profile: Profile) -> GamePlan:
    """Draw a game; the same seed and number give the same game."""
    rng = random.Random(f"{seed}:{number}")
    terms: dict[str, Any] = {"color": rng.choice(["white", "black"]), "rated": rng.random() < 0.3}
    control = rng.choice(MIXED_CLOCKS) if profile.mixed else clock
    terms |= {"days": control} if isinstance(control, int) else {"clock": control}
    kind = rng.random()
    if kind < 0.1:
        terms |= {"variant": "chess960", "rated": False}
    elif kind < 0.2:
        terms |= {"variant": "fromPosition", "fen": rng.choice(POSITIONS), "rated": False}
    return GamePlan(number, terms, _script(rng))


def _script(rng: random.Random) -> Script:
    acts = []
    if rng.random() < 0.6:
        acts.append(Act(ply=rng.randint(20, 110), do="resign"))
    if rng.random() < 0.3:
        acts.append(Act(ply=rng.randint(4, 60), do="offer_draw"))
    if rng.random() < 0.2:
        acts.append(Act(ply=rng.randint(2, 40), do="chat", text=rng.choice(["!help", "hi", "gl \u202e ☃"])))
    if rng.random() < 0.1:
        acts.append(Act(ply=rng.randint(4, 40), do="offer_takeback"))
    if rng.random() < 0.1:
        ply = rng.randint(4, 40)
        acts += [Act(ply=ply, do="leave"), Act(ply=ply, do="come_back", after_s=rng.uniform(0.5, 3))]
    return Script(
        then=rng.choice(["random", "random", "greedy"]),
        acts=tuple(acts),
        think_s=round(rng.uniform(0.02, 0.6), 3),
        draw=rng.choice(["accept", "decline", "ignore"]),
    )
