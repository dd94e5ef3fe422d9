"""Iterative deepening, time management, threads, playing strength and reports."""
