"""The mutation score as Markdown. Pure."""

from collections.abc import Iterable, Sequence

from eval.adversary.correct_drafts import Source
from eval.adversary.mutation_run import Tally, Untouched
from eval.adversary.operators.operator import MutationClass
from eval.adversary.rates import Rate, percent
from eval.adversary.trial import Fate

INTRODUCTION = (
    "Correct drafts are made wrong by operators, each in a way that is known to be wrong. A wrong draft is caught if"
    " nothing wrong of it would be published: by the evidence guard (a repair of references by the offline model is"
    " allowed, as in a run), or by the review of the offline model. Only drafts that both let pass are made wrong."
    " Brackets hold 95 % intervals (Wilson)."
)


def body(untouched: Sequence[Untouched], tallies: Sequence[Tally], dropped: Sequence[str]) -> str:
    """All tables, without heading and gates."""
    parts = (
        INTRODUCTION,
        "### Correct drafts",
        _sources(untouched),
        "### Classes of mutations",
        _classes(tallies),
        "### Operators",
        _operators(tallies),
        *_misses(tallies),
        *_dropped(dropped),
    )
    return "\n\n".join(parts)


def _sources(untouched: Sequence[Untouched]) -> str:
    rows = [_source_row(source.value, [one for one in untouched if one.origin.source is source]) for source in Source]
    return _table(
        ("source", "drafts", "stopped by the evidence guard", "stopped by the review", "stopped"),
        (*rows, _source_row("all", untouched)),
    )


def _source_row(name: str, untouched: Sequence[Untouched]) -> tuple[str, ...]:
    fates = [one.judged.fate for one in untouched]
    evidence, review = fates.count(Fate.EVIDENCE), fates.count(Fate.REVIEW)
    return name, str(len(fates)), str(evidence), str(review), percent(Rate(evidence + review, len(fates)))


def _classes(tallies: Sequence[Tally]) -> str:
    rows = (
        _counts(of_class.value, [one for one in tallies if one.operator.of_class is of_class])
        for of_class in MutationClass
    )
    return _table(_HEAD, rows)


def _operators(tallies: Sequence[Tally]) -> str:
    rows = ((*_counts(one.operator.name, [one]), one.operator.sentence) for one in tallies)
    return _table((*_HEAD, ""), rows)


_HEAD = ("", "tried", "evidence guard", "review", "missed", "caught")


def _counts(name: str, tallies: Sequence[Tally]) -> tuple[str, ...]:
    evidence, review = sum(one.by_evidence for one in tallies), sum(one.by_review for one in tallies)
    missed = sum(one.missed for one in tallies)
    caught = Rate(evidence + review, evidence + review + missed)
    return name, str(caught.of), str(evidence), str(review), str(missed), percent(caught)


def _misses(tallies: Sequence[Tally]) -> Iterable[str]:
    rows = [
        (one.operator.name, one.misses[0].draft, f"`{_code(one.misses[0].difference)}`")
        for one in tallies
        if one.misses
    ]
    if rows:
        yield "### What is missed"
        yield "One example an operator, as `place: …before[correct → wrong]after…`."
        yield _table(("operator", "draft", "difference"), rows)


def _code(text: str) -> str:
    return text.replace("`", "'").replace("|", "\\|")


def _dropped(dropped: Sequence[str]) -> Iterable[str]:
    if dropped:
        yield "### Caught less than before"
        yield "\n".join(f"- {one}" for one in dropped)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    marks = ["---" if at == 0 else "---:" for at in range(len(head))]
    lines = [head, marks, *rows]
    return "\n".join(f"| {' | '.join(one)} |" for one in lines)
