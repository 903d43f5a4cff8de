"""Infrastructure identifiers become placeholders and come back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.model.placeholders import PLACEHOLDER, PlaceholderMap, mask, mask_json, unmask, unmask_json

EMPTY = PlaceholderMap()

IDENTIFIERS = [
    ("10.42.0.17", "ip"),
    ("2001:db8::8a2e:370:7334", "ip"),
    ("fe80::1", "ip"),
    ("ip-10-0-1-5.ec2.internal", "host"),
    ("db-3.prod.example.com", "host"),
    ("payments.prod.svc.cluster.local", "host"),
    ("payments-7d9f8c6b5-x2k4j", "pod"),
    ("order-service-ab2d9f1c0-9ab31", "pod"),
]


@pytest.mark.parametrize(("value", "kind"), IDENTIFIERS)
def test_an_identifier_becomes_a_placeholder_of_its_kind(value, kind):
    masked, added = mask(f"connect to {value}, then {value} again", EMPTY)

    assert masked == f"connect to <{kind}-1>, then <{kind}-1> again"
    assert added == {f"<{kind}-1>": value}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("http://10.0.0.1:8080/x and [2001:db8::2]:443", "http://<ip-1>:8080/x and [<ip-2>]:443"),
        ("https://api.example.com/v1", "https://<host-1>/v1"),
        ("pid=4711 sshd[812]: process 4711 still waiting", "pid=<pid-1> sshd[<pid-2>]: process <pid-1> still waiting"),
        ("host=db pod=kafka-0 done", "host=<host-1> pod=<pod-1> done"),
    ],
)
def test_identifiers_are_found_in_their_usual_surroundings(text, masked):
    assert mask(text, EMPTY)[0] == masked


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30T12:00:01.123+08:00 took 12:00:01 in aa:bb:cc",
        "org.apache.kafka.clients.consumer.ConsumerConfig java.net.SocketTimeoutException java.io.IOException",
        "version 2.14.4 Chrome/120.0.0.0 127.0.0.1 ::1 0.0.0.0",
        "SELECT o.id FROM public.orders o; application.log main.py spring.datasource.url",
        "std::string abc::def task-status-report upstream-response-error 550e8400-e29b-41d4-a716-446655440000",
        "log:app:2026-11-30T12:00:01.123Z:ab12cd34 pat:0a1b2c3d:4e5f6a7b",
        "支付服务在10点05分超时，耗时30000毫秒",
        "HikariPool-1 - Pool stats (total=10, active=10, idle=0, waiting=37)",
    ],
)
def test_what_is_no_identifier_stays(text):
    assert mask(text, EMPTY) == (text, {})


def test_known_values_keep_their_placeholder_and_new_ones_count_on():
    known = PlaceholderMap(entries={"<ip-1>": "10.0.0.1"})

    masked, added = mask("10.0.0.2 and 10.0.0.1", known)

    assert masked == "<ip-2> and <ip-1>"
    assert known.grown(added).entries == {"<ip-1>": "10.0.0.1", "<ip-2>": "10.0.0.2"}


def test_a_placeholder_is_never_rebound():
    known = PlaceholderMap(entries={"<ip-1>": "10.0.0.1"})

    assert known.grown({"<ip-1>": "10.9.9.9"}).entries["<ip-1>"] == "10.0.0.1"


def test_host_names_without_a_domain_are_masked_when_they_are_known():
    assert mask("db-3 is down", EMPTY, hosts=["db-3"])[0] == "<host-1> is down"
    assert mask("db-3 is down", EMPTY)[0] == "db-3 is down"


def test_identifier_fields_are_masked_whole_and_wherever_else_they_stand():
    value = {"events": [{"pod": "kafka-0", "pid": 77, "text": "kafka-0 lost node-7"}], "node": "node-7", "n": 5}

    masked, added = mask_json(value, EMPTY)

    assert masked == {
        "events": [{"pod": "<pod-1>", "pid": "<pid-1>", "text": "<pod-1> lost <host-1>"}],
        "node": "<host-1>",
        "n": 5,
    }
    assert unmask_json(masked, PlaceholderMap(entries=added))["events"][0]["text"] == "kafka-0 lost node-7"


def test_a_field_name_that_is_also_a_service_does_not_hide_the_service():
    masked, _ = mask_json({"host": "payments", "text": "payments failed"}, EMPTY)

    assert masked == {"host": "<host-1>", "text": "payments failed"}


def test_text_that_imitates_a_placeholder_is_not_resolved_to_a_value():
    masked, added = mask("<ip-1> is 10.0.0.1", EMPTY)

    assert masked == "<literal-1> is <ip-1>"
    assert unmask(masked, PlaceholderMap(entries=added)) == "<ip-1> is 10.0.0.1"


def test_a_host_field_that_imitates_a_placeholder_does_not_capture_a_real_one():
    value = {"host": "<ip-1>", "text": "10.42.0.17"}

    masked, added = mask_json(value, EMPTY)

    assert unmask_json(masked, PlaceholderMap(entries=added)) == value


def test_an_unknown_placeholder_stays():
    assert unmask("<ip-9>", EMPTY) == "<ip-9>"


PIECES = st.sampled_from(
    [value for value, _ in IDENTIFIERS] + ["<ip-1>", "<host-2>", "pid=12", "sshd[3]:", "host=db-1"]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=8).map(" ".join) | st.lists(PIECES, max_size=4).map("".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(TEXTS, max_size=3))
def test_unmasking_gives_the_original_back(texts):
    known = EMPTY
    masked = []
    for text in texts:
        result, added = mask(text, known)
        known = known.grown(added)
        masked.append(result)

    assert [unmask(text, known) for text in masked] == texts


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["pod", "host", "text", "ip", "x"]), TEXTS, max_size=4))
def test_unmasking_json_gives_the_original_back(value):
    masked, added = mask_json([value, {"text": "db-1"}], EMPTY)

    assert unmask_json(masked, PlaceholderMap(entries=added)) == [value, {"text": "db-1"}]


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_equal_values_get_equal_placeholders(text):
    _, added = mask(text, EMPTY)

    assert all(PLACEHOLDER.fullmatch(holder) for holder in added)
    assert len({(holder.rpartition("-")[0], value) for holder, value in added.items()}) == len(added)
