"""Runbook text → candidate causes, each with its telltale markers and what speaks against it. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from models.offline.lexicon import EXCLUDING, HARMLESS, REMEDY, RULES_OUT_OTHER
from models.offline.markers import Marker, markers_in
from models.offline.reading import SeenItem
from models.offline.sentences import Block, blocks, bullets, paragraphs, plain, sentences
from models.offline.terms import term_set

_CAUSE_HEADING = re.compile(
    r"^(?:(?:possible|likely|probable|common|root|typical|known|main|usual)\s+)*(?:cause|reason|"
    r"scenario)s?(?:\s+(?:\d{1,2}|[A-H]))?\s*[:：—–-]\s*(?P<en>\S.*)$"
    r"|^(?:可能|常见|根本|典型|主要|已知)*的?(?:原因|根因|成因)\s*(?:[一二三四五六七八九十]{1,2}|"
    r"\d{1,2})?\s*[:：—–-]\s*(?P<zh>\S.*)$",
    re.IGNORECASE,
)
_CAUSE_LIST = re.compile(
    r"^(?:(?:possible|likely|probable|common|root|typical|known|usual)\s+)*(?:causes|reasons|cause)$|"
    r"^(?:可能|常见|根本|典型|主要|已知)*的?(?:原因|根因|成因)$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?:\bis |\bare |\bwas |\bwere |\busually |\boften |\bmostly |\btypically )?\b(?:caused by|due to|"
    r"because of|because|the result of|triggered by)\s+(?P<en>[^.;]+)"
    r"|(?:通常|往往|一般|多半|可能)?(?:是)?(?:因为|由于|原因是|根因是|成因是)(?P<zh>[^。；，,]+)|"
    r"由(?P<zh2>[^。；，,]+?)(?:导致|引起|造成|引发|所致)",
    re.IGNORECASE,
)
_CRUMB = re.compile(r"\s+(?:>|›|»|→|/|\|)\s+")
MAX_PHRASE_CHARS = 160
SAME_CAUSE_OVERLAP = 0.6


@dataclass(frozen=True)
class Candidate:
    """One cause that a document names."""

    phrase: str
    """As the document words it, without Markdown."""
    written: str
    """Verbatim text of the item that holds the phrase; empty if only its breadcrumb does."""
    items: tuple[SeenItem, ...]
    body: str
    markers: tuple[Marker, ...]
    """Telltales in favour."""
    against: tuple[Marker, ...]
    """Telltales that speak against it."""
    title: str = ""
    phrase_terms: frozenset[str] = field(default=frozenset())
    body_terms: frozenset[str] = field(default=frozenset())
    """Without the parts that exclude, reassure or say what to do."""


def candidates(knowledge: Iterable[SeenItem]) -> tuple[Candidate, ...]:
    """Causes in reading order; the chunks of one section and the twins of one cause are merged."""
    merged: list[Candidate] = []
    for item in knowledge:
        for found in _in_item(item):
            at = next((n for n, known in enumerate(merged) if _same_section(known, found)), None)
            if at is None:
                merged.append(found)
            else:
                merged[at] = _joined(merged[at], found)
    return tuple(merged)


def is_document(item: SeenItem) -> bool:
    """True for a passage of a document; an alert's annotation names no cause of what happened."""
    return item.is_knowledge and not item.item_id.startswith("alert:")


def same_cause(one: Candidate, other: Candidate) -> bool:
    """True if two documents name what is in substance the same cause."""
    shared = one.phrase_terms & other.phrase_terms
    smaller = min(len(one.phrase_terms), len(other.phrase_terms))
    return smaller > 0 and len(shared) / smaller >= SAME_CAUSE_OVERLAP and len(shared) >= min(2, smaller)


def cause_heading(heading: str) -> str:
    """The cause a heading names; empty if it names none."""
    match = _CAUSE_HEADING.match(plain(heading))
    return (match.group("en") or match.group("zh")).strip() if match else ""


def said_cause(sentence: str) -> str:
    """The cause a sentence names by its wording; empty if it names none."""
    match = _SAID.search(sentence)
    found = match and (match.group("en") or match.group("zh") or match.group("zh2"))
    return found.strip(" ，。,.") if found else ""


def trail(item: SeenItem) -> tuple[str, ...]:
    """Document title and headings above the item's text, outermost first."""
    crumb = str(item.fields.get("breadcrumb") or item.fields.get("title") or "")
    return tuple(part.strip() for part in _CRUMB.split(crumb) if part.strip())


