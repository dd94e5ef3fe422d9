"""The end of every tool that makes games: results into the file of the run, lines about it, errors as one line."""

from collections.abc import Callable, Iterable

from engine88.training.cluster.pool import PoolError
from engine88.training.selfplay.progress import Progress, say
from engine88.training.selfplay.run_file import RunFile


def append_games(file: RunFile, games: Iterable[bytes], wanted: int) -> None:
    """Append games as they come, and tell how it goes."""
    progress = Progress(wanted)
    for game in games:
        file.append(game)
        if progress.is_due(file.games, file.positions):
            say(f"{progress.line()}; {file.duplicates:,} duplicates")


def summary(name: str, file: RunFile) -> str:
    """What a file of games holds."""
    black, drawn, white = (100 * file.results[result] / max(file.games, 1) for result in range(3))
    return (
        f"{name}: {file.games:,} games, {file.positions:,} positions; White won {white:.0f} %, drawn {drawn:.0f} %, "
        f"Black won {black:.0f} %; {file.duplicates:,} games came twice"
    )


def reporting(command: str, work: Callable[[], int]) -> int:
    """Do the work of a command that can be gone on with; returns its exit status, errors are one line."""
    try:
        return work()
    except (OSError, ValueError, PoolError) as error:
        say(f"{command}: {error}")
        return 1
    except KeyboardInterrupt:
        say(f"{command}: ended; the same command goes on where the file ends")
        return 130
