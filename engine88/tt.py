"""The transposition table: buckets of four entries in one cache line, shared by all threads without a lock.

An entry is two words: the data, and the key xor the data. A torn entry (two threads wrote at once) therefore matches
no key. The data word:

    bits  0-15  move, packed to 16 bits: from 6, to 6, kind 4 (0 none)
    bits 16-31  score + 32768        bits 48-55  depth + 1 (0 for a quiescence entry below the horizon)
    bits 32-47  static eval + 32768  bits 56-57  bound,  58 "was on a principal variation",  59-63 generation
"""

import numpy as np

from engine88.defs import MATE_BOUND
from engine88.intrinsics import load_word, prefetch, store_word
from engine88.jit import inlined, kernel
from engine88.memory import aligned_words
from engine88.moves import CAPTURE, EN_PASSANT
from engine88.params import TT_AGE_FACTOR, TT_KEEP_MARGIN

BOUND_NONE = 0
BOUND_UPPER = 1
BOUND_LOWER = 2
BOUND_EXACT = 3
ENTRY_BYTES = 16
BUCKET_ENTRIES = 4
BUCKET_WORDS = BUCKET_ENTRIES * ENTRY_BYTES // 8
GENERATIONS = 32
NO_ENTRY = np.uint64(0)
_U4, _U6, _U8 = np.uint64(4), np.uint64(6), np.uint64(8)
_U16, _U32, _U48, _U56 = np.uint64(16), np.uint64(32), np.uint64(48), np.uint64(56)
_ENTRY = np.uint64(ENTRY_BYTES)
_HALF = 32768
_KIND_EN_PASSANT = 5  # capture (4) and double push (1) never meet, so together they mean en passant


@inlined
def pack_move(move):
    """Return the 16-bit form of a packed move: 6 + 6 bits of squares, 4 of kind (8 and more: promotions)."""
    from_square = move & 0x7F
    to_square = (move >> 7) & 0x7F
    promotion = (move >> 14) & 7
    kind = ((move >> 18) & 7) | ((move >> 17) & 1)
    if promotion:
        kind = 8 | (promotion - 2) | (kind & 4)
    return ((from_square + (from_square & 7)) >> 1) | (((to_square + (to_square & 7)) >> 1) << 6) | (kind << 12)


@inlined
def unpack_move(packed):
    """Return the packed move of its 16-bit form."""
    from_64 = packed & 63
    to_64 = (packed >> 6) & 63
    kind = packed >> 12
    move = (from_64 + (from_64 & 56)) | ((to_64 + (to_64 & 56)) << 7)
    if kind >= 8:
        return move | (((kind & 3) + 2) << 14) | ((kind & 4) << 18)
    if kind == _KIND_EN_PASSANT:
        return move | EN_PASSANT | CAPTURE
    return move | (kind << 18)


@inlined
def bucket_address(base, buckets, key):
    """Return the address of the bucket of `key`: the upper half of the key scaled to the number of buckets."""
    return base + ((((key >> _U32) * buckets) >> _U32) << _U6)


@inlined
def prefetch_bucket(base, buckets, key):
    """Ask for the cache line of `key` before it is needed."""
    prefetch(bucket_address(base, buckets, key))


@kernel
def probe(base, buckets, key):
    """Return the data word stored for `key`, or NO_ENTRY."""
    address = bucket_address(base, buckets, key)
    for _ in range(BUCKET_ENTRIES):
        data = load_word(address + _U8)
        if load_word(address) ^ data == key:
            return data
        address += _ENTRY
    return NO_ENTRY


@inlined
def entry_move(data):
    """Return the move of a data word (it may be of another position: verify it)."""
    return unpack_move(np.int64(data & np.uint64(0xFFFF)))


@inlined
def entry_score(data, ply):
    """Return the score, mates counted from the root again."""
    score = np.int64((data >> _U16) & np.uint64(0xFFFF)) - _HALF
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


@inlined
def entry_static_eval(data):
    """Return the uncorrected static evaluation."""
    return np.int64((data >> _U32) & np.uint64(0xFFFF)) - _HALF


