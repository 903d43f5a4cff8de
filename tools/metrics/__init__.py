"""Metrics as evidence: the tool ``query_metrics``, its sources, and what is computed from series."""
