"""What a text claims, and whether evidence carries it: numbers, times and names, in English and Chinese. Pure.

Rules are data (``rules``, ``wording``): a new kind of claim is a new row with a name, a reason and examples.
Nothing here decides what becomes of a draft; that is ``guards.evidence``.
"""
