"""Measuring knowledge retrieval: questions with known answers, and the thresholds chosen from them."""
