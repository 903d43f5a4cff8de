"""The payment family: one shop, its traffic, and three things that may or may not be wrong."""
