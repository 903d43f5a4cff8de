"""Chat and embedding models by role, and everything that is written to or read from them."""
