"""The hand-written evaluation terms."""
