"""How long a recording lives. Pure."""

RECORDING_TTL_S = 7 * 24 * 3600.0
"""Seven days from each reply's writing."""
