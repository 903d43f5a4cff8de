"""One entry is read strictly; a bad one is counted and the rest is kept."""

from datetime import UTC, datetime

import pytest

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tests.tools.alerts.conftest import entry
from tools.alerts.entries import BadEntry, read_alertmanager, read_entries, read_prometheus
from tools.alerts.fingerprint import fingerprint
from tools.alerts.port import AlertState


def test_the_fingerprint_is_the_one_of_prometheus():
    """`prometheus/common`, ``model/fnv_test.go`` and ``signature_test.go``: the empty set is FNV's offset."""
    assert fingerprint({}) == "cbf29ce484222325"
    assert fingerprint({"fear": "love is not enough", "name": "garland, briggs"}) == f"{5799056148416392346:016x}"


def test_an_alert_of_alertmanager_is_read():
    alert = read_alertmanager(entry(fingerprint="0123456789abcdef", startsAt="2026-11-30T18:40:00.123456789+08:00"))

    assert (alert.fingerprint, alert.name, alert.state) == ("0123456789abcdef", "HighErrorRate", AlertState.FIRING)
    assert alert.starts_at == datetime(2026, 11, 30, 10, 40, 0, 123456, tzinfo=UTC)
    assert alert.labels == {"alertname": "HighErrorRate", "service": "pay"}
    assert alert.annotations == {"summary": "HighErrorRate is firing"}


@pytest.mark.parametrize("given", [None, "", "XYZ", 7, "0123456789ABCDEF"])
def test_a_missing_or_odd_fingerprint_is_computed(given):
    assert read_alertmanager(entry(fingerprint=given)).fingerprint == fingerprint(
        {"alertname": "HighErrorRate", "service": "pay"}
    )


def test_what_is_not_set_may_be_absent():
    alert = read_alertmanager(
        {"labels": {"alertname": "A"}, "startsAt": "2026-11-30T10:00:00Z", "endsAt": "0001-01-01T00:00:00Z"}
    )

    assert (alert.state, alert.ends_at, alert.annotations) == (AlertState.FIRING, None, {})


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        {},
        {"labels": {}, "startsAt": "2026-11-30T10:00:00Z"},
        entry() | {"labels": {"a": 1}},
        entry() | {"labels": {f"l{n}": "x" for n in range(65)}},
        entry() | {"annotations": {"a": ["x"]}},
        entry() | {"annotations": "x"},
        entry() | {"startsAt": None},
        entry() | {"startsAt": "0001-01-01T00:00:00Z"},
        entry() | {"startsAt": "soon"},
        entry() | {"startsAt": 1796032800},
        entry() | {"startsAt": "9" * 5000},
        entry() | {"endsAt": "99999-01-01T00:00:00Z"},
        entry() | {"status": {"state": "odd"}},
        entry() | {"status": {"state": ["active"]}},
        entry() | {"status": "active"},
    ],
    ids=lambda bad: str(bad)[:50],
)
def test_what_is_no_alert_is_refused(bad):
    with pytest.raises(BadEntry):
        read_alertmanager(bad)


def test_bad_entries_are_counted_and_the_rest_is_kept():
    page = read_entries([entry("A"), 7, entry("B") | {"startsAt": "soon"}], read_alertmanager)

    assert [alert.name for alert in page.alerts] == ["A"]
    assert [(one.name, one.why) for one in page.unread] == [("2 of 3 entries", "bad_entries")]


def test_of_the_same_alert_twice_the_later_episode_counts():
    page = read_entries([entry(start="11:00:00"), entry(start="09:00:00")], read_alertmanager)

    assert [alert.starts_at.hour for alert in page.alerts] == [11]


@pytest.mark.parametrize(("entries", "code"), [({}, ToolCode.TOOL_EXECUTION_ERROR), (None, ToolCode.TOOL_EXECUTION_ERROR), ([7] * 10_001, ToolCode.RESULT_TOO_LARGE)])  # fmt: skip
def test_what_is_no_bounded_list_is_an_error(entries, code):
    with pytest.raises(ToolFailed) as failed:
        read_entries(entries, read_alertmanager)

    assert failed.value.code is code


def test_an_alert_of_prometheus_is_read():
    alert = read_prometheus(
        {
            "labels": {"alertname": "A"},
            "annotations": {},
            "state": "pending",
            "activeAt": "2026-11-30T10:00:00Z",
            "value": "3.7e+01",
        }
    )

    assert (alert.state, alert.value, alert.fingerprint) == (AlertState.PENDING, 37.0, fingerprint({"alertname": "A"}))


@pytest.mark.parametrize("value", ["NaN", "+Inf", "much", None])
def test_a_value_that_is_no_number_is_left_out(value):
    given = {"labels": {"alertname": "A"}, "state": "firing", "activeAt": "2026-11-30T10:00:00Z", "value": value}

    assert read_prometheus(given).value is None
