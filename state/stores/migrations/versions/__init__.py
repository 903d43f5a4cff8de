"""The revisions, oldest first: ``rNNNN_what.py``."""
