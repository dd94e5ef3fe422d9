"""Faults on demand: fault plans, and the injector that breaks answers and streams by them."""
