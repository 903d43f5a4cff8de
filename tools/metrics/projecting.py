"""Turns a payload of ``query_metrics`` into citable items within a number of bytes. Pure and deterministic."""

from state.model.enums import EvidenceKind
from state.model.evidence import Item, Scalar
from tools.fitting import Fitted, item_bytes, leading
from tools.metrics.digest import MAX_POINTS, Json, shift_of_most
from tools.metrics.selector import Selector
from tools.metrics.wording import tell

_POINT_STEPS = (MAX_POINTS, 40, 24, 16, 10, 6, 0, None)
"""Points a series; fewer only where all series do not fit otherwise, None: only what matters most."""
_FIELDS = ("min", "mean", "max", "last", "change", "before_mean")


def project_items(payload: Json, scope8: str, *, room_bytes: int) -> Fitted:
    """As many points a series as let all series fit; then as many series as fit, those that changed most first."""
    rows, n_series = payload["series"], payload["n_series"]
    assert isinstance(rows, list), "the digest puts a list there"
    unique = list({row["id"]: row for row in rows}.values())
    for n_points in _POINT_STEPS:
        items = [_item(row, payload, scope8, n_points) for row in unique]
        if sum(map(item_bytes, items)) <= room_bytes:
            return Fitted(tuple(items), is_cut=len(items) != n_series)
    return Fitted(tuple(leading(items, room_bytes)), is_cut=True)


def _item(row: Json, payload: Json, scope8: str, n_points: int | None) -> Item:
    step_s, shift = payload["step_s"], shift_of_most(row)
    assert isinstance(step_s, int | float), "the digest puts a number there"
    fields: dict[str, Scalar] = {name: _scalar(row[name]) for name in _FIELDS}
    fields |= {"n_points": _scalar(row["n"])}
    if row["unit"]:
        fields["unit"] = str(row["unit"])
    if n_points is not None:
        fields |= {name: _scalar(row[name]) for name in ("max_at", "last_at", "increase", "resets") if name in row}
    if shift is not None:
        fields["change_at"] = _scalar(shift["by"])
        if n_points is not None:
            fields |= {"level_before": _scalar(shift["from"]), "level_after": _scalar(shift["to"])}
    return Item(
        item_id=f"ser:{scope8}:{row['id']}",
        kind=EvidenceKind.TELEMETRY,
        text=tell(
            row,
            computed_from=_computed_from(payload),
            step_s=step_s,
            has_before=bool(payload["has_before"]),
            n_points=n_points,
        ),
        fields=fields,
    )


def _computed_from(payload: Json) -> str:
    """Names of the metrics an expression reads, quoted where one could be taken for more than a name."""
    names = payload.get("computed_from", [])
    assert isinstance(names, list), "the tool puts a list there"
    return ", ".join(Selector(metric=str(name)).text() for name in names)


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, str | int | float) else None
