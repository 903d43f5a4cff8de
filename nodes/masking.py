"""Identifiers replaced by the run's placeholders, in whatever is about to reach a model."""

from nodes.deps import Step
from state.model.placeholders import PlaceholderMap, mask_json


async def masked(step: Step, value: object) -> object:
    """The JSON value with placeholders; new ones are kept for the run. Raises TruthUnavailable if they cannot be."""
    canonical = step.deps.canonical
    known = PlaceholderMap(entries=await canonical.placeholders(step.lease.run_id))
    hidden, added = mask_json(value, known)
    if added:
        await canonical.add_placeholders(step.lease, added)
    return hidden
