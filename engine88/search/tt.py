"""The transposition table: buckets of four entries in one cache line, shared by all threads without a lock.

An entry is two words: the data, and the key xor the data. If two threads write one entry at once, the torn entry
matches no key (Hyatt and Mann 2002, "A lock-less transposition table"; chessprogramming wiki, "Shared Hash Table").
The data word:

    bits  0-15  move, packed to 16 bits: from 6, to 6, kind 4 (0 none)
    bits 16-31  score + 32768        bits 48-55  depth + 1 (0 for a quiescence entry below the horizon)
    bits 32-47  static eval + 32768  bits 56-57  bound,  58 "was on a principal variation",  59-63 generation
"""

from engine88.board.defs import INFINITE, MATE_BOUND, NO_MOVE
from engine88.board.moves import (
    CAPTURE,
    EN_PASSANT,
    PROMOTION_SHIFT,
    TO_SHIFT,
    from_square,
    promotion,
    to_square,
)
from engine88.board.squares import from_64, to_64
from engine88.compiler.cache_folder import DEBUG
from engine88.compiler.intrinsics import load_word, prefetch, store_word
from engine88.compiler.jit import Unsigned, assertion, entry, inlined, int64, kernel, uint64
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
_ENTRY = uint64(ENTRY_BYTES)
_DATA = uint64(8)
"""Bytes from the start of an entry to its data word."""
_BUCKET_SHIFT = uint64(6)  # a bucket has 64 bytes
_KEY_HALF = uint64(32)
_SCORE_SHIFT, _EVAL_SHIFT, _DEPTH_SHIFT, _BOUND_SHIFT = uint64(16), uint64(32), uint64(48), uint64(56)
_PV_SHIFT, _GENERATION_SHIFT = uint64(58), uint64(59)
_HALF = 32768
"""Added to a signed number of 16 bits to store it without a sign."""

# The packed move: squares 0..63 in the bits 0-5 and 6-11, the kind in the bits 12-15. A kind from 8 on is a promotion,
# with the piece in two bits; capture (4) and double push (1) never meet, so together they mean en passant.
_TO_SHIFT_64, _KIND_SHIFT = 6, 12
_SQUARE_MASK_64 = 63
_FLAGS_SHIFT = 18  # DOUBLE_PUSH, CASTLING and CAPTURE are the bits from here on
_KIND_CAPTURE, _KIND_EN_PASSANT, _KIND_PROMOTION = 4, 5, 8
_PIECE_MASK, _FIRST_PIECE = 3, 2  # pieces that a pawn becomes are 2 (knight) to 5 (queen)


@inlined
def pack_move(move: int) -> int:
    """Return the 16-bit form of a packed move: 6 + 6 bits of squares, 4 of kind (8 and more: promotions)."""
    kind = (move >> _FLAGS_SHIFT) & 7
    if move & EN_PASSANT:
        kind = int64(_KIND_EN_PASSANT)
    piece = promotion(move)
    if piece:
        kind = _KIND_PROMOTION | (piece - _FIRST_PIECE) | (kind & _KIND_CAPTURE)
    return to_64(from_square(move)) | (to_64(to_square(move)) << _TO_SHIFT_64) | (kind << _KIND_SHIFT)


@inlined
def unpack_move(packed: int) -> int:
    """Return the packed move of its 16-bit form."""
    kind = packed >> _KIND_SHIFT
    target = from_64((packed >> _TO_SHIFT_64) & _SQUARE_MASK_64)
    move = from_64(packed & _SQUARE_MASK_64) | (target << TO_SHIFT)
    if kind >= _KIND_PROMOTION:
        piece = (kind & _PIECE_MASK) + _FIRST_PIECE
        return move | (piece << PROMOTION_SHIFT) | ((kind & _KIND_CAPTURE) << _FLAGS_SHIFT)
    if kind == _KIND_EN_PASSANT:
        return move | EN_PASSANT | CAPTURE
    return move | (kind << _FLAGS_SHIFT)


@inlined
def bucket_address(base: Unsigned, buckets: Unsigned, key: Unsigned) -> int:
    """Return the address of the bucket of `key`: the upper half of the key scaled to the number of buckets."""
    return base + ((((key >> _KEY_HALF) * buckets) >> _KEY_HALF) << _BUCKET_SHIFT)


@inlined
def prefetch_bucket(base: Unsigned, buckets: Unsigned, key: Unsigned) -> None:
    """Prefetch the cache line of `key`."""
    prefetch(bucket_address(base, buckets, key))


@inlined
def bound_of(score: int, alpha: int, beta: int) -> int:
    """Return which bound a score is that a search with the window alpha..beta returned."""
    if score >= beta:
        return int64(BOUND_LOWER)
    return int64(BOUND_UPPER) if score <= alpha else int64(BOUND_EXACT)


@kernel
def probe(base: Unsigned, buckets: Unsigned, key: Unsigned) -> int:
    """Return the data word stored for `key`, or NO_ENTRY."""
    address = bucket_address(base, buckets, key)
    for _ in range(BUCKET_ENTRIES):
        data = load_word(address + _DATA)
        if load_word(address) ^ data == key:
            return uint64(data)
        address += _ENTRY
    return NO_ENTRY


