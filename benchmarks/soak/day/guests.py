"""Who comes by in a day: people and bots of many ratings, each with how they play and what they say."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bot.fake_lichess.config import AccountConfig
from bot.fake_lichess.opponents.script import Act, Script

BOT = "bot88"
BLOCKED = "Grumbler"
ARENA_HOST = "Organiser"
PEOPLE = (
    ("Ada_Pawn", None, 812),
    ("beginner-7", None, 940),
    ("Carl", None, 1204),
    ("Daisy", None, 1333),
    ("Eve", None, 1480),
    ("Farid", None, 1561),
    ("Gita", None, 1640),
    ("Henk", None, 1722),
    ("Ines", None, 1790),
    ("Jun", None, 1855),
    ("Kofi", None, 1930),
    ("Lena", None, 2010),
    ("Mikhail", "FM", 2240),
    ("Noor", "WIM", 2185),
    ("Olga", "IM", 2399),
    ("Pavel", "GM", 2588),
)
BOTS = (
    ("TinyBot", 1100),
    ("halfkp", 1650),
    ("RookLift", 1902),
    ("Sicilia", 2044),
    ("MaiaLike", 1510),
    ("DeepPawn", 2720),
)
FRESH = "Newcomer"  # no game yet
NOBODY = "Anonymous"  # plays without an account
ARENA_PLAYERS = ("Arena_Anna", "Arena_Ben", "Arena_Cleo", "Arena_Dan")
LINES = (
    "hi",
    "Good luck",
    "gl hf 😀",
    "!help",
    "!name",
    "!engine",
    "!eval",
    "!queue",
    "!stats",
    "!level easy",
    "!level 1600",
    "!level full",
    "!wait",
    "!rules",
    "what engine are you?",
    "nice \u202etxet desrever\u202c move",
    "bell\x07 and escape \x1b[31mred\x1b[0m",
    "zero\u200bwidth and nul\x00",
    "<b>bold</b> & <script>alert(1)</script>",
    "привет, 你好, שלום",
    "x" * 140,
    "!" + "e" * 60,
)


@dataclass(frozen=True)
class Visitor:
    """An account that may challenge; `kind`: person, titled, bot, newcomer, anonymous, blocked."""

    name: str
    kind: str


def visitors() -> tuple[Visitor, ...]:
    """Everybody who challenges the bot."""
    people = tuple(Visitor(name, "titled" if title else "person") for name, title, _rating in PEOPLE)
    bots = tuple(Visitor(name, "bot") for name, _rating in BOTS)
    return (*people, *bots, Visitor(FRESH, "newcomer"), Visitor(NOBODY, "anonymous"), Visitor(BLOCKED, "blocked"))


def accounts(token: str) -> tuple[AccountConfig, ...]:
    """The server's accounts: the bot with its token, and all who come."""
    others = (FRESH, NOBODY)
    return (
        AccountConfig(name=BOT, title="BOT", rating=1980, token=token),
        *(AccountConfig(name=name, title=title, rating=rating, games=120) for name, title, rating in PEOPLE),
        *(AccountConfig(name=name, title="BOT", rating=rating, games=900) for name, rating in BOTS),
        *(AccountConfig(name=name) for name in others),
        AccountConfig(name=BLOCKED, rating=1777, games=4000),
        AccountConfig(name=ARENA_HOST, rating=1500, games=30),
        *(AccountConfig(name=name, rating=1400 + 150 * i, games=60) for i, name in enumerate(ARENA_PLAYERS)),
    )


def temper(rng: random.Random, speed: str) -> Script:
    """Draw how an opponent plays, what they do and say. `speed`: bullet, blitz, slow or days."""
    slowest_s = {"bullet": 0.5, "blitz": 1.5, "slow": 2.5, "days": 12.0}[speed]
    ply = rng.randint
    acts = [Act(ply=ply(0, 30), do="chat", text=rng.choice(LINES)) for _ in range(rng.choice((0, 0, 1, 1, 2, 4)))]
    if rng.random() < 0.15:
        acts.append(Act(ply=ply(2, 30), do="chat", text=rng.choice(LINES), room="spectator"))
    if rng.random() < 0.4:
        acts += [Act(ply=at, do="offer_draw") for at in (ply(8, 40), ply(42, 80), ply(82, 120))]
    if rng.random() < 0.15:
        acts.append(Act(ply=ply(4, 30), do="offer_takeback"))
    if rng.random() < 0.1:
        acts.append(Act(ply=ply(4, 30), do="give_time"))
    acts += _leaving(rng, speed)
    never_moves = rng.random() < 0.04
    return Script(
        then="idle" if never_moves else "greedy" if rng.random() < 0.7 else "random",
        acts=tuple(acts),
        think_s=round(rng.uniform(0.15, slowest_s), 2),
        draw=rng.choice(("accept", "decline", "ignore")),
        rematch=rng.choice((0, 0, 0, 1, 2)),
    )


def _leaving(rng: random.Random, speed: str) -> list[Act]:
    """How the opponent ends the game or goes away, if they do."""
    what, ply = rng.random(), rng.randint
    if what < 0.2:
        return [Act(ply=ply(16, 60), do="resign")]
    if what < 0.25:
        return [Act(ply=ply(0, 1), do="abort")]
    if what < 0.33:
        at = ply(4, 30)
        return [Act(ply=at, do="leave"), Act(ply=at, do="come_back", after_s=rng.uniform(1, 12))]
    if what < 0.38 and speed in ("blitz", "slow"):  # gone for good
        at = ply(4, 24)
        return [Act(ply=at, do="idle"), Act(ply=at, do="leave", after_s=0.5)]
    if what < 0.44 and speed == "bullet":  # lets the clock run
        return [Act(ply=ply(4, 24), do="idle")]
    return []
