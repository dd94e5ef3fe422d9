"""Everything that concerns the whole account: its event stream, challenges, tournaments, and which games are played."""
