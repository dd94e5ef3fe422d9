"""The test bench for engines: what they must not get wrong, each finding with its position."""
