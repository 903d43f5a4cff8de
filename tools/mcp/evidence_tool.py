"""One allowlisted tool of an MCP server as an evidence tool."""

import asyncio
import json
from collections.abc import Mapping
from typing import Protocol

from mcp_types import CallToolResult

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Projection, Scope, render_projection, scope8, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.fitting import cut
from tools.mcp.arguments import McpInput, canonical_json, check_arguments, input_model, with_defaults
from tools.mcp.content import MAX_RAW_BYTES, NO_SECRETS, read_result
from tools.mcp.definition import PinnedTool
from tools.mcp.known_secrets import KnownSecrets
from tools.mcp.projecting import holds_nothing, project_items

RAW_CAP_BYTES = MAX_RAW_BYTES
PROJECTION_CAP_BYTES = 16 * 1024
_FRAME_BYTES = 1024
MAX_FILTER_CHARS = 300
MAX_FILTERS = 20


class AsksServer(Protocol):
    """What a tool needs of the connection."""

    async def call(self, tool: str, arguments: Mapping[str, object]) -> CallToolResult:
        """The server's reply. Raises ToolFailed."""
        ...


class McpEvidenceTool:
    """Implements ``tools.contract.EvidenceTool``."""

    def __init__(
        self, name: str, pinned: PinnedTool, server: AsksServer, *, timeout_s: float, secrets: KnownSecrets = NO_SECRETS
    ) -> None:
        self.name = name
        self.pinned = pinned
        self.server = server
        self.timeout_s = timeout_s
        self._secrets = secrets
        self.raw_cap_bytes = RAW_CAP_BYTES
        self.projection_cap_bytes = PROJECTION_CAP_BYTES
        self.input_model: type[ToolInput] = input_model(f"Input_{name}", pinned.input_schema)
        self.description = pinned.description
        # The names that the operator wrote into the configuration; nothing the server says of itself.
        self.catalogue_terms: tuple[str, ...] = (pinned.server, pinned.name)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The arguments, checked against the pinned schema.

        Raises:
            InvalidToolInput: they do not keep it.
        """
        assert isinstance(arguments, McpInput), "the boundary validates with input_model"
        given = arguments.given
        check_arguments(self.pinned.input_schema, given)
        whole = canonical_json(with_defaults(self.pinned.input_schema, given))
        return Prepared(
            normalised={"arguments": canonical_json(given)},
            scope_key=scope_key(self.name, {"arguments": whole}),
        )

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """The server's reply as plain JSON.

        Raises:
            ToolFailed: RESULT_TOO_LARGE, TOOL_EXECUTION_ERROR, or TOOL_TIMEOUT after ``timeout_s``, starts included.
        """
        try:
            async with asyncio.timeout(self.timeout_s):
                result = await self.server.call(self.pinned.name, _arguments(prepared))
                # Not on the loop: everybody else would wait for what one server chose to send.
                return await asyncio.to_thread(read_result, result, self._secrets)
        except TimeoutError:
            raise ToolFailed(ToolCode.TOOL_TIMEOUT, log_detail=self.name) from None

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """The reply as items of the configured kind; an empty reply is NO_EVIDENCE.

        Raises:
            ToolFailed: PROJECTION_ERROR, where something was said and nothing of it can be shown.
        """
        empty = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=self._scope(prepared),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.NO_EVIDENCE,
            truncated=False,
            total_matches=0,
        )
        if holds_nothing(raw.payload):
            return empty
        frame = len(render_projection(empty).encode()) + _FRAME_BYTES
        found = project_items(
            raw.payload,
            kind=self.pinned.kind,
            scope8=scope8(prepared.scope_key),
            budget_bytes=self.projection_cap_bytes - frame,
        )
        if not found.items:
            raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="nothing of the reply can be shown")
        return empty.model_copy(
            update={
                "evidence_status": EvidenceStatus.EVIDENCE_FOUND,
                "truncated": found.is_cut or raw.coverage is Coverage.PARTIAL,
                "total_matches": None,
                "items": found.items,
            }
        )

    def _scope(self, prepared: Prepared) -> Scope:
        given = list(_arguments(prepared).items())[:MAX_FILTERS]
        shown = {name: value if isinstance(value, str) else canonical_json(value) for name, value in given}
        return Scope(
            source=self.pinned.server,
            filters={name[:MAX_FILTER_CHARS]: cut(value, MAX_FILTER_CHARS) for name, value in shown.items()},
        )


def _arguments(prepared: Prepared) -> dict[str, object]:
    arguments = json.loads(str(prepared.normalised["arguments"]))
    assert isinstance(arguments, dict), "prepare wrote an object"
    return arguments
