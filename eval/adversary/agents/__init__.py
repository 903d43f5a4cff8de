"""Hostile models on the wire: what they say, what they falsify, and an oracle that needs no guard to know it."""
