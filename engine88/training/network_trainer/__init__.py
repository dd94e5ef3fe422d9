"""The trainer of networks: layers, gradient, steps, reports."""
