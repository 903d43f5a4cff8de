"""The public stream of a run: committed frames with gapless numbers. Inside the caller's transaction."""

import json

from pydantic_core import to_json
from sqlalchemy import Connection, bindparam, func, insert, select
from sqlmodel import col

from state.model.ids import RunId
from state.model.run import Lease, PublicEvent, PublicEventType
from state.stores.control_rows import require_lease
from state.stores.control_tables import PublicEventTable, plain_columns
from state.stores.publication import TERMINAL_KEY, TERMINAL_TYPES, Frame

_TABLE = PublicEventTable
_OF_RUN = col(_TABLE.run_id) == bindparam("of_run")
_FIND = select(col(_TABLE.seq)).where(_OF_RUN, col(_TABLE.event_key) == bindparam("of_key"))
_LAST = select(func.max(col(_TABLE.seq))).where(_OF_RUN)
_AFTER = (
    select(*plain_columns(_TABLE, PublicEvent.model_fields))
    .where(_OF_RUN, col(_TABLE.seq) > bindparam("after"))
    .order_by(col(_TABLE.seq))
)
_INSERT = insert(_TABLE)


def check_offer(event_key: str, type_: PublicEventType) -> None:
    """Return if an event of this type and key may be offered while the run goes on.

    Raises:
        ValueError: only the closing may write it.
    """
    if type_ in TERMINAL_TYPES or event_key.startswith(TERMINAL_KEY):
        raise ValueError(f"{type_} event {event_key!r} belongs to the closing of a run")


def offer(
    connection: Connection, lease: Lease, event_key: str, type_: PublicEventType, payload: dict[str, object]
) -> PublicEvent | None:
    """The frame as written; None if one with this key is there.

    Raises:
        LeaseLost: the lease does not hold, or the run is over.
    """
    require_lease(connection, lease)
    if connection.scalar(_FIND, {"of_run": lease.run_id, "of_key": event_key}) is not None:
        return None
    return _append(connection, lease.run_id, event_key, type_, payload)


def append_frame(connection: Connection, run_id: RunId, frame: Frame) -> None:
    """Write one closing frame; the caller has won the run's terminal state in this transaction."""
    _append(connection, run_id, frame.event_key, frame.type, frame.payload)


def frames_after(connection: Connection, run_id: RunId, after: int) -> tuple[PublicEvent, ...]:
    """Frames with a higher number, in order."""
    rows = [dict(row) for row in connection.execute(_AFTER, {"of_run": run_id, "after": after}).mappings()]
    return tuple(PublicEvent.model_validate(row | {"payload": json.loads(row["payload"])}) for row in rows)


def _append(
    connection: Connection, run_id: RunId, event_key: str, type_: PublicEventType, payload: dict[str, object]
) -> PublicEvent:
    """The run's row is locked by the caller, so the next number is free."""
    last = connection.scalar(_LAST, {"of_run": run_id})
    text = to_json(payload).decode()
    event = PublicEvent(run_id=run_id, seq=(last or 0) + 1, event_key=event_key, type=type_, payload=json.loads(text))
    connection.execute(_INSERT, event.model_dump() | {"payload": text})
    return event
