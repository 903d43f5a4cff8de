"""Labels that name a service or the like: their values are names a diagnosis may speak of. Pure."""

from collections.abc import Iterable, Mapping

IDENTITY_LABELS = (
    "service", "service_name", "app", "application", "component", "job", "deployment", "container", "database",
    "datname", "queue", "topic",
)  # fmt: skip
MAX_VALUES = 200
"""Of one label."""


def identity_values(label_sets: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """Label → its values, sorted, at most 200 each; only labels that name a service or the like."""
    found: dict[str, set[str]] = {}
    for labels in label_sets:
        for name in IDENTITY_LABELS:
            if name in labels and len(kept := found.setdefault(name, set())) < MAX_VALUES:
                kept.add(labels[name])
    return {name: tuple(sorted(found[name])) for name in IDENTITY_LABELS if name in found}
