"""The slow-query family: one search service whose main query turns slow with a release."""
