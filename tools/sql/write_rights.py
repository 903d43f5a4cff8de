"""What an account may do beyond reading, as the doctor reports it. Pure."""

from dataclasses import dataclass
from enum import StrEnum

MAX_FINDINGS = 50
"""Of one kind; an account with more has been reported often enough."""


class Right(StrEnum):
    """Kinds of rights that an account for evidence must not have."""

    ROLE_ATTRIBUTE = "ROLE_ATTRIBUTE"
    MEMBERSHIP = "MEMBERSHIP"
    OWNERSHIP = "OWNERSHIP"
    TABLE = "TABLE"
    SEQUENCE = "SEQUENCE"
    SCHEMA = "SCHEMA"
    DATABASE = "DATABASE"
    FUNCTION = "FUNCTION"
    TABLESPACE = "TABLESPACE"
    PARAMETER = "PARAMETER"
    GRANT = "GRANT"
    FOR_EVERYBODY = "FOR_EVERYBODY"


_SENTENCES = {
    Right.ROLE_ATTRIBUTE: "The account has, or can take on, the attribute {0}.",
    Right.MEMBERSHIP: "The account is a member of {0}, which may do more than read.",
    Right.OWNERSHIP: "The account owns {0}, and an owner may change it.",
    Right.TABLE: "The account has {0}.",
    Right.SEQUENCE: "The account has {0}.",
    Right.SCHEMA: "The account has {0}.",
    Right.DATABASE: "The account has {0}.",
    Right.FUNCTION: "The account may execute {0}, which can do more than read.",
    Right.TABLESPACE: "The account has {0}.",
    Right.PARAMETER: "The account has {0}.",
    Right.GRANT: "The account has {0}.",
    Right.FOR_EVERYBODY: "The account can use the database {0} without a grant of its own: everybody can.",
}


@dataclass(frozen=True)
class Finding:
    """One right too many."""

    right: Right
    subject: str
    """What it is, in the database's own terms, such as ``INSERT on app.orders``; at most 300 characters."""
    repair: str
    """The statement that takes it away; for a superuser of the database to run."""

    @property
    def sentence(self) -> str:
        """In English, to show a person."""
        return _SENTENCES[self.right].format(self.subject)
