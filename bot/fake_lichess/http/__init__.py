"""The endpoints of the Lichess API, with their forms, exports and JSON."""
