"""Fits the weights of the hand-written evaluation to games."""