@inlined
def entry_depth(data):
    """Return the depth the score was searched to; -1 below the horizon."""
    return np.int64((data >> _U48) & np.uint64(0xFF)) - 1


@inlined
def entry_bound(data):
    """Return BOUND_NONE, BOUND_UPPER, BOUND_LOWER or BOUND_EXACT (the two bits of the bounds that hold)."""
    return np.int64((data >> _U56) & np.uint64(3))


@inlined
def entry_was_pv(data):
    """Return whether the entry came from a principal variation."""
    return np.int64((data >> np.uint64(58)) & np.uint64(1))


@inlined
def _entry_generation(data):
    return np.int64(data >> np.uint64(59))


@inlined
def _pack_entry(move, score, static_eval, depth, flags):
    low = np.uint64(pack_move(move)) | (np.uint64(score + _HALF) << _U16)
    high = (np.uint64(depth + 1) << _U48) | (np.uint64(flags) << _U56)
    return low | (np.uint64(static_eval + _HALF) << _U32) | high


@kernel
def _victim(base, buckets, key, generation):
    """Return the address of the entry of `key`, or else of the one that is worth least (shallow and old)."""
    address = bucket_address(base, buckets, key)
    best_address, least = address, np.int64(1 << 30)
    for _ in range(BUCKET_ENTRIES):
        data = load_word(address + _U8)
        if load_word(address) ^ data == key:
            return address
        age = (generation - _entry_generation(data)) & (GENERATIONS - 1)
        worth = entry_depth(data) - TT_AGE_FACTOR * age
        if worth < least:
            best_address, least = address, worth
        address += _ENTRY
    return best_address


@kernel
def store(base, buckets, key, generation, move, score, static_eval, depth, bound, was_pv, ply):
    """Store what the search of `key` found; `score` counts mates from the root, the entry from the position."""
    address = _victim(base, buckets, key, generation)
    old = load_word(address + _U8)
    if load_word(address) ^ old == key:
        shallow = depth + TT_KEEP_MARGIN + 2 * was_pv < entry_depth(old)
        if shallow and bound != BOUND_EXACT and _entry_generation(old) == generation:
            return
        if move == 0:
            move = entry_move(old)
    if score >= MATE_BOUND:
        score += ply
    elif score <= -MATE_BOUND:
        score -= ply
    data = _pack_entry(move, score, static_eval, depth, bound | (was_pv << 2) | (generation << 3))
    store_word(address, key ^ data)
    store_word(address + _U8, data)


@kernel
def _used_entries(base, buckets_to_count, generation):
    used = 0
    address = base + _U8
    for _ in range(buckets_to_count * BUCKET_ENTRIES):
        data = load_word(address)
        if data != NO_ENTRY and _entry_generation(data) == generation:
            used += 1
        address += _ENTRY
    return used


class TranspositionTable:
    """`size_mb` megabytes of entries. One table serves all searchers; resizing means a new table."""

    def __init__(self, size_mb: int) -> None:
        """Raise ValueError for a size below one megabyte."""
        if size_mb < 1:
            raise ValueError(f"hash size {size_mb} MB: give at least 1 MB")
        self.size_mb = size_mb
        self.buckets = size_mb * 1024 * 1024 // (BUCKET_WORDS * 8)
        self._words = aligned_words(self.buckets * BUCKET_WORDS)
        self.generation = 0

    @property
    def address(self) -> int:
        """Address of the first bucket."""
        return self._words.address

    def clear(self) -> None:
        """Forget everything."""
        self._words.array.fill(0)
        self.generation = 0

    def new_search(self) -> None:
        """Begin a new generation: older entries are replaced first."""
        self.generation = (self.generation + 1) % GENERATIONS

    def hashfull(self) -> int:
        """Return how full the table is with entries of this generation, in permille of a sample of 250 buckets."""
        sample = min(250, self.buckets)
        used = _used_entries(np.uint64(self.address), np.int64(sample), np.int64(self.generation))
        return int(used) * 1000 // (sample * BUCKET_ENTRIES)
