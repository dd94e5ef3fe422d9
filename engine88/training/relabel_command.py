"""The command `relabel`: older games with the scores of another network, for the generation after it."""

import argparse
from itertools import islice
from pathlib import Path
from typing import Any

from engine88.compiler.jit import warm_up
from engine88.contract import DEFAULT_NETWORK
from engine88.training.cluster import open_pool
from engine88.training.cluster.pool import in_order
from engine88.training.game_file import game_of, read_games
from engine88.training.selfplay.append import append_games, reporting, summary
from engine88.training.selfplay.progress import say
from engine88.training.selfplay.relabel import OldGame, RelabelSettings, old_games, relabel_task
from engine88.training.selfplay.run_file import RunFileError, engine_of_run, open_run
from engine88.training.selfplay.shared_network import SharedNetwork, share_network


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    usual = RelabelSettings()
    parser.add_argument("out", type=Path, help="file of games to write; one that is there is gone on with")
    parser.add_argument("games", type=Path, nargs="+", help="files of the older games")
    parser.add_argument("--soft", type=int, default=usual.soft_nodes, help="nodes after which no iteration begins")
    parser.add_argument("--hard", type=int, default=usual.hard_nodes, help="nodes that end a search at once")
    parser.add_argument("--network", default=DEFAULT_NETWORK, help="network file, `default`, or `none`")
    open_pool.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Search again what the options name; returns the exit status."""
    return reporting("relabel", lambda: _relabel(options))


def _relabel(options: argparse.Namespace) -> int:
    if not 1 <= options.soft <= options.hard:
        raise ValueError(f"--soft must be from 1 to --hard ({options.hard}), not {options.soft}")
    settings = RelabelSettings(options.soft, options.hard)
    network = share_network(options.network)
    old = list(old_games(options.games))
    if not old:
        raise ValueError(f"no whole game in {', '.join(map(str, options.games))}; name files that `play` wrote")
    warm_up(load=False)
    engine = engine_of_run("engine88.training.selfplay.relabel")
    with open_run(options.out, _made_with(options, settings, network), engine) as file:
        _check_same_games(options.out, old, file.games)
        if file.games < len(old):
            with open_pool.open_pool(options, say) as pool:
                shared = settings, pool.share(network)
                append_games(file, in_order(pool, relabel_task, shared, islice(old, file.games, None)), len(old))
        say(summary(str(options.out), file))
    return 0


def _check_same_games(out: Path, old: list[OldGame], done: int) -> None:
    """Raise RunFileError unless what is in the file so far are the first of the old games."""
    for done_game, old_game in zip(read_games(out), old, strict=False):
        before = game_of(old_game.data)
        if (done_game.fen, done_game.moves.tolist()) != (before.fen, before.moves.tolist()):
            raise RunFileError(f"{out}: made from other games than {old_game.where}; name another file")
    if done > len(old):
        raise RunFileError(f"{out}: holds {done} games, and the older files only {len(old)}; name another file")


def _made_with(options: argparse.Namespace, settings: RelabelSettings, network: SharedNetwork) -> dict[str, Any]:
    """What decides the scores, as it is written beside them."""
    return {
        "games": [path.name for path in options.games],
        "soft_nodes": settings.soft_nodes,
        "hard_nodes": settings.hard_nodes,
        "network": network.name,
        "network_sha256": network.digest,
    }
