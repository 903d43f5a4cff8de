"""Tools of MCP servers as evidence tools: allowlisted, pinned, read-only, bounded; everything they say is data."""
