"""Incidents made from a seed, each with its answer: what a right diagnosis says, cites and leaves out."""
