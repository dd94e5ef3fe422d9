"""The transposition table: buckets of four entries in one cache line, shared by all threads without a lock.

An entry is two words: the data, and the key xor the data. If two threads write one entry at once, the torn entry
matches no key (Hyatt and Mann 2002, "A lock-less transposition table"; chessprogramming wiki, "Shared Hash Table").
The data word:

    bits  0-15  move, packed to 16 bits: from 6, to 6, kind 4 (0 none)
    bits 16-31  score + 32768        bits 48-55  depth + 1 (0 for a quiescence entry below the horizon)
    bits 32-47  static eval + 32768  bits 56-57  bound,  58 "was on a principal variation",  59-63 generation
"""

import numba

from engine88.board.defs import MATE_BOUND
from engine88.board.moves import CAPTURE, EN_PASSANT
from engine88.board.squares import from_64, to_64
from engine88.compiler.intrinsics import load_word, prefetch, store_word
from engine88.compiler.jit import entry, inlined, int64, kernel, uint64
from engine88.compiler.memory import aligned_words
from engine88.search.params import TT_AGE_FACTOR, TT_KEEP_MARGIN

BOUND_NONE = 0
BOUND_UPPER = 1
BOUND_LOWER = 2
BOUND_EXACT = 3
ENTRY_BYTES = 16
BUCKET_ENTRIES = 4
BUCKET_WORDS = BUCKET_ENTRIES * ENTRY_BYTES // 8
GENERATIONS = 32
NO_ENTRY = uint64(0)
_U4, _U6, _U8 = uint64(4), uint64(6), uint64(8)
_U16, _U32, _U48, _U56 = uint64(16), uint64(32), uint64(48), uint64(56)
_ENTRY = uint64(ENTRY_BYTES)
_HALF = 32768
_KIND_EN_PASSANT = 5  # capture (4) and double push (1) never meet, so together they mean en passant


@inlined
def pack_move(move: int) -> int:
    """Return the 16-bit form of a packed move: 6 + 6 bits of squares, 4 of kind (8 and more: promotions)."""
    from_square = move & 0x7F
    to_square = (move >> 7) & 0x7F
    promotion = (move >> 14) & 7
    kind = ((move >> 18) & 7) | ((move >> 17) & 1)
    if promotion:
        kind = 8 | (promotion - 2) | (kind & 4)
    return to_64(from_square) | (to_64(to_square) << 6) | (kind << 12)


@inlined
def unpack_move(packed: int) -> int:
    """Return the packed move of its 16-bit form."""
    kind = packed >> 12
    move = from_64(packed & 63) | (from_64((packed >> 6) & 63) << 7)
    if kind >= 8:
        return move | (((kind & 3) + 2) << 14) | ((kind & 4) << 18)
    if kind == _KIND_EN_PASSANT:
        return move | EN_PASSANT | CAPTURE
    return move | (kind << 18)


@inlined
def bucket_address(base: int, buckets: int, key: int) -> int:
    """Return the address of the bucket of `key`: the upper half of the key scaled to the number of buckets."""
    return base + ((((key >> _U32) * buckets) >> _U32) << _U6)


@inlined
def prefetch_bucket(base: int, buckets: int, key: int) -> None:
    """Prefetch the cache line of `key`."""
    prefetch(bucket_address(base, buckets, key))


@inlined
def bound_of(score: int, alpha: int, beta: int) -> int:
    """Return which bound a score is that a search with the window alpha..beta returned."""
    if score >= beta:
        return int64(BOUND_LOWER)
    return int64(BOUND_UPPER) if score <= alpha else int64(BOUND_EXACT)


@kernel
def probe(base: int, buckets: int, key: int) -> int:
    """Return the data word stored for `key`, or NO_ENTRY."""
    address = bucket_address(base, buckets, key)
    for _ in range(BUCKET_ENTRIES):
        data = load_word(address + _U8)
        if load_word(address) ^ data == key:
            return uint64(data)
        address += _ENTRY
    return NO_ENTRY


@inlined
def entry_move(data: int) -> int:
    """Return the move of a data word; it may belong to another position, so it must be verified."""
    return unpack_move(int64(data & uint64(0xFFFF)))


@inlined
def entry_score(data: int, ply: int) -> int:
    """Return the score of a data word, with mates counted from the root of the search."""
    score = int64((data >> _U16) & uint64(0xFFFF)) - _HALF
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


@inlined
def entry_static_eval(data: int) -> int:
    """Return the uncorrected static evaluation."""
    return int64((data >> _U32) & uint64(0xFFFF)) - _HALF


@inlined
def entry_depth(data: int) -> int:
    """Return the search depth of the score; -1 below the horizon."""
    return int64((data >> _U48) & uint64(0xFF)) - 1


@inlined
def entry_bound(data: int) -> int:
    """Return BOUND_NONE, BOUND_UPPER, BOUND_LOWER or BOUND_EXACT (the two bits of the bounds that hold)."""
    return int64((data >> _U56) & uint64(3))


@inlined
def entry_is_pv(data: int) -> int:
    """Return 1 if the position was on a principal variation, else 0."""
    return int64((data >> uint64(58)) & uint64(1))


@inlined
def _entry_generation(data: int) -> int:
    return int64(data >> uint64(59))


@inlined
def _pack_entry(move: int, score: int, static_eval: int, depth: int, flags: int) -> int:
    low = uint64(pack_move(move)) | (uint64(score + _HALF) << _U16)
    high = (uint64(depth + 1) << _U48) | (uint64(flags) << _U56)
    return low | (uint64(static_eval + _HALF) << _U32) | high


@kernel
def _victim(base: int, buckets: int, key: int, generation: int) -> int:
    """Return the address of the entry of `key`, or else of the least valuable one (shallow and old)."""
    address = bucket_address(base, buckets, key)
    best_address, least = address, int64(1 << 30)
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
def store(
    base: int,
    buckets: int,
    key: int,
    generation: int,
    move: int,
    score: int,
    static_eval: int,
    depth: int,
    bound: int,
    tt_pv: int,
    ply: int,
) -> None:
    """Store the result of a search of `key`; mate scores are converted from the root to the position."""
    address = _victim(base, buckets, key, generation)
    old = load_word(address + _U8)
    if load_word(address) ^ old == key:
        shallow = depth + TT_KEEP_MARGIN + 2 * tt_pv < entry_depth(old)
        if shallow and bound != BOUND_EXACT and _entry_generation(old) == generation:
            return
        if move == 0:
            move = entry_move(old)
    if score >= MATE_BOUND:
        score += ply
    elif score <= -MATE_BOUND:
        score -= ply
    data = _pack_entry(move, score, static_eval, depth, bound | (tt_pv << 2) | (generation << 3))
    store_word(address, key ^ data)
    store_word(address + _U8, data)


@entry(numba.uint64, numba.int64, numba.int64)
def _used_entries(base: int, buckets_to_count: int, generation: int) -> int:
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
        """Empty the table."""
        self._words.array.fill(0)
        self.generation = 0

    def new_search(self) -> None:
        """Begin a new generation: older entries are replaced first."""
        self.generation = (self.generation + 1) % GENERATIONS

    def hashfull(self) -> int:
        """Return how full the table is with entries of this generation, in permille of a sample of 250 buckets."""
        sample = min(250, self.buckets)
        used = _used_entries(uint64(self.address), int64(sample), int64(self.generation))
        return int(used) * 1000 // (sample * BUCKET_ENTRIES)
