"""Mutation operators: pure functions that make a correct draft wrong, so that it is known which of them a guard misses.

What is wrong is checked here by plain means (``stock``), never with the guards' own reading of claims.
"""