def _in_item(item: SeenItem) -> list[Candidate]:
    above = trail(item)
    current = next(filter(None, map(cause_heading, reversed(above))), "")
    depth = 0
    found: list[Candidate] = []
    for block in blocks(item.text, above[-1] if above else ""):
        named = cause_heading(block.heading)
        if named:
            current, depth = named, block.depth
        elif current and depth and 0 < block.depth <= depth:
            current = ""
        if current:
            found.append(_section(item, block, current))
        elif _CAUSE_LIST.match(plain(block.heading)):
            found += [_listed(item, text) for text in bullets(block.body)]
        else:
            found += _labelled(item, block)
    return found or _spoken(item)


def _section(item: SeenItem, block: Block, named: str) -> Candidate:
    is_against = speaks_against(block.heading)
    written = block.heading_line if cause_heading(block.heading) else ""
    body = "" if REMEDY.match(plain(block.heading)) else block.body
    return _candidate(item, named, written=written, body=body, is_against=is_against)


def _labelled(item: SeenItem, block: Block) -> list[Candidate]:
    """Causes given as lines ``Cause: …`` inside a block."""
    lines = block.body.splitlines()
    starts = [n for n, line in enumerate(lines) if cause_heading(line)]
    ends = [*starts[1:], len(lines)]
    return [
        _candidate(
            item, cause_heading(lines[start]), written=lines[start].strip(), body="\n".join(lines[start + 1 : end])
        )
        for start, end in zip(starts, ends, strict=False)
    ]


def _listed(item: SeenItem, text: str) -> Candidate:
    head = re.split(r"[:：。;；—]|\.\s|\s-\s", text, maxsplit=1)[0]
    return _candidate(item, plain(head)[:MAX_PHRASE_CHARS], written=head.strip(), body=text)


def _spoken(item: SeenItem) -> list[Candidate]:
    found = []
    for sentence in sentences(item.text):
        phrase = plain(said_cause(sentence))[:MAX_PHRASE_CHARS]
        if len(term_set(phrase)) >= 2 and not EXCLUDING.search(sentence):
            found.append(_candidate(item, phrase, written=sentence, body=item.text))
    return found[:3]


def _candidate(item: SeenItem, phrase: str, *, written: str, body: str, is_against: bool = False) -> Candidate:
    kept, against = _split(body, is_against=is_against)
    above = trail(item)
    clean = plain(phrase).rstrip(".。")[:MAX_PHRASE_CHARS]
    return Candidate(
        phrase=clean,
        written=written if written and written in item.text else "",
        items=(item,),
        body="\n".join(kept),
        markers=markers_in("\n".join((*kept, phrase))),
        against=markers_in("\n".join(against)),
        title=above[0] if above else "",
        phrase_terms=term_set(clean),
        body_terms=term_set(plain("\n".join(kept))),
    )


def speaks_against(sentence: str) -> bool:
    """True if the sentence gives evidence against the cause it stands under (not against another one)."""
    return EXCLUDING.search(sentence) is not None and RULES_OUT_OTHER.search(sentence) is None


def _split(body: str, *, is_against: bool) -> tuple[list[str], list[str]]:
    """Sentences in favour and sentences against; reassurance and remedies belong to neither."""
    kept: list[str] = []
    against: list[str] = []
    in_remedy, in_against = False, is_against
    for paragraph in paragraphs(body):
        if paragraph.label:
            in_remedy = REMEDY.match(paragraph.label) is not None
            in_against = is_against or speaks_against(paragraph.label)
        for sentence in sentences(paragraph.text):
            if in_against or speaks_against(sentence):
                against.append(sentence)
            elif not (in_remedy or EXCLUDING.search(sentence) or HARMLESS.search(sentence)):
                kept.append(sentence)
    return kept, against


def _same_section(one: Candidate, other: Candidate) -> bool:
    same_document = one.items[0].item_id.split("#")[0] == other.items[0].item_id.split("#")[0]
    return same_document and one.phrase.casefold() == other.phrase.casefold()


def _joined(one: Candidate, other: Candidate) -> Candidate:
    items = {item.item_id: item for item in (*one.items, *other.items)}
    return replace(
        one,
        written=one.written or other.written,
        items=tuple(items.values()),
        body=f"{one.body}\n{other.body}",
        markers=tuple(dict.fromkeys((*one.markers, *other.markers))),
        against=tuple(dict.fromkeys((*one.against, *other.against))),
        body_terms=one.body_terms | other.body_terms,
    )
