"""Records that say the same become one pattern; different words never blend."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.logs.port import LogEvent
from tools.logs.shapes import BLANK, mine_templates, shape_of

START = datetime(2026, 11, 30, 12, tzinfo=UTC)


def events(*texts: str, service: str = "pay", level: str = "INFO", offset: int = 0) -> list[LogEvent]:
    return [
        LogEvent(START + timedelta(seconds=offset + n), service, level, text, "", f"{service}:{offset + n}")
        for n, text in enumerate(texts)
    ]


def texts(found: list[LogEvent], before: list[LogEvent] | None = None) -> dict[str, tuple[int, int]]:
    return {one.text: (len(one.events), one.n_before) for one in mine_templates(found, before or [])}


def test_values_that_differ_become_blanks_and_equal_ones_stay():
    found = events("timed out after 30000ms (active=10, waiting=3)", "timed out after 30000ms (active=10, waiting=14)")

    assert texts(found) == {"timed out after 30000ms (active=10, waiting=<*>)": (2, 0)}


def test_different_words_stay_different_patterns():
    found = events("connection refused by 10.0.0.1", "connection reset by 10.0.0.1", "state=UP", "state=DOWN")

    assert len(texts(found)) == 4


def test_exception_classes_stay_apart():
    assert len(texts(events("java.io.IOException: a", "java.net.ConnectException: a"))) == 2


def test_paths_and_ids_of_any_form_blend():
    found = events(
        "GET /a/b 200 trace=4bf92f3577b34da6 pod=pay-7d9f8c6b5-x2k4j",
        "GET /c/d 200 trace=00f067aa0ba902b7 pod=pay-5c8d7f9b4-q9w8e",
        "GET /e 200 trace=12f067aa0ba902b7 pod=pay-5c8d7f9b4-q9w8e",
    )

    assert texts(found) == {"GET <*> 200 trace=<*> pod=<*>": (3, 0)}


def test_a_pattern_belongs_to_one_service_and_level():
    found = [*events("x"), *events("x", level="WARN", offset=5), *events("x", service="other", offset=9)]

    assert len(mine_templates(found)) == 3


def test_the_earlier_count_respects_the_values_the_text_states():
    found = events("pool active=10 idle=0", "pool active=10 idle=0")
    before = events("pool active=3 idle=7", "pool active=10 idle=0", "pool active=4 idle=6")

    assert texts(found, before) == {"pool active=10 idle=0": (2, 1)}


def test_the_earlier_count_includes_other_shapes_of_the_same_template():
    found = events("GET /a/1 done", "GET /b/2 done")
    before = events("GET /zzz done", "GET /a/9 done", "GET /a/9 failed")

    assert texts(found, before) == {"GET <*> done": (2, 2)}


def test_stack_frames_take_no_part_but_the_exception_does():
    found = events(
        "failed\njava.io.IOException: x\n\tat a.b.C(D.java:1)", "failed\njava.io.IOException: x\n\tat z(Z.java:9)"
    )

    assert texts(found) == {"failed java.io.IOException: x": (2, 0)}


def test_chinese_messages_have_patterns_too():
    found = events("转发失败 状态=504 耗时=3000ms", "转发失败 状态=504 耗时=2999ms", "号源不足 剩余=0")

    assert texts(found) == {"转发失败 状态=504 耗时=<*>ms": (2, 0), "号源不足 剩余=0": (1, 0)}


def test_a_blank_written_by_the_software_is_a_value():
    assert texts(events("a <*> 1", "a <*> 2")) == {"a <*> <*>": (2, 0)}


def test_an_empty_message_is_a_pattern():
    assert list(texts(events("", ""))) == [""]


MESSAGES = st.lists(
    st.sampled_from(["GET", "/a/1", "/b", "x=1", "y=22ms", "失败", "<*>", "10.0.0.1", "", "a1b2c3", "\n", "done"]),
    max_size=6,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.lists(MESSAGES, max_size=12), st.randoms(use_true_random=False))
def test_every_record_is_in_one_pattern_and_order_does_not_matter(messages, random):
    found = events(*messages)
    shuffled = list(found)
    random.shuffle(shuffled)

    ours = {(one.text, len(one.events)) for one in mine_templates(found)}
    theirs = {(one.text, len(one.events)) for one in mine_templates(shuffled)}

    assert ours == theirs
    assert sum(len(one.events) for one in mine_templates(found)) == len(messages)


@settings(max_examples=100, deadline=None)
@given(MESSAGES)
def test_a_single_record_is_its_own_pattern(message):
    (template,) = mine_templates(events(message), events(message))

    assert template.n_before == 1
    assert BLANK not in template.text or BLANK in message


def test_the_shape_of_a_record_is_computed_once():
    (event,) = events("took 5 ms")

    assert shape_of(event) == event.shape == "took <*> ms"
