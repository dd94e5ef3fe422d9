"""Results in the order of the items, whoever does the work."""

from __future__ import annotations

from itertools import count, islice

from engine88.training.cluster.pool import NoPool, in_order


def add(first: int, second: int, item: int) -> int:
    return first * item + second


def test_results_come_in_the_order_of_the_items() -> None:
    with NoPool() as pool:
        assert list(in_order(pool, add, (2, pool.share(1)), range(60))) == list(range(1, 121, 2))


def test_items_need_not_end() -> None:
    assert list(islice(in_order(NoPool(), add, (1, 0), count()), 3)) == [0, 1, 2]


def test_no_items_no_results() -> None:
    assert list(in_order(NoPool(), add, (1, 0), [])) == []
