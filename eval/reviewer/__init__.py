"""A hand-written set of correct and planted wrong drafts that judges the isolated semantic reviewer."""
