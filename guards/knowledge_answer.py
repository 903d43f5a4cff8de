"""A knowledge answer: passages of documents, verbatim, each with its document. Nothing is said in other words. Pure."""

from state.model.enums import EvidenceStatus, Language
from state.model.evidence import Item, Projection, item_digest
from state.model.language import Bilingual
from state.model.release import Answer, EvidenceView
from state.model.verdict import CitedItem

MAX_PASSAGES = 3

FROM_DOCUMENTS = Bilingual(
    en="From the documents; nothing in your systems was checked for this answer.",
    zh="以下内容摘自文档；回答本问题时没有检查您的任何系统。",
)
NOTHING = Bilingual(
    en="The knowledge base was searched and holds nothing on this. Nothing in your systems was checked.",
    zh="已检索知识库，没有找到相关内容。没有检查您的任何系统。",
)


def build_knowledge_answer(projection: Projection, language: Language) -> tuple[Answer, tuple[CitedItem, ...]]:
    """The answer with what it cites: up to three passages in retrieval order, or that nothing was found."""
    if projection.evidence_status is not EvidenceStatus.EVIDENCE_FOUND:
        return Answer(text=NOTHING.text(language)), ()
    items = projection.items[:MAX_PASSAGES]
    text = "\n\n".join([FROM_DOCUMENTS.text(language), *(_passage(item) for item in items)])
    view = EvidenceView(
        tool_call_id=projection.tool_call_id,
        tool=projection.tool,
        scope=projection.scope,
        evidence_status=projection.evidence_status,
        items=items,
    )
    cited = tuple(
        CitedItem(tool_call_id=projection.tool_call_id, item_id=item.item_id, sha256=item_digest(item))
        for item in items
    )
    return Answer(text=text, quotes=(view,)), cited


def _passage(item: Item) -> str:
    source = item.fields.get("breadcrumb") or item.fields.get("title") or item.item_id
    quoted = "\n".join(f"> {line}" for line in item.text.splitlines())
    return f"[{source}]\n{quoted}"
