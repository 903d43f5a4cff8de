"""The unit a metric's name declares by its last words. Pure."""

PER_SECOND = "/s"
_UNITS = {
    "seconds": "s",
    "milliseconds": "ms",
    "millis": "ms",
    "ms": "ms",
    "microseconds": "us",
    "us": "us",
    "nanoseconds": "ns",
    "ns": "ns",
    "minutes": "min",
    "hours": "h",
    "bytes": "bytes",
    "kb": "KB",
    "kib": "KiB",
    "mb": "MB",
    "mib": "MiB",
    "gb": "GB",
    "gib": "GiB",
    "percent": "%",
    "pct": "%",
    "millicores": "millicores",
    "cores": "cores",
}
_STATISTICS = frozenset("total sum avg mean max min p50 p90 p95 p99 p999 median".split())
_COUNTS = frozenset({"bucket", "count"})


def unit_of_name(metric: str) -> str:
    """``s`` of ``wait_seconds_sum``, ``bytes`` of ``heap_bytes``; empty for a count or a name that declares none.

    A name that is nothing but a unit, or a rate by name (``bytes_per_second``), declares none.
    """
    parts = metric.lower().replace(":", "_").replace(".", "_").split("_")
    while len(parts) > 1 and parts[-1] in _STATISTICS:
        parts.pop()
    if len(parts) < 2 or parts[-1] in _COUNTS or "per" in parts:
        return ""
    return _UNITS.get(parts[-1], "")


def declared_unit(unit: str) -> str:
    """The unit as a source declares it (``seconds``), in the short form used here; as it is if it has none."""
    return _UNITS.get(unit.lower(), unit)
