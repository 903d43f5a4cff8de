"""A small folder with one of every source of evidence."""

import json
from pathlib import Path

_RUNBOOK = """---
title: Connection pool
keywords: [pool, connection]
---
# Connection pool

A connection pool is exhausted when every connection is in use: callers wait, then time out.
"""


def write_world(folder: Path) -> Path:
    """One of every source."""
    files = {
        "world.yaml": 'now: "2026-03-02T14:30:00Z"\n',
        "knowledge/pool.md": _RUNBOOK,
        "logs/payments.jsonl": "".join(
            json.dumps(
                {
                    "ts": f"2026-03-02T14:1{n}:00Z",
                    "service": service,
                    "level": "ERROR",
                    "message": f"{service} failed {n}",
                }
            )
            + "\n"
            for n in range(5)
            for service in ("payments", "orders")
        ),
        "db/shop.sql": "CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT);\n"
        "INSERT INTO orders VALUES (1, 'failed'), (2, 'paid');\n",
        "metrics/pool.csv": "ts,metric,value,service\n"
        + "".join(f"2026-03-02T14:{n:02d}:00Z,pool_active,{n},payments\n" for n in range(20)),
        "alerts.json": json.dumps([_alert()]),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _alert() -> dict[str, object]:
    return {
        "labels": {"alertname": "PoolExhausted", "service": "payments"},
        "annotations": {"summary": "the pool is exhausted"},
        "startsAt": "2026-03-02T14:06:00Z",
        "endsAt": "2026-03-02T15:00:00Z",
        "updatedAt": "2026-03-02T14:06:00Z",
        "status": {"state": "active", "silencedBy": [], "inhibitedBy": []},
        "fingerprint": "0123456789abcdef",
    }
