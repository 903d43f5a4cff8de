"""Optional stages of a search, over the real index."""

import pytest

from state.model.errors import ModelFailed
from tests.tools.knowledge.sample_docs import SCOPE
from tools.knowledge.index_port import IndexUnavailable
from tools.knowledge.search import search
from tools.knowledge.selection import SearchPolicy
from tools.knowledge.stages import Outcome, Stages

POLICY = SearchPolicy(precise_min=0.5, reference_min=0.05)
QUESTION = "certificate handshake chain intermediate expired"


class Backwards:
    """Likes the last passage best."""

    name = "backwards"
    seen: tuple[str, ...] = ()

    def scores(self, question, passages):
        self.seen = tuple(passages)
        return list(range(len(passages)))


class Gives:
    """Returns or raises what it is given, as reranker and as rewriter."""

    name = "gives"

    def __init__(self, value):
        self.value = value

    def scores(self, question, passages):
        return self._given()

    def rewrite(self, question):
        return self._given()

    def _given(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


def ask(base, stages=None, *, policy=POLICY, question=QUESTION, category=None):
    return search(base, policy, question, kb_scope=SCOPE, category=category, stages=stages or Stages())


def told(found):
    return [(item.hit.evidence_key, round(item.quality, 4), item.level) for item in found.selection.graded]


def test_a_reranker_reorders_what_is_worth_and_leaves_every_quality_as_it_is(base):
    plain, turned = ask(base), ask(base, Stages(reranker=Backwards()))

    assert len(told(plain)) > 1
    assert told(turned) == told(plain)[::-1]
    assert [(run.stage, run.name, run.outcome) for run in turned.stages] == [("rerank", "backwards", Outcome.APPLIED)]


def test_a_reranker_sees_only_what_passed_the_gate(base):
    reranker = Backwards()

    found = ask(base, Stages(reranker=reranker), policy=POLICY.model_copy(update={"reference_min": 0.2}))

    assert 0 < len(reranker.seen) < len(found.candidates)


FAILURES = [
    ModelFailed("timeout", retryable=True),
    ValueError("x"),
    ConnectionError("x"),
    [],
    [float("nan")] * 50,
    ["a"],
    None,
]


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_a_reranker_that_fails_is_left_out_and_told(base, failure):
    found = ask(base, Stages(reranker=Gives(failure)))

    assert told(found) == told(ask(base))
    assert [run.outcome for run in found.stages] == [Outcome.FAILED]


def test_a_rewriter_changes_what_is_found_and_not_how_good_it_is(base):
    asked = "zebra xylophone"
    found = ask(base, Stages(rewriter=Gives("the certificate expired")), question=asked, policy=POLICY)

    assert found.searched == "the certificate expired"
    assert found.candidates[0].hit.path == "network/tls.md"
    best = found.candidates[0].hit
    (again,) = base.index.fetch([best.evidence_key], kb_scope=SCOPE, vector=base.query_vector(asked))
    assert best.cosine == pytest.approx(again.cosine, abs=1e-6)


@pytest.mark.parametrize(
    "failure", [ModelFailed("timeout", retryable=True), ValueError("x"), "", "?!", "x" * 1001, None]
)
def test_a_rewriter_that_fails_leaves_the_question_as_asked(base, failure):
    found = ask(base, Stages(rewriter=Gives(failure)))

    assert (found.searched, told(found)) == (QUESTION, told(ask(base)))
    assert [run.outcome for run in found.stages] == [Outcome.FAILED]


def test_the_retry_without_a_category_asks_the_original_question(base):
    found = ask(
        base, Stages(rewriter=Gives("zebra")), category="消息", policy=POLICY.model_copy(update={"reference_min": 0.2})
    )

    assert len(found.tried) == 2
    assert (found.searched, found.selection.graded[0].hit.path) == (QUESTION, "network/tls.md")


class NoFetch:
    """An index that cannot fetch by key."""

    def __init__(self, index):
        self._index = index

    def __getattr__(self, name):
        return getattr(self._index, name)

    def fetch(self, *_, **__):
        raise IndexUnavailable("fetch")


class Without:
    """A knowledge base with another index."""

    def __init__(self, base, index):
        self._base, self.index = base, index

    def __getattr__(self, name):
        return getattr(self._base, name)


def test_neighbours_that_cannot_be_fetched_cost_only_themselves(base):
    policy = POLICY.model_copy(update={"neighbours": 1})

    found = ask(Without(base, NoFetch(base.index)), policy=policy)

    assert (told(found), found.neighbours) == (told(ask(base)), ())
    assert [(run.stage, run.outcome) for run in found.stages] == [("neighbours", Outcome.FAILED)]
