"""The page of a safe fallback: its one sentence first; what is not proved carries that mark. Pure."""

from collections.abc import Iterable, Iterator

from service.invocation import split_command, step
from service.page import Block, Entry, Heading, Headline, Paragraph, Source, Tone
from service.speech import Speech
from service.texts import report as texts
from service.texts.codes import VIOLATION
from state.model.enums import ViolationCode
from state.model.release import SafeFallback, Unverified


def fallback_blocks(fallback: SafeFallback, say: Speech, *, elsewhere: str = "") -> Iterator[Block]:
    """What was searched, why it stopped, what may be said all the same, and what to do next.

    ``elsewhere``: the world, if it is not the one a command without ``--world`` would search.
    """
    yield Headline(say(texts.NO_CONCLUSION), Tone.OPEN)
    yield Paragraph(_sentence(fallback))
    yield from _checked(fallback, say)
    yield from _listed(say(texts.SEARCHED_EMPTY), fallback.searched_empty)
    yield from _unverified(say(texts.UNVERIFIED_HYPOTHESES), fallback.hypotheses)
    yield from _unverified(say(texts.UNVERIFIED_RULED_OUT), fallback.ruled_out)
    yield from _unverified(say(texts.UNVERIFIED_MISSING), fallback.limitations)
    yield from _listed(say(texts.ISSUES), (_issue(code, say) for code in fallback.validation_issues))
    if fallback.next_steps:
        yield Heading(say(texts.NEXT_STEPS))
        yield from (step(one, world=elsewhere) for one in fallback.next_steps)


def _sentence(fallback: SafeFallback) -> str:
    """The summary without the command of its next step, which stands below where it can be copied."""
    words, command = split_command(fallback.summary)
    return words.rstrip(":： ") if command else fallback.summary


def _checked(fallback: SafeFallback, say: Speech) -> Iterator[Block]:
    if fallback.observed_facts:
        yield Heading(say(texts.CHECKED))
    for number, fact in enumerate(fallback.observed_facts, start=1):
        yield Entry(fact.summary, marker=f"[{number}]")
        yield Source(say(texts.SEPARATOR).join((fact.source, fact.scope)))


def _unverified(title: str, texts_of_author: Iterable[Unverified]) -> Iterator[Block]:
    yield from _listed(title, (one.text for one in texts_of_author))


def _listed(title: str, entries: Iterable[str]) -> Iterator[Block]:
    inside = tuple(Entry(text) for text in entries)
    if inside:
        yield Heading(title)
        yield from inside


def _issue(code: str, say: Speech) -> str:
    known = code in ViolationCode.__members__
    return f"{say(VIOLATION[ViolationCode(code)])} ({code})" if known else code
