"""How long a database server may keep us waiting. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ServerLimits:
    """Seconds; each bounds one thing that can hang."""

    connect_s: float = 5.0
    """Until a connection stands, and until a pooled one is free."""
    lock_s: float = 4.0
    """Until another transaction lets go of a row."""
    statement_s: float = 5.0
    """Until the server ends a statement of its own accord."""
    answer_s: float = 7.0
    """Until we break a connection whose server says nothing; longer than ``statement_s``."""
    recycle_s: float = 1800.0
    """Age at which a pooled connection is replaced, before firewalls forget it."""

    @property
    def patience_s(self) -> float:
        """How long work may wait for a thread of its store: as long as one piece of work can take at worst."""
        return self.connect_s + self.answer_s


MIGRATION_LIMITS = ServerLimits(connect_s=5.0, lock_s=60.0, statement_s=600.0, answer_s=660.0)
"""For ``rootproof db upgrade``: a change of a large table takes its time, and another upgrade may be at work."""
