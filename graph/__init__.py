"""The graph: topology, exits, the composition root, and what runs it."""
