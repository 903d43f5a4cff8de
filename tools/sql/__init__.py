"""Evidence from databases: a statement is parsed, rebuilt from an allowlist, and run where nothing can be written."""
