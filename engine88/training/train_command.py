"""The command `train`: a network, its report and its loss curve from files of games."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Final

from engine88.evaluation.network.loaded_network import network_file
from engine88.evaluation.network.network_file import KING_BUCKETS, NetworkMeta, read_network, write_network
from engine88.training.network_trainer.checkpoint import Checkpoint, Epoch
from engine88.training.network_trainer.layers import Layers, dequantise, quantise
from engine88.training.network_trainer.train_report import Report, Setup, draw_losses, make_report, write_report
from engine88.training.network_trainer.trainer import Training, TrainingSettings, train
from engine88.training.positions import DataSet, Filter, load_data, total
from engine88.training.selfplay.run_file import reporting, say

TD_LAMBDA: Final = 0.7
"""Of 0 to 0.9 among the labels nearest to a search of 60,000 nodes (docs/experiments/scores-of-later-plies.md)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    usual, wanted = TrainingSettings(), Filter()
    parser.add_argument("games", type=Path, nargs="+", help="files of games")
    parser.add_argument("--out", type=Path, required=True, help="network to write (.npz), with its report next to it")
    parser.add_argument("--name", default="", help="name of the network (default: that of the file)")
    parser.add_argument("--generation", type=int, default=1)
    _add_shape(parser, usual)
    parser.add_argument("--epochs", type=int, default=usual.epochs)
    parser.add_argument("--batch", type=int, default=usual.batch, help="positions in a step (default: 8192, or 16384)")
    parser.add_argument("--rate", type=float, default=usual.learning_rate, help="learning rate at first")
    parser.add_argument("--last-rate", type=float, default=usual.last_rate, help="learning rate in the end")
    parser.add_argument(
        "--td-lambda",
        type=float,
        default=TD_LAMBDA,
        help="share of the label of the next ply in a label; 0: the score alone",
    )
    parser.add_argument("--wdl", type=float, default=usual.wdl, help="share of the result in the label, 0 to 1")
    parser.add_argument(
        "--scale", type=float, default=usual.scale_cp, help="centipawns that turn the odds by a factor of e"
    )
    parser.add_argument("--power", type=float, default=usual.power, help="of the error, whose mean is lowered: 1 to 3")
    parser.add_argument("--decay", type=float, default=usual.decay, help="weight decay")
    parser.add_argument("--min-ply", type=int, default=wanted.min_ply, help="plies of a game that are left out")
    parser.add_argument("--max-score", type=int, default=wanted.max_score_cp, help="largest |score| kept, centipawns")
    parser.add_argument("--held-out", type=float, default=wanted.held_out_share, help="share of the games held out")
    parser.add_argument("--start", type=network_file, help="network of the same shape to start from, or `default`")
    parser.add_argument(
        "--mix", type=Path, nargs="+", default=(), help="files of samples to learn from together with the games"
    )
    parser.add_argument("--threads", type=int, default=usual.threads)
    parser.add_argument("--seed", type=int, default=usual.seed)


def _add_shape(parser: argparse.ArgumentParser, usual: TrainingSettings) -> None:
    parser.add_argument("--width", type=int, default=usual.width, help="neurons for each perspective")
    parser.add_argument("--no-mirroring", action="store_true", help="distinguish the king's wings")
    parser.add_argument(
        "--king-buckets",
        type=int,
        choices=KING_BUCKETS,
        default=usual.king_buckets,
        help="sets of weights, chosen by the place of a side's king",
    )


def run(options: argparse.Namespace) -> int:
    """Train and write what the options say; returns the exit status."""
    return reporting("train", lambda: _train(options))


def _train(options: argparse.Namespace) -> int:
    settings, wanted = _settings(options), _filter(options)
    start = _start(options, settings)
    data = load_data(options.games, wanted, options.mix)
    _tell_data(data)
    checkpoint = _checkpoint(options, len(data.training))
    done = train(data, settings, _tell_epoch, start, checkpoint)
    report = _write(options, data, Setup(wanted, settings, _command()), done)
    checkpoint.path.unlink(missing_ok=True)
    _tell_quality(report)
    return 0


