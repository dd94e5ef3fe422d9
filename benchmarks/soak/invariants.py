"""What must hold of the games and of the log: each invariant is a function from evidence to violations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from benchmarks.soak.evidence import EndedGame, Outage, Post, Records, Stall, Violation

#: How a game may end. `resign` and `outoftime` are looked at further: not by us, not to our loss.
PROPER = frozenset(
    {"mate", "resign", "stalemate", "draw", "outoftime", "variantEnd", "insufficientMaterialClaim", "timeout"}
)
HOPELESS_CLOCK_MS = 10_000
#: So much of a game's time the machine may serve others before its clock says nothing of the bot.
STARVED_SHARE = 0.2
#: A move may be under way when the game ends, and again after a lost answer.
LATE_POST_S = 10.0
SHORTEST_ARCHIVED = 1


def ended_properly(games: Iterable[EndedGame], unfinished: Collection[str] = ()) -> list[Violation]:
    """Every game ended, by the rules of chess, by the opponent's flag or by its resignation."""
    found = [Violation("ended_properly", "did not end", game_id) for game_id in unfinished]
    for game in games:
        if game.status not in PROPER or (game.lost and game.status in ("resign", "timeout")):
            by = "against us" if game.lost else "for us" if game.winner else "without a winner"
            text = f"ended by {game.status} {by} after {len(game.moves)} plies"
            found.append(Violation("ended_properly", text, game.game_id))
    return found


def excuse(game: EndedGame, outages: Iterable[Outage], stalls: Iterable[Stall] = ()) -> str:
    """Why a loss on time is not the bot's, "" where nothing excuses it: a kill, or a machine that served nobody."""
    for outage in outages:
        clock_ms = outage.clocks_ms.get(game.game_id)
        if clock_ms is None:
            continue
        if clock_ms < HOPELESS_CLOCK_MS:
            return f"{clock_ms / 1000:.1f} s on our clock at the kill"
        if outage.ready_s is None or game.ended_s <= outage.ready_s:
            return f"the flag fell {game.ended_s - outage.killed_s:.1f} s after the kill, before the bot was ready"
    held_s = sum(stall.seconds for stall in stalls if game.began_s <= stall.at_s <= game.ended_s)
    lasted_s = game.ended_s - game.began_s
    if held_s > STARVED_SHARE * lasted_s:
        return f"the machine: this run's own loop was held up for {held_s:.0f} of the game's {lasted_s:.0f} s"
    return ""


def not_lost_on_time(
    games: Iterable[EndedGame], outages: Sequence[Outage], stalls: Sequence[Stall] = ()
) -> list[Violation]:
    """No game was lost on time, but for those that a kill or a starved machine excuses."""
    return [
        Violation("not_lost_on_time", f"lost on time after {len(game.moves)} plies", game.game_id)
        for game in games
        if game.status == "outoftime" and game.lost and not excuse(game, outages, stalls)
    ]


def moves_fit(posts: Iterable[Post]) -> list[Violation]:
    """No posted move is illegal or for another position; one that is sent again is the one sent before."""
    return [
        Violation("moves_fit", f"{post.uci} answered {post.status}: {post.verdict}", post.game_id)
        for post in posts
        if post.verdict == "misplaced"
    ]


def silent_after_the_end(posts: Iterable[Post], games: Iterable[EndedGame]) -> list[Violation]:
    """No move is posted once the end of the game can be known."""
    ended_s = {game.game_id: game.ended_s for game in games}
    return [
        Violation("silent_after_the_end", f"{post.uci} {post.at_s - ended_s[post.game_id]:.1f} s later", post.game_id)
        for post in posts
        if post.game_id in ended_s and post.at_s > ended_s[post.game_id] + LATE_POST_S
    ]


def never_above_concurrency(running: Collection[str], concurrency: int) -> list[Violation]:
    """No more games run at once than the configuration allows."""
    if len(running) <= concurrency:
        return []
    return [Violation("never_above_concurrency", f"{len(running)} games run, {concurrency} are allowed")]


def within_limits(refused: Iterable[tuple[str, float]]) -> list[Violation]:
    """The server never had to answer 429 without an injected fault; `refused`: endpoint and time of each answer."""
    counted = Counter(endpoint for endpoint, _at_s in refused)
    return [Violation("within_limits", f"{endpoint} answered 429 {times} times") for endpoint, times in counted.items()]


def kept_once(games: Iterable[EndedGame], records: Records) -> list[Violation]:
    """Store and PGN hold every finished game exactly once, with its result, and nothing else."""
    rows = Counter(row.game_id for row in records.rows)
    kept = {row.game_id: row for row in records.rows}
    found = [Violation("kept_once", "still noted as unfinished", game_id) for game_id in records.unfinished]
    archived = {game.game_id: game for game in games if not _is_left_out(game)}
    for game_id, game in archived.items():
        if rows[game_id] != 1:
            found.append(Violation("kept_once", f"{rows[game_id]} times in the store", game_id))
        elif (kept[game_id].result, kept[game_id].plies) != (game.result, len(game.moves)):
            found.append(Violation("kept_once", f"the store says {kept[game_id]}, the server {game.result}", game_id))
        tags = records.pgn.get(game_id, ())
        if tags != (game.result,):
            found.append(Violation("kept_once", f"in the PGN with results {list(tags)}, not {game.result}", game_id))
    strange = (rows.keys() | records.pgn.keys()) - archived.keys()
    return found + [Violation("kept_once", "kept, but never finished", game_id) for game_id in sorted(strange)]


def _is_left_out(game: EndedGame) -> bool:
    """Whether the archive leaves a game out: aborted with hardly a move."""
    return game.status == "aborted" and len(game.moves) <= SHORTEST_ARCHIVED


def no_secret(token: str, outputs: Iterable[tuple[str, bytes]]) -> list[Violation]:
    """The token is in nothing that the bot wrote; `outputs`: name and content of each file."""
    return [Violation("no_secret", f"the token is in {name}") for name, text in outputs if token.encode() in text]


def no_fault_of_ours(games: Iterable[EndedGame], aborted_by_us: Iterable[str] = ()) -> list[Violation]:
    """No game is lost because we left, and none is aborted by us while it is our turn."""
    by_us = set(aborted_by_us)
    found = []
    for game in games:
        if game.status not in PROPER | {"aborted"} or (game.lost and game.status == "timeout"):
            found.append(Violation("no_fault_of_ours", f"ended by {game.status}", game.game_id))
        if game.status == "aborted" and game.game_id in by_us and game.is_ours(len(game.moves)):
            found.append(Violation("no_fault_of_ours", "aborted by us on our turn", game.game_id))
    return found


def without_running(records: Records, running: Iterable[str]) -> Records:
    """The records without the notes on games that the server still runs."""
    left = tuple(game_id for game_id in records.unfinished if game_id not in set(running))
    return Records(records.rows, left, records.pgn)


def log_is_calm(lines: Iterable[str]) -> list[Violation]:
    """No line of the level error or above, and no control character but the end of a line."""
    found = []
    for line in lines:
        if "[error" in line or "[critical" in line or "fault" in line.split(" ")[:4]:
            found.append(Violation("log_is_calm", line[:200]))
        if any(ord(letter) < 32 and letter != "\t" for letter in line):
            found.append(Violation("log_is_calm", f"a control character in {line[:200]!r}"))
    return found
