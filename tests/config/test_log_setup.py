"""Log lines are structured, bounded and free of secrets, whoever writes them."""

import io
import json
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from config.log_setup import configure_logging


def redact(text: str) -> str:
    return text.replace("hunter2", "[secret]")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    target = io.StringIO()
    yield target
    logging.captureWarnings(False)
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_line_is_one_json_object_with_level_and_time(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    structlog.get_logger().info("run opened", run_id="r1", n=3)

    line = lines(stream)[0]
    assert (line["event"], line["run_id"], line["n"], line["level"]) == ("run opened", "r1", 3, "info")
    assert line["timestamp"].endswith("Z")


def test_lines_below_the_level_are_dropped(stream: io.StringIO) -> None:
    configure_logging("warning", "json", redact, stream)

    structlog.get_logger().info("quiet")

    assert stream.getvalue() == ""


def test_secrets_go_wherever_they_lie(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    structlog.get_logger().info(
        "pw hunter2", nested={"a": ["hunter2", {"b": "hunter2"}]}, api_key="abc", object=("hunter2",)
    )

    assert "hunter2" not in stream.getvalue()
    assert lines(stream)[0]["api_key"] == "[removed]"


def test_secret_in_a_traceback_is_removed(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    try:
        raise ValueError("connect with hunter2")
    except ValueError:
        structlog.get_logger().exception("failed")

    assert "hunter2" not in stream.getvalue()
    assert "ValueError" in lines(stream)[0]["exception"]


def test_library_lines_and_warnings_take_the_same_way(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    logging.getLogger("vendor").warning("token %s", "hunter2")
    logging.getLogger("vendor").info("prompt text")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old hunter2", stacklevel=1)

    assert [line["logger"] for line in lines(stream)] == ["vendor", "py.warnings"]
    assert "hunter2" not in stream.getvalue()


def test_long_value_is_cut(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    structlog.get_logger().info("x" * 5000)

    assert len(lines(stream)[0]["event"]) == 2001


def test_chinese_stays_readable(stream: io.StringIO) -> None:
    configure_logging("info", "json", redact, stream)

    structlog.get_logger().info("连接池耗尽")

    assert "连接池耗尽" in stream.getvalue()


def test_console_style_is_for_people_and_auto_follows_the_terminal(stream: io.StringIO) -> None:
    configure_logging("info", "console", redact, stream)
    structlog.get_logger().info("run opened", run_id="r1")
    assert not stream.getvalue().startswith("{")

    configure_logging("info", "auto", redact, stream)
    structlog.get_logger().info("again")
    assert stream.getvalue().splitlines()[-1].startswith("{")
