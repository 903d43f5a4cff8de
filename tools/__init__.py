"""The evidence tools: one contract, one boundary, one folder per kind of source."""
