"""The numbers of the search judged by games of one setting of them against another: SPSA, and factorial games."""
