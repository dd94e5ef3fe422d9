"""Many games of the bot under faults and kills, with every invariant checked."""
