"""Opponents that the server plays by itself: random, greedy, scripted, and UCI engines at eight levels."""
