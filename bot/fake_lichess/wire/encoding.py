"""JSON as bytes: whole answers and single lines of a stream."""

from __future__ import annotations

import json


def encode(value: object) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def line(value: object) -> bytes:
    """One ndjson line."""
    return encode(value) + b"\n"
