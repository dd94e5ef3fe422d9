"""Programs that measure; none of them runs with the tests."""