@inlined
def _signed(data: Unsigned, shift: Unsigned) -> int:
    """Return the signed number in the 16 bits of a data word from `shift` on."""
    return int64((data >> shift) & uint64(0xFFFF)) - _HALF


@inlined
def entry_move(data: Unsigned) -> int:
    """Return the move of a data word; it may belong to another position, so it must be verified."""
    return unpack_move(int64(data & uint64(0xFFFF)))


@inlined
def entry_score(data: Unsigned, ply: int) -> int:
    """Return the score of a data word, with mates counted from the root of the search."""
    score = _signed(data, _SCORE_SHIFT)
    if score >= MATE_BOUND:
        return score - ply
    if score <= -MATE_BOUND:
        return score + ply
    return score


@inlined
def entry_static_eval(data: Unsigned) -> int:
    """Return the uncorrected static evaluation."""
    return _signed(data, _EVAL_SHIFT)


@inlined
def entry_depth(data: Unsigned) -> int:
    """Return the search depth of the score; -1 below the horizon."""
    return int64((data >> _DEPTH_SHIFT) & uint64(0xFF)) - 1


@inlined
def entry_bound(data: Unsigned) -> int:
    """Return BOUND_NONE, BOUND_UPPER, BOUND_LOWER or BOUND_EXACT (the two bits of the bounds that hold)."""
    return int64((data >> _BOUND_SHIFT) & uint64(3))


@inlined
def entry_is_pv(data: Unsigned) -> int:
    """Return 1 if the position was on a principal variation, else 0."""
    return int64((data >> _PV_SHIFT) & uint64(1))


@inlined
def _entry_generation(data: Unsigned) -> int:
    return int64(data >> _GENERATION_SHIFT)


@inlined
def _pack_entry(move: int, score: int, static_eval: int, depth: int, flags: int) -> int:
    low = uint64(pack_move(move)) | (uint64(score + _HALF) << _SCORE_SHIFT)
    high = (uint64(depth + 1) << _DEPTH_SHIFT) | (uint64(flags) << _BOUND_SHIFT)
    return low | (uint64(static_eval + _HALF) << _EVAL_SHIFT) | high


@assertion
def assert_storable(move: int, score: int, static_eval: int, depth: int, bound: int, tt_pv: int) -> None:
    """Raise AssertionError unless an entry holds these numbers without loss; called under ENGINE88_DEBUG=1 only."""
    assert move == NO_MOVE or unpack_move(pack_move(move)) == move, "a move that does not survive the table"
    assert abs(score) <= INFINITE, "a score beyond those of a search"
    assert abs(static_eval) < _HALF, "an evaluation that needs more than 16 bits"
    assert -1 <= depth <= 254, "a depth that needs more than 8 bits"
    assert BOUND_NONE <= bound <= BOUND_EXACT, "not a bound"
    assert 0 <= tt_pv <= 1, "tt_pv is neither 0 nor 1"


@inlined
def _victim(base: Unsigned, buckets: Unsigned, key: Unsigned, generation: int) -> int:
    """Return the address of the entry of `key`, or else of the least valuable one (shallow and old)."""
    address = bucket_address(base, buckets, key)
    if DEBUG:
        assert base <= address < base + buckets * _ENTRY * uint64(BUCKET_ENTRIES), "a bucket beyond the table"
    best_address, least = address, int64(1 << 30)
    for _ in range(BUCKET_ENTRIES):
        data = load_word(address + _DATA)
        if load_word(address) ^ data == key:
            return address
        age = (generation - _entry_generation(data)) & (GENERATIONS - 1)
        worth = entry_depth(data) - TT_AGE_FACTOR * age
        if worth < least:
            best_address, least = address, worth
        address += _ENTRY
    return best_address


@inlined
def store(
    base: Unsigned,
    buckets: Unsigned,
    key: Unsigned,
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
    if DEBUG:
        assert_storable(move, score, static_eval, depth, bound, tt_pv)
        assert 0 <= generation < GENERATIONS, "not a generation"
    address = _victim(base, buckets, key, generation)
    old = load_word(address + _DATA)
    if load_word(address) ^ old == key:
        shallow = depth + TT_KEEP_MARGIN + 2 * tt_pv < entry_depth(old)
        if shallow and bound != BOUND_EXACT and _entry_generation(old) == generation:
            return
        if move == NO_MOVE:
            move = entry_move(old)
    if score >= MATE_BOUND:
        score += ply
    elif score <= -MATE_BOUND:
        score -= ply
    data = _pack_entry(move, score, static_eval, depth, bound | (tt_pv << 2) | (generation << 3))
    store_word(address, key ^ data)
    store_word(address + _DATA, data)


@entry
def _used_entries(base: Unsigned, buckets_to_count: int, generation: int) -> int:
    used = 0
    address = base + _DATA
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
