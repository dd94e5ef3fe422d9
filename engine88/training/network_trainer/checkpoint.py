"""What a training keeps after each epoch, so that the same command continues it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine88.training.network_trainer.descent import Descent


@dataclass(frozen=True, slots=True)
class Epoch:
    """Losses after one pass over the data, the learning rate at its end, its seconds without the measuring."""

    number: int
    training_loss: float
    held_out_loss: float
    learning_rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that is there while a training runs or can be continued; `training` says which one it is."""

    path: Path
    training: str

    def load(self, descent: Descent) -> list[Epoch]:
        """Restore what was kept, if anything; returns the epochs that are done.

        Raises ValueError for a file of another training or one that is damaged.
        """
        if not self.path.exists():
            return []
        try:
            with self.path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
                kept = {name: archive[name] for name in archive.files}
            told: dict[str, Any] = json.loads(str(kept.pop("told")))
            is_other = told["training"] != self.training
        except (EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"{self.path}: no readable checkpoint ({error}); remove it to train from the start"
            ) from error
        if is_other:
            raise ValueError(f"{self.path}: left by another training; remove it, or give another --out")
        descent.restore(kept)
        return [Epoch(**epoch) for epoch in told["epochs"]]

    def save(self, descent: Descent, epochs: Sequence[Epoch]) -> None:
        """Keep the present state; the file is replaced as a whole."""
        told = json.dumps({"training": self.training, "epochs": [asdict(epoch) for epoch in epochs]})
        part = self.path.with_name(self.path.name + ".part")
        with part.open("wb") as stream:
            np.savez(stream, allow_pickle=False, told=np.array(told), **descent.state())
        part.replace(self.path)
