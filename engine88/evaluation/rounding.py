"""Division of scores that treats a position and its mirror image alike."""

from engine88.compiler.jit import inlined


@inlined
def divide_toward_zero(total: int, parts: int) -> int:
    """Return the quotient rounded toward zero."""
    return total // parts if total >= 0 else -(-total // parts)
