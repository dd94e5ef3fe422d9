"""The UCI protocol and the commands for people."""
