"""Alerts as evidence: the tool ``list_alerts`` and its sources."""
