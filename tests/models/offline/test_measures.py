"""Series and alerts as events: which way they moved, whom they concern, and what they do and do not prove."""

import pytest

from models.offline.causes import candidates, is_document
from models.offline.holdings import read_alerts, read_metrics
from models.offline.markers import Marker, markers_in
from models.offline.measures import measure_of, names_metric, shift_words
from models.offline.ranking import rank
from models.offline.reading import SeenItem
from models.offline.soundness import is_belied_by
from models.offline.telemetry import event_of
from models.offline.trends import told_trend
from models.offline.weighing import Scene

METRICS = """Read metrics of one source in a time window.
start and end: ISO 8601.
source metrics (metric only, no expr): 2026-03-04T05:00:00+00:00 to 2026-03-04T11:00:00+00:00; 3 metrics
  label service: pay-api, mailer and 2 more
  pool_waiting: service
  wait_seconds_sum (counter, s): service, route
  build_info
"""
ALERTS = """List the alerts of one source as of now.
source alerts: 2 alerts when this was read; labels: alertname, service; alert names: PoolDry, TrayLow, and 3 more
"""
DOC = "### Cause: pool runs dry\n\nThe service logs `no free connection left`, and `pool_waiting` climbs."


def series(*, before=2.0, after=40.0, service="pay-api", at="2026-03-04T10:05:00+00:00", **fields):
    told = {"min": 1.5, "mean": 30, "max": 42, "change": 9.0, "before_mean": 2} | fields
    told |= {"change_at": at, "level_before": before, "level_after": after} if at else {}
    clause = f"; level shifted between 2026-03-04T10:04:00+00:00 and {at} from {before} to {after}" if at else ""
    text = f'pool_waiting{{service="{service}"}}: mean 30, min 1.5, max 42, last 40{clause}; points: 1'
    return SeenItem("c1", f"ser:00000000:{service}", is_knowledge=False, text=text, fields=told)


def flat():
    return series(at="", change=0.01, min=1.9, mean=2.0, max=2.1)


def scene(*items, chain=("pay-api",)):
    return Scene(tuple(map(event_of, items)), chain=frozenset(chain))


def document(text=DOC):
    return SeenItem("k", "d#chunk-1", is_knowledge=True, text=text, fields={"title": "Pool"})


@pytest.mark.parametrize(
    ("item", "trend"),
    [
        (series(), "up"),
        (series(before=40.0, after=2.0), "down"),
        (series(before=40.0, after=45.0), ""),
        (flat(), "flat"),
        (series(at="", change=0.01, min=1.9, mean=2.0, max=40.0), ""),
        (series(at="", change=1.5), "up"),
        (series(at="", change=None), ""),
    ],
)
def test_a_series_moves_only_where_its_level_clearly_changed(item, trend):
    assert measure_of(item).trend == trend


@pytest.mark.parametrize(
    ("text", "trend"),
    [
        ("`a_b` climbs to its limit", "up"),
        ("`a_b` falls while `c_d` rises", "down"),
        ("`a_b` and `c_d` rise", "up"),
        ("`a_b` drops to zero", "down"),
        ("`a_b` stays flat", "flat"),
        ("`a_b` does not rise", "flat"),
        ("a jump of `a_b`", "up"),
        ("`a_b` 持续上升", "up"),
        ("`a_b` 明显下降", "down"),
        ("`a_b` 保持平稳", "flat"),
        ("look at `a_b`", ""),
    ],
)
def test_the_words_around_a_metric_say_which_way_it_goes(text, trend):
    start = text.index("`a_b`")

    assert told_trend(text, start, start + 5) == trend


@pytest.mark.parametrize(
    ("words", "is_named"),
    [
        ("pool_waiting", True),
        ("rate(pool_waiting[5m])", True),
        ('pool_waiting{service="pay-api"}', True),
        ('pool_waiting{service="mailer"}', False),
        ("pool_waiting_max", False),
        ("waiting", False),
    ],
)
def test_a_document_names_a_series_by_its_whole_name_and_agreeing_labels(words, is_named):
    assert names_metric(words, measure_of(series())) is is_named


def test_a_series_of_the_incident_is_a_telltale_and_one_of_another_service_is_not():
    own, other = (rank(candidates([document()]), scene(series(service=name)))[0] for name in ("pay-api", "mailer"))

    assert own.telltale == pytest.approx(0.4)
    assert other.telltale == 0


def test_a_series_that_did_not_move_or_moved_the_other_way_belies_the_cause():
    marker = next(m for m in markers_in(DOC) if m.text == "pool_waiting")

    assert marker.trend == "up"
    assert is_belied_by(marker, scene(flat()))
    assert is_belied_by(marker, scene(series(before=40.0, after=2.0)))
    assert not is_belied_by(marker, scene(series()))
    assert not is_belied_by(marker, scene(series(service="mailer", before=40.0, after=2.0)))


def test_a_metric_judged_to_tell_nothing_belies_the_cause_though_it_is_shown_no_more():
    bare = Scene((), vain_metrics=frozenset({"pool_waiting"}))

    assert is_belied_by(Marker("pool_waiting", 0.4, "up"), bare)


def test_a_flat_failure_counter_is_no_failure():
    item = SeenItem(
        "c", "ser:0:1", is_knowledge=False, text="http_errors_total: constant 0 until x", fields={"change": 0}
    )

    assert not event_of(item).is_error
    assert not event_of(item).is_notable


def test_an_alert_is_notable_while_it_fires_and_its_annotation_is_no_document():
    fields = {"alertname": "PoolDry", "labels": '{service="pay-api"}', "state": "firing"}
    alert = SeenItem("c", "alert:ab", is_knowledge=False, text="PoolDry firing", fields=fields)
    note = SeenItem("c", "alert:ab:note:1", is_knowledge=True, text="Caused by a leak of sockets.", fields={})

    assert event_of(alert).is_notable
    assert event_of(alert).service == "pay-api"
    assert not is_document(note)


def test_the_catalogues_are_read_back_from_the_descriptions():
    metrics, alerts = read_metrics(METRICS), read_alerts(ALERTS)

    assert [entry.name for entry in metrics] == ["pool_waiting", "wait_seconds_sum", "build_info"]
    assert metrics[0].own_label("Pay-Api") == "service"
    assert metrics[2].own_label("pay-api") == ""
    assert alerts[0].names == ("PoolDry", "TrayLow")
    assert alerts[0].own_label == "service"


def test_the_shift_is_quoted_as_the_source_words_it():
    clause, _, by, low, high = shift_words(series().text)

    assert clause in series().text
    assert (by, low, high) == ("2026-03-04T10:05:00+00:00", "2.0", "40.0")
