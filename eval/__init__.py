"""Measurement: calibration, judge sets and benchmarks. Nothing here is needed to run Rootproof."""
