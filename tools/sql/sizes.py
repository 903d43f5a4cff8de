"""How much of a result is read and shown. Pure."""

MAX_CELL_CHARS = 2000
READ_CELL_CHARS = MAX_CELL_CHARS + 1
"""One more is read, so that the projection can tell a cut cell from one that fits."""
RAW_CAP_BYTES = 256 * 1024
