"""The model as an adversary: what it may send, what the guards let through, and the page of figures."""
