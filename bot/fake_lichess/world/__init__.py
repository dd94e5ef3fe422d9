"""The state of the server and the rules of Lichess: accounts, challenges, games, ratings, limits."""
