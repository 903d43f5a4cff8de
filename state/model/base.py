"""The base of every value that is kept in state, stored or sent."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value that refuses unknown fields.

    Not ``strict``: a strict model with tuple fields does not survive a checkpoint
    round trip (it comes back unvalidated). Strictness belongs to text borders, per call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
