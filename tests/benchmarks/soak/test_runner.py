"""When an outage is over."""

from __future__ import annotations

from benchmarks.soak.evidence import Outage
from benchmarks.soak.runner import closed


def test_an_outage_ends_once_with_the_first_stream_that_is_answered_after_it() -> None:
    killed = Outage(100.0, None, {"a": 20_000})
    assert closed(killed, 99.0) == killed
    assert closed(killed, 104.0).ready_s == 104.0
    assert closed(closed(killed, 104.0), 200.0).ready_s == 104.0


def test_an_outage_ends_also_where_the_bot_was_killed_again_before_it_was_back() -> None:
    outages = [Outage(100.0, None, {}), Outage(160.0, None, {})]
    assert [closed(one, 170.0).ready_s for one in outages] == [170.0, 170.0]
