"""Files of samples: a numpy array of records of `replay.SAMPLE_TYPE`, 32 bytes a position (.npy)."""

from pathlib import Path

import numpy as np

from engine88.training.positions import Samples
from engine88.training.replay import SAMPLE_TYPE


class SampleFileError(ValueError):
    """A file that holds no samples of this version; the message names the file."""


def write_samples(path: Path, samples: Samples) -> None:
    """Write samples; the file is replaced as a whole."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.save(stream, samples, allow_pickle=False)
    part.replace(path)


def read_samples_file(path: Path) -> Samples:
    """Read samples; raises SampleFileError if the file holds something else, OSError if it cannot be read."""
    try:
        samples = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise SampleFileError(f"{path}: no file of samples ({error}); make it again with `children`") from error
    if not isinstance(samples, np.ndarray) or samples.dtype != SAMPLE_TYPE or samples.ndim != 1:
        raise SampleFileError(f"{path}: no samples of this version; make them again with `children`")
    return samples
