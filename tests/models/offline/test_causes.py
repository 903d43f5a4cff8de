"""Causes read out of documents of several forms, their telltales and what speaks against them."""

import pytest

from models.offline.causes import candidates, same_cause
from models.offline.markers import Marker, markers_in
from models.offline.reading import SeenItem
from tests.models.offline import incidents


def chunk(text, breadcrumb="", item_id="doc#chunk-0"):
    return SeenItem("c1", item_id, True, text, {"breadcrumb": breadcrumb})


def phrases(text, breadcrumb=""):
    return [cause.phrase for cause in candidates([chunk(text, breadcrumb)])]


@pytest.mark.parametrize(
    ("text", "breadcrumb", "expected"),
    [
        ("### Cause: pool too small\n\nIt is.", "Pools > Cause: pool too small", ["pool too small"]),
        ("### 原因：缓存被淘汰\n\n内存太小。", "缓存 > 原因：缓存被淘汰", ["缓存被淘汰"]),
        ("Look for `x=1`.", "Pools > Causes > Cause: pool too small", ["pool too small"]),
        ("Cause: bad key\nSee `E42`.\nCause: old key\nSee `E43`.", "Keys", ["bad key", "old key"]),
        (
            "## Possible causes\n\n- DNS is down: look.\n- The disk is full.",
            "Web",
            ["DNS is down", "The disk is full."],
        ),
        ("Timeouts are caused by slow statements of the report job.", "Web", ["slow statements of the report job"]),
        ("Restart the service.", "Web", []),
    ],
)
def test_causes_of_a_document(text, breadcrumb, expected):
    assert phrases(text, breadcrumb) == [phrase.rstrip(".") for phrase in expected]


def test_telltales_are_told_from_what_rules_out_and_from_remedies():
    cause = candidates([chunk(incidents.POOL_DOC)])[0]

    assert {m.text for m in cause.markers} == {
        "leak detection triggered",
        "Apparent connection leak",
        "idle=0",
        "Connection is not available",
    }
    assert {m.text for m in cause.against} == {"still waiting for"}


def test_denied_marker_is_none():
    assert markers_in("There is no `OOMKilled here` record, but `exit code 137`.") == (Marker("exit code 137", 1.0),)


def test_chunks_of_one_section_are_one_cause():
    one = chunk("### Cause: leak\n\nSee `first sign here`.", "D > Cause: leak", "d#chunk-1")
    two = chunk("See `second sign here`.", "D > Cause: leak", "d#chunk-2")

    assert [len(cause.markers) for cause in candidates([one, two])] == [2]


def test_twin_documents_name_the_same_cause():
    english, other = candidates(
        [
            chunk("### Cause: connection leak in new code", item_id="a#chunk-0"),
            chunk("### Cause: a leaked connection", item_id="b#chunk-0"),
        ]
    )

    assert same_cause(english, other)


@pytest.mark.parametrize(
    ("marker", "text", "found"),
    [
        ("idle=0", "active=20, idle=0, waiting=3", True),
        ("idle=0", "active=14, idle=06", False),
        ("idle=0", "active=14, idle=6", False),
        ("request timed out after <n>ms", "request timed out after 30001ms.", True),
        ("request timed out after 30000ms", "request timed out after 5000ms.", True),
        ("at 100%", "at 70%", False),
        ("HTTP 503", "HTTP 504", False),
        ("No space left", "no  space left on device", True),
        ("fsync", "doffsyncing", False),
    ],
)
def test_marker_is_found_only_where_it_stands(marker, text, found):
    assert bool(Marker(marker, 1.0).found_in(text)) is found
