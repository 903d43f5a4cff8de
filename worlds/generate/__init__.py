"""Generators of the bundled worlds: pure functions of a seed, written to disk by `writer.py`."""
