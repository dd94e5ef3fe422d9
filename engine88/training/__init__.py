"""Tuning of the evaluation: labelled positions from self-play, logistic regression on their results."""
