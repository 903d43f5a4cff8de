"""The evidence tool ``lookup_knowledge``: a question to the documents, answered with verbatim passages.

Raw scores go into the raw payload for the audit and nowhere else. Decision note: ``docs/decisions/knowledge.md``.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from pydantic import Field

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput, ModelFailed, ToolFailed
from state.model.evidence import Projection, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.knowledge import catalogue
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.indexing import fold
from tools.knowledge.library import KnowledgeBase
from tools.knowledge.passages import project_passages, raw_payload
from tools.knowledge.search import Found, search
from tools.knowledge.selection import SearchPolicy
from tools.knowledge.stages import NO_STAGES, Stages

MAX_QUERY_CHARS = 500
T = TypeVar("T")


class LookupKnowledgeInput(ToolInput):
    """What the model may ask."""

    query: str = Field(min_length=1, max_length=MAX_QUERY_CHARS)
    """Symptom, error text or component to look for, in the words of the problem; at most 500 characters."""
    category: str | None = Field(None, max_length=100)
    """One of the categories in the description, to narrow the search; leave out if unsure."""


class LookupKnowledge:
    """The tool over one open knowledge base."""

    name = "lookup_knowledge"
    input_model: type[ToolInput] = LookupKnowledgeInput
    timeout_s = 15.0
    raw_cap_bytes = 64 * 1024
    projection_cap_bytes = 16 * 1024

    def __init__(self, base: KnowledgeBase, policy: SearchPolicy, *, kb_scope: str, stages: Stages = NO_STAGES) -> None:
        """Reads the catalogue of the scope as it is now. Blocking."""
        records = base.records.documents(kb_scope)
        self._base = base
        self._policy = policy
        self._stages = stages
        self.description = catalogue.describe(base.name, records, return_n=policy.return_n)
        self.catalogue_terms = catalogue.terms(base.name, records)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The request; ``scope_key`` ignores case, width and white space of the query.

        Raises:
            InvalidToolInput: the query has no letter or digit.
        """
        assert isinstance(arguments, LookupKnowledgeInput)
        query = " ".join(_printable(arguments.query).split())
        if not any(char.isalnum() for char in query):
            raise InvalidToolInput(ToolCode.INVALID_REQUEST, "query must hold at least one letter or digit")
        category = fold(_printable(arguments.category or "")) or None
        folded = " ".join(unicodedata.normalize("NFKC", query).casefold().split())
        return Prepared(
            normalised={"query": query, "category": category},
            scope_key=scope_key(self.name, {"query": folded, "category": category}),
        )

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """Search in a thread.

        Raises:
            ToolFailed: the index or the embedding model did not answer.
        """
        query, category = str(prepared.normalised["query"]), prepared.normalised["category"]
        asked = str(category) if category is not None else None
        found = await _finished(lambda: self._search(query, asked, context.kb_scope))
        return RawResult(payload=raw_payload(found, self._policy, asked), coverage=found.coverage)

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """Passages best first, within 16 KiB.

        Raises:
            ToolFailed: PROJECTION_ERROR, the payload is not what ``execute`` returns.
        """
        return project_passages(
            raw,
            tool=self.name,
            tool_call_id=tool_call_id,
            source=self._base.name,
            query=str(prepared.normalised["query"]),
            cap_bytes=self.projection_cap_bytes,
        )

    def _search(self, query: str, category: str | None, kb_scope: str) -> Found:
        try:
            return search(self._base, self._policy, query, kb_scope=kb_scope, category=category, stages=self._stages)
        except IndexUnavailable as error:
            code = ToolCode.TOOL_TIMEOUT if error.timed_out else ToolCode.TOOL_EXECUTION_ERROR
            raise ToolFailed(code, log_detail=f"{error} {error.detail}") from error
        except ModelFailed as error:
            code = ToolCode.TOOL_TIMEOUT if error.kind == "timeout" else ToolCode.TOOL_EXECUTION_ERROR
            raise ToolFailed(code, log_detail=str(error)) from error


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


async def _finished(work: Callable[[], T]) -> T:
    """The result of blocking work; when cancelled, waits for its end (bounded by its own timeouts) first.

    Raises:
        asyncio.CancelledError: the caller was cancelled.
    """
    running = asyncio.ensure_future(asyncio.to_thread(work))
    cancelled = False
    while not running.done():
        try:
            await asyncio.wait([running])
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        running.exception()  # Seen, so that asyncio does not report it as lost.
        raise asyncio.CancelledError
    return running.result()
