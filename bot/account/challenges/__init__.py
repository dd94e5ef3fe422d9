"""Challenges: those to us are judged and answered, those from us are chosen, sent and followed."""
