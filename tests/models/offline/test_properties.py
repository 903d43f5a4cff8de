"""Whatever the messages hold, a role answers in its own form and never raises."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from models.offline import OfflineReasoner, Role
from models.offline.review.reviewing import review
from models.offline.sentences import sentences
from models.offline.terms import terms
from tests.models.offline import incidents
from tests.models.offline.player import Player, log

TOOLS = incidents.leak().tools()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
WEIRD = st.text(max_size=200) | st.sampled_from(
    [
        "`",
        "``` `",
        "“”“",
        "## \n### ",
        "**",
        "Cause:",
        "原因：",
        "\x00\u202e",
        "(((((",
        "9" * 300,
        "a" * 3000,
        "\\d+(",
        "2026-99-99T99:99:99Z",
    ]
)
FIELDS = st.dictionaries(
    st.sampled_from(["ts", "service", "level", "count", "count_before", "breadcrumb", "changed_at", "x"]),
    JSON,
    max_size=5,
)
ITEMS = st.lists(
    st.fixed_dictionaries(
        {
            "item_id": st.sampled_from(
                ["log:a:1:x", "pat:1:2", "row:deployments:1", "row:aabbccdd:1", "doc#chunk-1", "::", "x"]
            ),
            "kind": st.sampled_from(["TELEMETRY", "KNOWLEDGE", "OTHER"]),
            "text": WEIRD,
            "fields": FIELDS,
        }
    )
    | JSON,
    max_size=6,
)
ANSWERS = (
    st.fixed_dictionaries(
        {
            "tool_call_id": st.just("call_1"),
            "evidence_status": st.sampled_from(["EVIDENCE_FOUND", "NO_EVIDENCE", "ERROR", "?"]),
            "items": ITEMS,
            "scope": JSON,
            "total_matches": JSON,
        }
    )
    | JSON
)


@settings(max_examples=120, deadline=None)
@given(question=WEIRD, answer=ANSWERS, tool=st.sampled_from(["query_logs", "query_sql", "lookup_knowledge", "nope"]))
def test_agent_answers_any_observation_with_one_call(question, answer, tool):
    call = {"name": tool, "args": {"previous_observation": None, "input": {}}, "id": "call_1"}
    messages = [
        HumanMessage(json.dumps({"question": question, "language": "zh", "now": question, "window": answer})),
        AIMessage(content="", tool_calls=[call]),
        ToolMessage(json.dumps(answer), tool_call_id="call_1"),
    ]

    assert len(OfflineReasoner(role=Role.AGENT).invoke(messages, tools=TOOLS).tool_calls) == 1


@settings(max_examples=60, deadline=None)
@given(content=WEIRD | JSON.map(json.dumps), role=st.sampled_from([Role.ROUTER, Role.REPAIR, Role.SEMANTIC]))
def test_other_roles_answer_anything_with_a_json_object(content, role):
    reply = OfflineReasoner(role=role).invoke([HumanMessage(content or " ")])

    assert isinstance(json.loads(reply.content), dict)


@settings(max_examples=60, deadline=None)
@given(text=WEIRD, shown=WEIRD, question=WEIRD, fields=FIELDS, kind=st.sampled_from(["ROOT_CAUSE", "OBSERVATION"]))
def test_reviewer_never_supports_what_no_evidence_says(text, shown, question, fields, kind):
    evidence = [
        {
            "ref": "E1",
            "kind": "KNOWLEDGE",
            "tool": "t",
            "evidence_status": "EVIDENCE_FOUND",
            "text": shown,
            "fields": fields,
        }
    ]
    request = {"question": question, "draft": {"conclusion": {"kind": kind, "text": text}}, "evidence": evidence}

    assert review(request)["verdict"] == "UNSUPPORTED"


@settings(max_examples=100, deadline=None)
@given(WEIRD)
def test_sentences_are_verbatim_and_terms_total(text):
    assert all(sentence in text for sentence in sentences(text))
    assert all(term[1] == ":" for term in terms(text))


@settings(max_examples=12, deadline=None)
@given(noise=st.lists(st.tuples(st.integers(0, 59), WEIRD, st.sampled_from(["INFO", "WARN"])), max_size=6))
def test_noise_of_other_services_never_changes_the_blamed_one(noise):
    world = incidents.leak()
    world.logs += [log(f"2026-03-04T09:{m:02d}:30+00:00", "web", level, text) for m, text, level in noise]
    played = Player(world, "Why do payments time out in pay-api since 10:10?").play()

    assert played.conclusion is None or played.text.startswith("pay-api: connection leak")
