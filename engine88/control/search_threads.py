"""The resources of a search: the transposition table, one searcher per thread, their workers, the alarm."""

from dataclasses import dataclass, field
from random import Random

from engine88.control.deepening import Searcher
from engine88.control.threads import Alarm, Worker
from engine88.search.tt import TranspositionTable


@dataclass
class SearchThreads:
    """What a search works with.

    One searcher per thread (the first decides), a worker for each helper, table and alarm.
    """

    table: TranspositionTable
    searchers: list[Searcher]
    helpers: list[Worker]
    alarm: Alarm
    random: Random = field(default_factory=Random)
