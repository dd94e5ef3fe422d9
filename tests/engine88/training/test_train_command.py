"""`python -m engine88.training train`: a network, a report and a curve from a file of games."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

from engine88.evaluation.network.loaded_network import network_file
from engine88.evaluation.network.network_file import read_network
from engine88.training import train_command
from engine88.training.__main__ import main
from engine88.training.game_file import game_bytes
from engine88.training.network_trainer import train_report as loss_curve
from engine88.training.network_trainer.checkpoint import Epoch
from engine88.training.positions import Filter, load_data, write_samples
from tests.engine88.evaluation.network.made_networks import score_of
from tests.engine88.training.random_games import random_game

BOARD = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


@pytest.fixture(name="games", scope="module")
def _games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "random.games"
    path.write_bytes(b"".join(game_bytes(random_game(seed)) for seed in range(60)))
    return path


def arguments(games: Path, out: Path, *more: str) -> list[str]:
    small = ["--width", "8", "--epochs", "2", "--batch", "256", "--held-out", "0.2", "--seed", "3"]
    return ["train", str(games), "--out", str(out), *small, *more]


@pytest.mark.slow
def test_a_network_and_its_report_are_written(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loss_curve, "draw_losses", lambda *_: True)
    out = tmp_path / "nets" / "tiny.npz"
    assert main(arguments(games, out, "--generation", "4", "--no-mirroring")) == 0
    network = read_network(out)
    meta = network.meta
    assert (meta.name, meta.width, meta.mirrored, meta.seed, meta.generation) == ("tiny", 8, False, 3, 4)
    assert abs(score_of(network, chess.Board())) < 2000
    report = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert report["files"][0]["name"] == "random.games"
    assert report["files"][0]["games"] == 60
    assert [epoch["number"] for epoch in report["epochs"]] == [1, 2]
    assert report["batch"] == 256
    assert report["setup"]["settings"]["seed"] == 3
    assert report["training_positions"] + report["held_out_positions"] + report["duplicates"] > 500
    assert 0 < report["quality"]["loss"] < 1
    page = out.with_suffix(".md").read_text(encoding="utf-8")
    assert "# Network tiny (generation 4)" in page
    assert "| random.games | 60 |" in page
    told = capsys.readouterr().err
    assert "60 games" in told
    assert f"a constant: {report['quality']['constant_loss']:.6f}" in told


def test_the_same_command_makes_the_same_network(games: Path, tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        assert main(arguments(games, tmp_path / name, "--name", "same")) == 0
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_same_command_continues_a_training_that_was_stopped(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "a.npz", tmp_path / "b.npz"
    assert main(arguments(games, whole, "--name", "same")) == 0

    def stop(epoch: Epoch) -> None:
        if epoch.number == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(train_command, "_tell_epoch", stop)
        assert main(arguments(games, stopped, "--name", "same")) == 130
    assert "train: stopped; run the same command to continue" in capsys.readouterr().err
    assert main(arguments(games, stopped, "--name", "same")) == 0
    assert "epoch 1: " in capsys.readouterr().err
    assert stopped.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("*checkpoint*"))


def test_a_network_is_a_start(games: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    assert main(arguments(games, first)) == 0
    assert main(arguments(games, second, "--start", str(first), "--rate", "1e-9", "--last-rate", "1e-9")) == 0
    assert abs(score_of(read_network(first), BOARD) - score_of(read_network(second), BOARD)) < 1


def test_samples_are_learnt_together_with_the_games(games: Path, tmp_path: Path) -> None:
    others, mixed = tmp_path / "other.games", tmp_path / "other.npy"
    others.write_bytes(b"".join(game_bytes(random_game(seed)) for seed in range(100, 110)))
    samples = load_data([others], Filter()).training
    write_samples(mixed, samples)
    positions = {}
    for name, more in (("alone", ()), ("mixed", ("--mix", str(mixed)))):
        out = tmp_path / f"{name}.npz"
        assert main(arguments(games, out, "--epochs", "1", *more)) == 0
        positions[name] = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["training_positions"]
    assert positions["mixed"] == positions["alone"] + len(samples) > positions["alone"] + 100


def test_the_network_of_the_engine_is_a_start(games: Path, tmp_path: Path) -> None:
    default = read_network(network_file("default"))
    out, meta = tmp_path / "a.npz", default.meta
    alike = ("--width", str(meta.width), "--king-buckets", str(meta.king_buckets), "--start", "default")
    assert main(arguments(games, out, *alike, "--epochs", "1", "--rate", "1e-9", "--last-rate", "1e-9")) == 0
    assert abs(score_of(default, BOARD) - score_of(read_network(out), BOARD)) < 1


@pytest.mark.parametrize("option", [("--width", "6"), ("--king-buckets", "1"), ("--no-mirroring",)])
def test_a_start_that_does_not_fit(
    option: tuple[str, ...], games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(games, tmp_path / "a.npz", "--king-buckets", "4")) == 0
    capsys.readouterr()
    start = str(tmp_path / "a.npz")
    assert main(arguments(games, tmp_path / "b.npz", "--king-buckets", "4", "--start", start, *option)) == 1
    said = capsys.readouterr().err
    assert "a.npz: width 8, mirrored, 4 king buckets; start from a network like the new one" in said


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(tmp_path / "gone.games", tmp_path / "a.npz")) == 1
    assert "gone.games" in capsys.readouterr().err


def test_garbage_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.games"
    bad.write_bytes(b"x" * 500)
    assert main(arguments(bad, tmp_path / "a.npz")) == 1
    assert capsys.readouterr().err.startswith(f"train: {bad}: no game at byte 0")


@pytest.mark.parametrize("share", ["-0.1", "1", "1.5"])
def test_a_share_that_leaves_no_score_is_one_line(
    share: str, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(games, tmp_path / "a.npz", "--td-lambda", share)) == 1
    assert capsys.readouterr().err == f"train: --td-lambda must be from 0 to below 1, not {share}\n"


@pytest.mark.parametrize("power", ["0.9", "3.1"])
def test_a_power_beyond_its_range_is_one_line(
    power: str, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(games, tmp_path / "a.npz", "--power", power)) == 1
    assert capsys.readouterr().err == f"train: --power must be from 1 to 3, not {power}\n"


def test_an_odd_width_is_one_line(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(games, tmp_path / "a.npz", "--width", "7")) == 1
    assert capsys.readouterr().err == "train: --width must be even, not 7: neurons are multiplied in pairs\n"


def test_the_power_changes_what_is_learnt(games: Path, tmp_path: Path) -> None:
    weights = set()
    for power in ("1", "2"):
        out = tmp_path / f"{power}.npz"
        assert main(arguments(games, out, "--power", power)) == 0
        weights.add(read_network(out).feature_weights.tobytes())
    assert len(weights) == 2


def test_later_scores_are_learnt_unless_they_are_left_out(games: Path, tmp_path: Path) -> None:
    spread = {}
    for share in ("usual", "0", "0.9"):
        out = tmp_path / f"{share}.npz"
        more = () if share == "usual" else ("--td-lambda", share)
        assert main(arguments(games, out, "--epochs", "1", *more)) == 0
        quality = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))["quality"]
        spread[share] = quality["constant_loss"]
    assert spread["0.9"] < spread["usual"] < spread["0"]  # means of random scores differ less


def test_no_games_are_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.games"
    empty.touch()
    assert main(arguments(empty, tmp_path / "a.npz")) == 1
    assert "too few to train on" in capsys.readouterr().err
