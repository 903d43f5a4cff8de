"""Items are generic, bounded and stable, and carry the configured kind."""

from typing import Any

import pytest

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Item, Projection, render_projection
from state.model.ids import ToolCallId
from tools.contract import Prepared, RawResult
from tools.mcp.definition import PinnedTool
from tools.mcp.evidence_tool import PROJECTION_CAP_BYTES, McpEvidenceTool
from tools.mcp.projecting import project_items


class _Nobody:
    async def call(self, tool: str, arguments: object) -> Any:
        raise AssertionError


def a_tool(kind: EvidenceKind = EvidenceKind.KNOWLEDGE) -> McpEvidenceTool:
    pinned = PinnedTool("ops", "deploys", "0" * 64, "Lists.", {"type": "object", "properties": {}}, kind)
    return McpEvidenceTool("mcp__ops__deploys", pinned, _Nobody(), timeout_s=5.0)


def projected(payload: dict[str, object], coverage: Coverage = Coverage.COMPLETE, **tool: Any) -> Projection:
    prepared = Prepared(normalised={"arguments": '{"n":1,"service":"pay"}'}, scope_key="k")
    return a_tool(**tool).project(ToolCallId("c1"), prepared, RawResult(payload=payload, coverage=coverage))


def items(*parts: dict[str, object]) -> tuple[Item, ...]:
    return project_items(
        {"parts": list(parts)}, kind=EvidenceKind.TELEMETRY, scope8="abcd1234", budget_bytes=10**6
    ).items


def texts(*parts: dict[str, object]) -> list[str]:
    return [item.text for item in items(*parts)]


def test_a_list_is_an_item_an_element() -> None:
    (first, second) = items({"json": {"result": [{"at": "2026-03-02", "ok": True, "n": 1.5, "x": None}, "plain"]}})

    assert first.text == "at=2026-03-02, ok=true, n=1.5, x=null"
    assert first.fields == {"at": "2026-03-02", "ok": True, "n": 1.5, "x": None}
    assert second.text == "plain"
    assert first.item_id.startswith("mcp:abcd1234:")


def test_scalars_of_an_object_stay_together_and_its_lists_are_elements() -> None:
    value = {"status": "ok", "total": 2, "pods": [{"name": "a"}, {"name": "b"}], "meta": {"v": [1]}}

    assert texts({"json": value}) == ["status=ok, total=2", "pods: name=a", "pods: name=b", "meta: v=[1]"]


def test_prose_is_paragraphs_or_lines() -> None:
    assert texts({"text": "first\nstill first\n\nsecond"}) == ["first\nstill first", "second"]
    assert texts({"text": "one\ntwo\n"}) == ["one", "two"]
    assert texts({"text": "x" * 4500}) == ["x" * 2000, "x" * 2000, "x" * 500]


def test_ids_are_stable_and_never_shared() -> None:
    once = items({"text": "same\nother\nsame"})
    again = items({"text": "same\nother\nsame"})

    ids = [item.item_id for item in once]
    assert ids == [item.item_id for item in again]
    assert len(set(ids)) == 3
    assert ids[2] == f"{ids[0]}:2"
    assert not any(item.identified for item in once)


@pytest.mark.parametrize("kind", list(EvidenceKind))
def test_items_carry_the_configured_kind(kind: EvidenceKind) -> None:
    found = projected({"parts": [{"json": [1, "a", {"b": 2}]}, {"text": "prose"}]}, kind=kind)

    assert {item.kind for item in found.items} == {kind}


def test_unread_contents_are_named_and_are_never_telemetry() -> None:
    payload: dict[str, object] = {"parts": [{"text": "up"}], "unread": ["image image/png"]}

    found = projected(payload, Coverage.PARTIAL, kind=EvidenceKind.TELEMETRY)

    assert found.items[-1].kind is EvidenceKind.KNOWLEDGE
    assert found.items[-1].text == "The reply also holds contents that were not read: image image/png."
    assert found.truncated


@pytest.mark.parametrize(
    "payload",
    [
        {"parts": []},
        {"parts": [{"json": {"result": []}}]},
        {"parts": [{"json": []}, {"text": " \n"}]},
        {"parts": [{"json": {"a": None, "b": {"c": []}}}]},
    ],
)
def test_an_empty_reply_is_no_evidence(payload: dict[str, object]) -> None:
    found = projected(payload)

    assert (found.evidence_status, found.items, found.total_matches) == (EvidenceStatus.NO_EVIDENCE, (), 0)


def test_zero_and_false_are_evidence() -> None:
    assert projected({"parts": [{"json": {"restarts": 0}}]}).evidence_status is EvidenceStatus.EVIDENCE_FOUND
    assert projected({"parts": [{"json": [0, False]}]}).evidence_status is EvidenceStatus.EVIDENCE_FOUND


def test_a_reply_of_which_nothing_can_be_shown_is_an_error() -> None:
    with pytest.raises(ToolFailed) as failed:
        projected({"parts": [{"text": "<b></b>\u200b"}]})

    assert failed.value.code is ToolCode.PROJECTION_ERROR


@pytest.mark.parametrize(
    "parts",
    [
        [{"json": [{f"f{n}": "漢" * 190 for n in range(60)} for _ in range(300)]}],
        [{"text": "\n".join('"quoted\\" line ' * 40 for _ in range(500))}],
        [{"json": ["\\" * 100_000]}],
    ],
)
def test_a_projection_stays_under_its_cap_and_says_that_it_was_cut(parts: list[object]) -> None:
    found = projected({"parts": parts})

    assert found.items
    assert found.truncated
    assert len(render_projection(found).encode()) <= PROJECTION_CAP_BYTES


def test_the_scope_names_server_and_arguments() -> None:
    scope = projected({"parts": [{"text": "x"}]}).scope

    assert (scope.source, scope.filters, scope.window) == ("ops", {"n": "1", "service": "pay"}, None)