def _checkpoint(options: argparse.Namespace, positions: int) -> Checkpoint:
    """The file beside the network from which the same command continues, if the files of games are the same."""
    path: Path = options.out.with_suffix(".checkpoint.npz")
    path.parent.mkdir(parents=True, exist_ok=True)
    return Checkpoint(path, f"{vars(options)}, {positions} positions")


def _filter(options: argparse.Namespace) -> Filter:
    if not 0 <= options.td_lambda < 1:
        raise ValueError(f"--td-lambda must be from 0 to below 1, not {options.td_lambda:g}")
    return Filter(options.min_ply, options.max_score, options.held_out, options.td_lambda, options.scale)


def _start(options: argparse.Namespace, settings: TrainingSettings) -> Layers | None:
    """The layers of the network to start from, if any."""
    if options.start is None:
        return None
    network = read_network(options.start)
    meta = network.meta
    if meta.shape != (settings.width, settings.mirrored, settings.king_buckets):
        shape = (
            f"width {meta.width}, {'mirrored' if meta.mirrored else 'not mirrored'}, {meta.king_buckets} king buckets"
        )
        raise ValueError(f"{options.start}: {shape}; start from a network like the new one")
    return dequantise(network)


def _settings(options: argparse.Namespace) -> TrainingSettings:
    if options.width % 2:
        raise ValueError(f"--width must be even, not {options.width}: neurons are multiplied in pairs")
    if not 1 <= options.power <= 3:
        raise ValueError(f"--power must be from 1 to 3, not {options.power:g}")
    return TrainingSettings(
        width=options.width,
        mirrored=not options.no_mirroring,
        king_buckets=options.king_buckets,
        epochs=options.epochs,
        batch=options.batch,
        learning_rate=options.rate,
        last_rate=options.last_rate,
        wdl=options.wdl,
        scale_cp=options.scale,
        power=options.power,
        decay=options.decay,
        threads=options.threads,
        seed=options.seed,
    )


def _write(options: argparse.Namespace, data: DataSet, setup: Setup, done: Training) -> Report:
    """Write the network, the report and the curve."""
    out: Path = options.out
    settings = setup.settings
    meta = NetworkMeta(
        name=options.name or out.stem,
        width=settings.width,
        mirrored=settings.mirrored,
        king_buckets=settings.king_buckets,
        data=f"{total(data.files).games} games, {len(data.training)} positions",
        seed=settings.seed,
        generation=options.generation,
    )
    network = quantise(done.layers, meta)
    write_network(out, network)
    report = make_report(network, data, setup, done)
    write_report(report, out)
    if not draw_losses(out.with_suffix(".png"), f"Network {meta.name}", done.epochs):
        say("no picture of the losses: matplotlib is not installed (pip install 'bot88[plots]')")
    return report


def _command() -> str:
    return shlex.join(["python", "-m", "engine88.training", *sys.argv[1:]])


def _tell_data(data: DataSet) -> None:
    every = total(data.files)
    say(
        f"{every.games:,} games, {every.plies:,} plies, {every.positions:,} positions kept, {data.duplicates:,} "
        f"duplicates; {len(data.training):,} to train on, {len(data.held_out):,} held out"
    )


def _tell_epoch(epoch: Epoch) -> None:
    say(
        f"epoch {epoch.number}: loss {epoch.training_loss:.6f}, held out {epoch.held_out_loss:.6f}, "
        f"rate {epoch.learning_rate:.1e}, {epoch.seconds:.1f} s"
    )


def _tell_quality(report: Report) -> None:
    quality = report.quality
    say(
        f"{report.name}: in integers, held out: loss {quality.loss:.6f} "
        f"(a constant: {quality.constant_loss:.6f}), mean |eval| {quality.mean_abs_cp:.0f} cp "
        f"(scores: {quality.mean_abs_score_cp:.0f}), correlation {quality.correlation:.4f}; "
        f"{report.positions_per_s:,.0f} positions/s"
    )
