"""One node per file; file = function = node name. A node reads, calls and writes; it decides nothing."""
