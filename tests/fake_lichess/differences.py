"""The table of docs/fake-lichess.md: every endpoint of the official description, and how the fake differs.

`python -m tests.fake_lichess.differences` writes it. `official_endpoints.txt` beside this file lists the endpoints of
the description by group; `--list FILE` reads them from the description again.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.fake_lichess.app import all_specs
from bot.fake_lichess.http.endpoint import Spec

DOCUMENT = Path(__file__).parents[2] / "docs" / "fake-lichess.md"
OFFICIAL = Path(__file__).with_name("official_endpoints.txt")
BEGIN, END = "<!-- python -m tests.fake_lichess.differences -->\n", "<!-- end -->\n"
METHODS = ("get", "post", "put", "delete", "head")
NO_ANALYSIS = "no computer analysis (`evals`, `accuracy`, `analysed`), no bookmarks; games that the server remembers"
#: What a client may notice, by the name of the endpoint. The board API differs as the bot API does.
DIFFERENCES = {
    "chat": "near repeats are found by another measure of similarity",
    "claim_victory": "a player is present by streams alone; Lichess also counts the site's socket",
    "claim_draw": "a player is present by streams alone; Lichess also counts the site's socket",
    "account": "no kid mode, patrons or bookmarks",
    "upgrade": "preferences stay; Lichess forbids takebacks and more time",
    "token_test": "tokens do not expire",
    "users_status": "no `streaming`, `signal`, `patron`",
    "user": "no `rank`, patrons or links; a profile has a bio alone",
    "users": "a profile has a bio alone",
    "challenge": "no blocked users, no preferences about who may challenge",
    "challenge_open": "`name` is ignored",
    "challenge_ai": "without `ai_engine` the levels are random and greedy players",
    "seek": "no pools; an account that the server plays takes a seek after three seconds",
    "export": NO_ANALYSIS,
    "export_ids": NO_ANALYSIS,
    "games_of": f"{NO_ANALYSIS}, at most 300 in one answer",
    "current_game": NO_ANALYSIS,
    "arena_games": NO_ANALYSIS,
    "import": "only players, ratings, moves and result are kept",
    "crosstable": "games that the server remembers; no `matchup`",
    "rating_history": "since the start of the server",
    "user_perf": "no `rank` and `percentile`; games that the server remembers",
    "top_tens": "accounts of this server",
    "leaderboard": "accounts of this server",
    "email": "an invented address",
    "preferences": "the defaults; only takebacks can be configured",
    "autocomplete": "no `friend`, `team`, `tour` and `swiss`",
    "arenas": "arenas of this server",
    "arena_create": "no conditions but ratings, bots and membership; no `position`, `rated` variants with any clock",
    "arena_update": "as for the creation",
    "arena": "`verdicts` always accept",
    "teams": "no descriptions, one leader",
    "team": "no description, one leader",
    "explorer_masters": "configured answers, else a Polyglot book; no games",
    "explorer_lichess": "configured answers, else a Polyglot book; no games, speeds and ratings",
    "explorer_player": "games that the server remembers, at once",
    "cloud_eval": "configured answers only",
    "tablebase": "configured answers, else Syzygy files; no `dtm`, `precise_dtz`",
}


def level(path: str) -> str:
    """Return a path template without the names of its fields."""
    return re.sub(r"\{\w+\}", "{}", path)


def official() -> list[tuple[str, str, str]]:
    """Return group, method and path of every official endpoint."""
    rows = [line.split("\t") for line in OFFICIAL.read_text(encoding="utf-8").splitlines()]
    return [(group, method, path) for group, method, path in rows]


def read_description(path: Path) -> Iterator[str]:
    """Yield the lines of the list from the official description."""
    for template, item in json.loads(path.read_text(encoding="utf-8"))["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{item[method]['tags'][0]}\t{method.upper()}\t{template}"


def served() -> dict[tuple[str, str], Spec]:
    """Return the fake's endpoints by method and levelled path."""
    return {(spec.method, level(spec.path)): spec for spec in all_specs()}


def table() -> str:
    """Return the table, group by group: those first of which something is served."""
    specs, groups = served(), dict[str, list[tuple[str, str, Spec | None]]]()
    for group, method, path in official():
        groups.setdefault(group, []).append((method, path, specs.pop((method, level(path)), None)))
    if specs:
        groups["Not in the description"] = [(spec.method, spec.path, spec) for spec in specs.values()]
    lines = ["| request | name | differences |", "|---|---|---|"]
    for group, rows in sorted(groups.items(), key=lambda item: not any(spec for _, _, spec in item[1])):
        lines.append(f"| **{group}** | | |")
        lines += [_row(method, path, spec) for method, path, spec in rows]
    return "\n".join([*lines, ""])


def _row(method: str, path: str, spec: Spec | None) -> str:
    if spec is None:
        return f"| {method} {path} | | not served |"
    differs = DIFFERENCES.get(spec.name, DIFFERENCES.get(spec.name.removeprefix("board_"), ""))
    older = f"also at {spec.old_path}" if spec.old_path else ""
    return f"| {method} {path} | `{spec.name}` | {'; '.join(filter(None, (differs, older)))} |"


def with_table(text: str) -> str:
    """Return the document with the current table."""
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--list"]:
        OFFICIAL.write_text("\n".join([*read_description(Path(sys.argv[2])), ""]), encoding="utf-8")
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
