"""The file of a network: an .npz archive of integers, written by the trainer and read by the engine.

feature_weights  int16 [king buckets * 768, width]         times QA
feature_bias     int16 [width]                             times QA
hidden_weights   int16 [OUTPUT_BUCKETS, HIDDEN, width]     times QB, within +-127: the side to move, then its opponent
hidden_bias      int32 [OUTPUT_BUCKETS, HIDDEN]            times ONE
output_weights   int16 [OUTPUT_BUCKETS, 2 * (HIDDEN - 1)]  times QO: of the clipped neurons, then of the squared ones
output_bias      int32 [OUTPUT_BUCKETS]                    times ONE * QO
meta             text: the fields of NetworkMeta as JSON

A side's features have the weights of its king's bucket (`layout.king_views`), and a position the second layer of its
number of pieces (`layout.output_bucket`). In real numbers:

accumulator = feature_bias + sum of feature_weights over the active features of one perspective
products = clip(first half of the accumulator, 0, 1) * clip(second half, 0, 1), of the side to move and of its opponent
hidden = hidden_bias + hidden_weights @ products
output = output_bias + sum of output_weights * (clip(h, 0, 1), min(h * h, 1)) over all hidden h but the last
         + the last hidden
centipawns for the side to move = output * SCALE
"""

import json
import zipfile
import zlib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

FORMAT: Final = 4
FEATURES: Final = 768
OUTPUT_BUCKETS: Final = 8
KING_BUCKETS: Final = (1, 4, 8)
"""How many sets of feature weights a network may have."""
QA: Final = 255
QB: Final = 64
QO: Final = 4096
ONE: Final = 1016
"""A hidden neuron's 1 in integers: (QA * QA / 4) * QB / 1024, rounded."""
HIDDEN: Final = 8
"""Neurons of the second layer for each output bucket; the last one goes to the output as it is."""
SCALE: Final = 400
MAX_HIDDEN_WEIGHT: Final = 127
MAX_OUTPUT_WEIGHT: Final = 8191
"""These bounds keep the sums of the inference within 32 bits."""

_UNREADABLE: Final = (
    *(OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error),
    *(
        MemoryError,
        NotImplementedError,
        RuntimeError,
    ),  # an archive that seems to be compressed in a strange way, or encrypted
    *(AttributeError, TypeError),  # a single array
)


class NetworkFileError(ValueError):
    """A file that does not hold a usable network; the message names the file and what to do."""


@dataclass(frozen=True, slots=True)
class NetworkMeta:
    """What a network says of itself; `mirrored` is horizontal mirroring, the last three fields its quantisation."""

    name: str
    width: int
    mirrored: bool
    data: str = ""
    seed: int = 0
    generation: int = 0
    king_buckets: int = 1
    format: int = FORMAT
    scale: int = SCALE
    qa: int = QA
    qb: int = QB

    @property
    def shape(self) -> tuple[int, bool, int]:
        """Width, mirroring and king buckets: parameters of networks that have these in common mean the same."""
        return self.width, self.mirrored, self.king_buckets


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network in integers; shapes and units as in the file."""

    feature_weights: NDArray[np.int16]
    feature_bias: NDArray[np.int16]
    hidden_weights: NDArray[np.int16]
    hidden_bias: NDArray[np.int32]
    output_weights: NDArray[np.int16]
    output_bias: NDArray[np.int32]
    meta: NetworkMeta


ARRAYS: Final = tuple(field.name for field in fields(Network) if field.name != "meta")


def write_network(path: Path, network: Network) -> None:
    """Write a network; the file is replaced as a whole."""
    _check(path, network)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.savez_compressed(
            stream,
            feature_weights=network.feature_weights,
            feature_bias=network.feature_bias,
            hidden_weights=network.hidden_weights,
            hidden_bias=network.hidden_bias,
            output_weights=network.output_weights,
            output_bias=network.output_bias,
            meta=np.array(json.dumps(asdict(network.meta))),
        )
    part.replace(path)


def read_network(path: Path) -> Network:
    """Read a network; raises NetworkFileError if the file is absent, damaged, or of another format."""
    if path.exists() and not path.is_file():  # opening a named pipe would wait for a writer
        raise NetworkFileError(f"{path}: not a regular file; give the path of an .npz network")
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except FileNotFoundError as error:
        raise NetworkFileError(f"{path}: no such network file; give the path of an .npz network") from error
    except _UNREADABLE as error:
        raise _damaged(path, f"cannot be read as an .npz archive ({error})") from error
    try:
        meta = _meta(path, str(arrays["meta"]))
        network = Network(**{name: np.ascontiguousarray(arrays[name]) for name in ARRAYS}, meta=meta)
    except KeyError as error:
        raise _damaged(path, f"holds no {error}") from error
    except (TypeError, json.JSONDecodeError) as error:
        raise _damaged(path, str(error)) from error
    _check(path, network)
    return network


def _meta(path: Path, text: str) -> NetworkMeta:
    values: dict[str, Any] = dict(json.loads(text))
    found = values.get("format")
    if found != FORMAT:
        raise NetworkFileError(
            f"{path}: network of format {found}, this engine reads {FORMAT}; take a network made for it"
        )
    return NetworkMeta(**{field.name: values[field.name] for field in fields(NetworkMeta)})


def _check(path: Path, network: Network) -> None:
    """Raise NetworkFileError unless types, shapes, bounds and quantisation are those of the format."""
    meta = network.meta
    if meta.width % 2:
        raise _damaged(path, f"{meta.width} neurons, should be an even number")
    if meta.king_buckets not in KING_BUCKETS:
        raise _damaged(path, f"{meta.king_buckets} king buckets, should be one of {KING_BUCKETS}")
    wanted = {
        "feature_weights": (np.int16, (meta.king_buckets * FEATURES, meta.width)),
        "feature_bias": (np.int16, (meta.width,)),
        "hidden_weights": (np.int16, (OUTPUT_BUCKETS, HIDDEN, meta.width)),
        "hidden_bias": (np.int32, (OUTPUT_BUCKETS, HIDDEN)),
        "output_weights": (np.int16, (OUTPUT_BUCKETS, 2 * (HIDDEN - 1))),
        "output_bias": (np.int32, (OUTPUT_BUCKETS,)),
    }
    for name, (kind, shape) in wanted.items():
        array = getattr(network, name)
        if array.dtype != kind or array.shape != shape:
            raise _damaged(path, f"{name} is {array.dtype} {array.shape}, should be {np.dtype(kind)} {shape}")
    if (meta.qa, meta.qb, meta.scale) != (QA, QB, SCALE):
        raise _damaged(path, f"quantised by {meta.qa}/{meta.qb}/{meta.scale}, should be {QA}/{QB}/{SCALE}")
    for name, most in (("hidden_weights", MAX_HIDDEN_WEIGHT), ("output_weights", MAX_OUTPUT_WEIGHT)):
        if np.abs(getattr(network, name).astype(np.int32)).max(initial=0) > most:
            raise _damaged(path, f"{name} has one beyond {most}")


def _damaged(path: Path, problem: str) -> NetworkFileError:
    return NetworkFileError(f"{path}: {problem}; train or fetch the network again")
