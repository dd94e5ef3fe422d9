"""Measured lag."""

from __future__ import annotations

from bot.play.outbox import ENOUGH, WINDOW, LagMeter, cautious_ms, clock_loss_ms


def test_nothing_is_guessed_before_anything_was_measured() -> None:
    assert LagMeter().overhead_ms is None


def test_round_trips_stand_in_until_the_first_loss() -> None:
    meter = LagMeter()
    meter.add_round_trip(80.0)
    assert meter.overhead_ms == 80.0
    meter.add_loss(30.0)
    assert meter.overhead_ms == 30.0


def test_a_gain_is_no_loss() -> None:
    meter = LagMeter()
    meter.add_loss(-15_000.0)  # more time was given
    assert meter.overhead_ms == 0.0


def test_a_few_samples_are_not_settled() -> None:
    meter = LagMeter()
    for count in range(1, ENOUGH + 1):
        assert not meter.settled, count
        meter.add_loss(0.0)
    assert meter.settled
    meter.add_loss(0.0)
    assert meter.settled


def test_rare_peaks_are_covered_in_part_and_forgotten() -> None:
    steady = [20.0] * 36 + [400.0] * 4
    assert cautious_ms(steady) == 400.0 + (400.0 - 20.0) / 2
    assert cautious_ms([10.0, 30.0, 20.0]) == 30.0 + (30.0 - 20.0) / 2
    assert cautious_ms([20.0] * 39 + [400.0]) == 20.0
    meter = LagMeter()
    for loss in [900.0] * 5 + [10.0] * WINDOW:
        meter.add_loss(loss)
    assert meter.overhead_ms == 10.0


def test_loss_is_expected_minus_returned_clock() -> None:
    assert clock_loss_ms(60_000, 1_000.0, 2_000, 60_950) == 50.0
    assert clock_loss_ms(60_000, 1_000.0, 0, 59_000) == 0.0
