"""The league in the terminal: a live table while it runs, then crosstable, faults and the file."""

from __future__ import annotations

from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bot.lab.league.league import LeagueState
from bot.lab.league.league_file import Played
from bot.lab.league.table import Row

#: The columns of the table, in the terminal and on the page.
COLUMNS = ("#", "engine", "Elo", "±", "points", "games", "+", "=", "-", "forfeit", "faults")
_REFRESH_PER_S = 2
_MOST_NAME = 24  # characters of a name that are always shown
_MOST_FAULTS = 5  # of one player are listed


class View:
    """Shows a league; without a terminal a line a game."""

    def __init__(self, console: Console, state: LeagueState) -> None:
        self._console, self._state = console, state
        self._live: Live | None = None
        if console.is_terminal:
            self._live = Live(
                console=console, get_renderable=self._picture, refresh_per_second=_REFRESH_PER_S, transient=True
            )

    def __enter__(self) -> View:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def _picture(self) -> Group:
        """Return the table as it stands. Called on the thread of the live display."""
        running = [
            f"round {number}: {white} - {black}, move {board.fullmove_number}"
            for (number, white, black), board in self._state.running()
        ]
        progress = f"{len(self._state.games)} of {self._state.total} games; Ctrl-C stops, the same command continues"
        return Group(standings(self._state.rows()), *map(Text, running), Text(progress))

    def ended(self, game: Played) -> None:
        """Report a game."""
        if not self._live:
            count = f"{len(self._state.games)} of {self._state.total}"
            self._console.print(
                f"{count}  {game.white} - {game.black}  {game.result}  {game.termination}", markup=False
            )

    def summary(self) -> None:
        """Print the final tables."""
        rows = self._state.rows()
        self._console.print(standings(rows), crosstable(rows))
        for line in fault_lines(rows, list(self._state.games)):
            self._console.print(line, markup=False, soft_wrap=True)


def cells(place: int, row: Row) -> tuple[str, ...]:
    """Return a row of the table, a text for each column. A player without a game has no rating."""
    elo, error = (f"{row.elo:.0f}", f"{row.error:.0f}") if row.games else ("", "")
    counts = (row.games, row.wins, row.draws, row.losses, row.forfeits or "", row.faults or "")
    return str(place), row.name, elo, error, f"{row.points:g}", *map(str, counts)


def standings(rows: list[Row]) -> Table:
    """Return the table with ratings."""
    found = Table(*COLUMNS, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in (*found.columns[:1], *found.columns[2:]):
        column.justify = "right"
    found.columns[1].no_wrap = True
    found.columns[1].min_width = max((min(_MOST_NAME, len(row.name)) for row in rows), default=0)
    for place, row in enumerate(rows, 1):
        found.add_row(*cells(place, row))
    return found


def crosstable(rows: list[Row]) -> Table:
    """Return the points of each player against each other."""
    found = Table(
        "",
        *(str(place) for place in range(1, len(rows) + 1)),
        title="points / games against",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    for place, row in enumerate(rows, 1):
        results = [row.against.get(other.name) for other in rows]
        found.add_row(f"{place} {row.name}", *(f"{one[0]:g}/{one[1]}" if one else "" for one in results))
    return found


def fault_lines(rows: list[Row], games: list[Played]) -> list[str]:
    """Return the forfeits and faults of each player with their reasons, the same ones once."""
    lines = []
    for row in rows:
        reasons: Counter[str] = Counter()
        for game in games:
            if row.name in (game.white, game.black) and game.forfeited(row.name):
                reasons[f"lost by {game.termination}"] += 1
            reasons.update(game.faults.get(row.name, ()))
        listed = list(reasons.items())
        for reason, count in listed[:_MOST_FAULTS]:
            lines.append(f"{row.name}: {reason}" + (f" ({count} times)" if count > 1 else ""))
        if len(listed) > _MOST_FAULTS:
            lines.append(f"{row.name}: {len(listed) - _MOST_FAULTS} other faults; the PGN has them all")
    return lines
