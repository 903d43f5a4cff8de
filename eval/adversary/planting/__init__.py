"""Instructions planted in telemetry, a model that obeys whatever it reads, and what comes of it."""
