"""A reply is read as plain bounded JSON; what is no text is counted and named, never fetched."""

from typing import Any

import pytest
from mcp_types import CallToolResult, EmbeddedResource, ImageContent, ResourceLink, TextContent, TextResourceContents

from state.model.enums import Coverage, ToolCode
from state.model.errors import ToolFailed
from tools.mcp.content import read_result


def said(*texts: str, **over: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text) for text in texts], **over)


def test_prose_and_json_texts_are_told_apart() -> None:
    raw = read_result(said("two errors", '{"a": 1}', '["x"', "[1]"))

    assert raw.payload["parts"] == [{"text": "two errors"}, {"json": {"a": 1}}, {"text": '["x"'}, {"json": [1]}]
    assert raw.coverage is Coverage.COMPLETE


def test_texts_that_repeat_the_structured_content_are_left_out() -> None:
    rows = [{"a": 1}, {"a": 2}]

    raw = read_result(said('{"a": 1}', '{"a":2}', "and prose", structured_content={"result": rows}))

    assert raw.payload["parts"] == [{"json": {"result": rows}}, {"text": "and prose"}]


def test_a_wrapped_text_is_a_text() -> None:
    raw = read_result(said("line\nline", structured_content={"result": "line\nline"}))

    assert raw.payload["parts"] == [{"text": "line\nline"}]


def test_what_is_no_text_is_named_and_makes_the_reply_partial() -> None:
    link = ResourceLink(type="resource_link", uri="file:///etc/passwd", name="x")
    document = EmbeddedResource(type="resource", resource=TextResourceContents(uri="mem://a", text="secret text"))
    image = ImageContent(type="image", data="QUJD", mime_type="image/<b>png</b>")

    raw = read_result(CallToolResult(content=[link, document, image]))

    assert raw.payload == {
        "parts": [],
        "unread": ["link file:///etc/passwd", "document mem://a", "image image/png"],
    }
    assert raw.coverage is Coverage.PARTIAL


def test_many_are_counted() -> None:
    image = ImageContent(type="image", data="", mime_type="image/png")

    unread = read_result(CallToolResult(content=[image] * 500)).payload["unread"]

    assert isinstance(unread, list)
    assert len(unread) == 11
    assert unread[-1] == "490 more"


@pytest.mark.parametrize(
    "more", [{"nextCursor": "x"}, {"has_more": True}, {"truncated": True}, {"next_page_token": "t"}]
)
def test_a_reply_that_says_there_is_more_is_partial(more: dict[str, Any]) -> None:
    assert read_result(said(structured_content={"items": [], **more})).coverage is Coverage.PARTIAL


@pytest.mark.parametrize("all_of_it", [{"nextCursor": None}, {"has_more": False}, {"more": 1}])
def test_a_reply_that_says_there_is_no_more_is_complete(all_of_it: dict[str, Any]) -> None:
    assert read_result(said(structured_content={"items": [], **all_of_it})).coverage is Coverage.COMPLETE


def test_an_error_of_the_server_is_ours_and_its_words_stay_in_the_log() -> None:
    with pytest.raises(ToolFailed) as failed:
        read_result(said("cannot <b>connect</b>\nto db", is_error=True))

    assert failed.value.code is ToolCode.TOOL_EXECUTION_ERROR
    assert failed.value.log_detail == "the server says: cannot connect to db"


def _nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**40, _nested(40)])
def test_what_no_store_can_hold_is_an_error(value: object) -> None:
    with pytest.raises(ToolFailed):
        read_result(said(structured_content={"a": value, "b": 1}))


def test_a_text_that_holds_such_a_value_is_prose() -> None:
    text = "[" * 50 + "]" * 50

    assert read_result(said(text, '{"a": NaN}')).payload["parts"] == [{"text": text}, {"text": '{"a": NaN}'}]


@pytest.mark.parametrize(
    "reply",
    [
        said("[" + "[]," * 50_000 + "[]]"),
        said(*["[1]"] * 50_000),
        said(structured_content={"result": [[]] * 70_000}),
        said("[" + "[]," * 200_000 + "[]]", structured_content={"a": 1}),
    ],
)
def test_a_reply_over_the_cap_is_refused_before_anything_of_it_is_decoded(
    reply: CallToolResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decode(text: str) -> object:
        raise AssertionError(text[:20])

    monkeypatch.setattr("tools.mcp.content.json.loads", decode)
    with pytest.raises(ToolFailed) as failed:
        read_result(reply)

    assert failed.value.code is ToolCode.RESULT_TOO_LARGE
