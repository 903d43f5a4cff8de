"""The whole way with the embedding model that is shipped: meaning across words and languages."""

import pytest

from models.embedding import thresholds_for
from models.embedding_packaged import PackagedEmbedder
from tests.tools.knowledge.sample_docs import SCOPE, open_base, write_docs
from tools.knowledge.ingest import ingest_folder
from tools.knowledge.search import search
from tools.knowledge.selection import SearchPolicy


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    folder = write_docs(tmp_path_factory.mktemp("docs"))
    with open_base(tmp_path_factory.mktemp("home"), PackagedEmbedder()) as base:
        ingest_folder(base, folder, kb_scope=SCOPE)
        yield base


@pytest.fixture(scope="module")
def policy():
    precise_min, reference_min = thresholds_for(PackagedEmbedder.name)
    return SearchPolicy(precise_min=precise_min, reference_min=reference_min)


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("our app cannot get a free database connection", "database/pool.md"),
        ("应用拿不到数据库连接", "database/pool.md"),
        ("证书过期", "network/tls.md"),
        ("messages pile up in the queue", "messaging/backlog.md"),
    ],
)
def test_a_question_in_other_words_or_another_language_finds_its_document(shipped, policy, question, path):
    found = search(shipped, policy, question, kb_scope=SCOPE, category=None)

    assert found.selection.graded[0].hit.path == path


@pytest.mark.parametrize("question", ["What is the best pizza place in town?", "帮我写一首关于春天的诗"])
def test_a_question_on_another_subject_finds_nothing(shipped, policy, question):
    assert search(shipped, policy, question, kb_scope=SCOPE, category=None).selection.graded == ()
