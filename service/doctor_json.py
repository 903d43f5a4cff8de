"""``doctor --json``. Pure."""

from typing import TYPE_CHECKING

from service.doctor_page import problem_lines
from service.json_result import Json
from service.speech import Speech

if TYPE_CHECKING:
    from graph.doctor import Checkup


def doctor_json(checkup: "Checkup", say: Speech, options: frozenset[str] = frozenset()) -> Json:
    """The facts of the page; secrets are in none of them."""
    settings, world, knowledge, endpoint = checkup.settings, checkup.world, checkup.knowledge, checkup.endpoint
    return {
        "ready": checkup.is_sound,
        "problems": list(problem_lines(checkup, say, options)),
        "home": str(settings.home),
        "stores": [
            {"name": fact.name, "size_bytes": fact.size_bytes, "server": fact.server or None} for fact in checkup.stores
        ],
        "models": [
            {"role": fact.role, "name": fact.name, "external": fact.is_external, "timeout_s": fact.timeout_s}
            for fact in checkup.models
        ],
        "endpoint": {"base_url": endpoint.base_url, "state": endpoint.state} if endpoint else None,
        "redaction": {"policy": settings.redaction, "masks_identifiers": checkup.masks_identifiers},
        "recording": settings.recording,
        "world": world.model_dump(mode="json") if world else None,
        "unread": [{"source": one.source, "name": one.name, "why": one.why} for one in checkup.unread],
        "sources": [
            {
                "name": fact.name,
                "kind": fact.kind,
                "state": fact.state,
                "why": fact.why,
                "findings": [{"finding": sentence, "repair": repair} for sentence, repair in fact.findings],
            }
            for fact in checkup.systems
        ],
        "documents": list(knowledge.documents) if knowledge else [],
        "tools": [{"name": tool.name, "description": tool.description} for tool in checkup.tools],
    }
