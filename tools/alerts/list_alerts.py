"""The evidence tool ``list_alerts``: which alerts hold now, and what their annotations say."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, scope_key
from state.model.ids import ToolCallId
from state.model.redaction import redact_text
from tools.alerts.choosing import as_of, matching
from tools.alerts.port import AlertPage, AlertSource
from tools.alerts.projecting import payload_of, project_items
from tools.alerts.request import ListAlertsInput, normalised_scope
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.fitting import SHOWN_BYTES
from tools.source_choice import chosen_source, scope_in


class ListAlerts:
    """Implements ``EvidenceTool`` over the configured alert sources."""

    name = "list_alerts"
    input_model: type[ToolInput] = ListAlertsInput
    raw_cap_bytes = 64 * 1024
    projection_cap_bytes = 16 * 1024

    def __init__(
        self,
        sources: Mapping[str, AlertSource],
        *,
        description: str,
        catalogue_terms: Sequence[str],
        timeout_s: float = 20.0,
    ) -> None:
        """Sources by name; the description carries their catalogue; ``timeout_s`` bounds one call."""
        self._sources = dict(sources)
        self.description = description
        self.catalogue_terms = tuple(catalogue_terms)
        self.timeout_s = timeout_s

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The normalised request. Pure.

        Raises:
            InvalidToolInput: unknown source or state, or a label that is too long.
        """
        assert isinstance(arguments, ListAlertsInput), "the boundary validates against input_model"
        scope = normalised_scope(arguments, chosen_source(self._sources, arguments.source), context)
        return Prepared(normalised=scope, scope_key=scope_key(self.name, scope))

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """The alerts that hold at the ``now`` of the run.

        Raises:
            ToolFailed: INCOMPLETE_SEARCH if none matches but not everything could be read; else as the source.
        """
        asked = prepared.normalised
        state, labels, at = str(asked["state"]), _labels(prepared), datetime.fromisoformat(str(asked["at"]))
        page = await self._sources[str(asked["source"])].alerts()
        found = matching(as_of(page.alerts, at), state, labels)
        if not found and page.unread:
            raise ToolFailed(ToolCode.INCOMPLETE_SEARCH, log_detail=_why_partial(page))
        # Removing secrets from long texts is not for the event loop.
        payload = await asyncio.to_thread(payload_of, found, context.time_zone)
        filters = {"at": str(asked["at"]), "state": state, **{f"label {name}": one for name, one in labels.items()}}
        payload["scope"] = {"filters": {redact_text(name): redact_text(one) for name, one in filters.items()}}
        payload["unread"] = [{"name": redact_text(one.name)[:200], "why": one.why} for one in page.unread[:50]]
        return RawResult(payload=payload, coverage=Coverage.PARTIAL if page.unread else Coverage.COMPLETE)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """Firing alerts first, the latest first, then annotations; ``total_matches`` counts all alerts.

        Raises:
            ToolFailed: PROJECTION_ERROR if alerts were found but not one fits.
        """
        payload, n_alerts = raw.payload, raw.payload["n_alerts"]
        assert isinstance(n_alerts, int), "payload_of puts a number there"
        shell = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=scope_in(payload, str(prepared.normalised["source"])),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if n_alerts else EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=n_alerts,
        )
        if not n_alerts:
            return shell
        shell_bytes = len(shell.model_dump_json().encode())
        for room in (SHOWN_BYTES, self.projection_cap_bytes):
            fitted = project_items(payload, room_bytes=room - shell_bytes)
            if fitted.items:
                return shell.model_copy(update={"items": fitted.items, "truncated": fitted.is_cut})
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="not one alert fits the projection")


def _labels(prepared: Prepared) -> dict[str, str]:
    labels = prepared.normalised["labels"]
    assert isinstance(labels, dict), "normalised_scope puts an object there"
    return {name: str(value) for name, value in labels.items()}


def _why_partial(page: AlertPage) -> str:
    return ", ".join(f"{one.name} ({one.why})" for one in page.unread[:10])
