"""Rootproof over HTTP: keys, limits, problems, streams. The contract is docs/http-api.md."""
