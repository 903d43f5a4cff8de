"""Log evidence: a port for log sources, the folder source, and the ``query_logs`` tool."""
