"""SPSA: the numbers of the search moved together by games of one setting of them against another."""
