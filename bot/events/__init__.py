"""Lichess's JSON as frozen values: unknown fields are ignored, unknown types become `UnknownEvent`."""
