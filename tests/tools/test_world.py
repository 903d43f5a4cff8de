"""Reading a world folder."""

import os
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.model.errors import Misconfigured
from state.model.world import SourceKind
from tools.world import is_world, read_world


def write(folder: Path, name: str, content: str | bytes = "") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def whole(folder: Path) -> Path:
    for name in ("knowledge/a.md", "logs/x/app.log", "db/shop.sqlite", "db/pay.sql", "metrics/m.csv", "alerts.json"):
        write(folder, name)
    return folder


def test_sources_follow_from_the_entries(tmp_path):
    world = read_world(whole(tmp_path))

    assert [(source.kind, source.name, source.path.name) for source in world.sources] == [
        (SourceKind.KNOWLEDGE, "knowledge", "knowledge"),
        (SourceKind.LOGS, "logs", "logs"),
        (SourceKind.SQL, "pay", "pay.sql"),
        (SourceKind.SQL, "shop", "shop.sqlite"),
        (SourceKind.METRICS, "metrics", "metrics"),
        (SourceKind.ALERTS, "alerts", "alerts.json"),
    ]
    assert (world.name, world.now, world.time_zone, world.has_bundled_runbooks) == (tmp_path.name, None, "UTC", False)


def test_the_declaration_is_read(tmp_path):
    write(
        whole(tmp_path),
        "world.yaml",
        "\ufeffname: 商店\ndescription: d\nnow: 2026-11-30T20:00:00+08:00\ntime_zone: Asia/Shanghai\n"
        "sources:\n  app-logs: {kind: logs, path: logs/x}\nallowlists:\n  shop: {orders: [id, state]}\n",
    )

    world = read_world(tmp_path)

    assert (world.name, world.description, world.time_zone) == ("商店", "d", "Asia/Shanghai")
    assert world.now == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert [source.name for source in world.of_kind(SourceKind.LOGS)] == ["app-logs", "logs"]
    assert world.allowlists == {"shop": {"orders": ("id", "state")}}


@pytest.mark.parametrize("now", ["2026-11-30T12:00:00Z", "'2026-11-30T12:00:00Z'", "2026-11-30 12:00:00"])
def test_now_is_a_utc_instant_however_it_is_written(tmp_path, now):
    write(tmp_path, "world.yaml", f"now: {now}\n")

    assert read_world(tmp_path).now == datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_a_world_may_declare_that_the_bundled_runbooks_are_its_own(tmp_path):
    write(tmp_path, "world.yaml", "runbooks: bundled\n")

    assert read_world(tmp_path).has_bundled_runbooks


def test_a_declared_source_replaces_the_implied_one_of_its_path(tmp_path):
    write(whole(tmp_path), "world.yaml", "sources: {main: {kind: sql, path: db/shop.sqlite}}")

    assert [source.name for source in read_world(tmp_path).of_kind(SourceKind.SQL)] == ["main", "pay"]


def test_an_empty_folder_and_an_empty_declaration_are_a_world_without_sources(tmp_path):
    assert read_world(tmp_path).sources == ()
    assert not is_world(tmp_path)

    write(tmp_path, "world.yaml")

    assert read_world(tmp_path).sources == ()
    assert is_world(tmp_path)


def test_other_entries_are_ignored(tmp_path):
    for name in ("README.md", "src/main.py", "db/notes.txt", "logs.txt"):
        write(tmp_path, name)

    assert read_world(tmp_path).sources == ()


@pytest.mark.parametrize(
    ("content", "key", "why"),
    [
        ("name: [half", "world.yaml", "not complete YAML"),
        ("just a sentence", "world.yaml", "mapping"),
        ("- a\n- b\n", "world.yaml", "mapping"),
        (b"\xff\xfe\x00name", "world.yaml", "UTF-8"),
        ("nam: x", "world.yaml: nam", "unknown key"),
        ("time_zone: Mars/Olympus", "world.yaml: time_zone", "IANA"),
        ("time_zone: ../../etc/passwd", "world.yaml: time_zone", "IANA"),
        ("now: soon", "world.yaml: now", "datetime"),
        ("sources: {a: {kind: oracle, path: db}}", "world.yaml: sources.a.kind", "knowledge"),
        ("sources: {a: {kind: sql, path: db/none.sqlite}}", "world.yaml: sources.a.path", "there is no"),
        ("sources: {a: {kind: logs, path: ..}}", "world.yaml: sources.a.path", "out of the folder"),
        ("sources: {a: {kind: logs, path: /etc}}", "world.yaml: sources.a.path", "out of the folder"),
        ("sources: {a: {kind: logs, paht: x}}", "world.yaml: sources.a", ""),
        ("sources: {'a b': {kind: logs, path: logs}}", "world.yaml: sources.a b", "letters"),
        (
            "allowlists: {shpo: {orders: [id]}}",
            "world.yaml: allowlists.shpo",
            "no such datasource; there are: pay, shop",
        ),
        ("name: " + "x" * 300_000, "world.yaml", "larger than"),
    ],
)
def test_a_wrong_declaration_names_file_and_key(tmp_path, content, key, why):
    write(whole(tmp_path), "world.yaml", content)

    with pytest.raises(Misconfigured) as wrong:
        read_world(tmp_path)

    assert wrong.value.key.startswith(f"{tmp_path.resolve()}/{key}")
    assert why in wrong.value.why


@pytest.mark.parametrize(("name", "why"), [("gone", "no such folder"), ("file", "is a file")])
def test_what_is_no_folder_is_named(tmp_path, name, why):
    write(tmp_path, "file")

    with pytest.raises(Misconfigured, match=why):
        read_world(tmp_path / name)


def test_two_datasources_of_one_name_are_refused(tmp_path):
    write(tmp_path, "db/shop.sqlite")
    write(tmp_path, "db/shop.sql")

    with pytest.raises(Misconfigured, match="two sql sources are called 'shop': db/shop.sql and db/shop.sqlite"):
        read_world(tmp_path)


def test_links_that_leave_the_folder_are_ignored_and_named(tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    write(outside, "secret.sqlite")
    write(outside, "world.yaml", "name: stolen")
    write(tmp_path, "db/shop.sqlite")
    (tmp_path / "db/link.sqlite").symlink_to(outside / "secret.sqlite")
    (tmp_path / "logs").symlink_to(outside)
    (tmp_path / "world.yaml").symlink_to(outside / "world.yaml")

    world = read_world(tmp_path)

    assert [source.name for source in world.sources] == ["shop"]
    assert world.name == tmp_path.name
    assert set(world.ignored) == {"db/link.sqlite", "logs", "world.yaml"}


@pytest.mark.parametrize("entry", ["world.yaml", "knowledge/a", "logs/a", "db/a", "metrics/a", "alerts.json"])
def test_any_known_entry_makes_a_world(tmp_path, entry):
    assert not is_world(tmp_path)

    write(tmp_path, entry)

    assert is_world(tmp_path)


def bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join([*lines, "name: *a11"])


@pytest.mark.parametrize(
    "content",
    [
        bomb(),
        "now: 9999-12-31T23:59:59-14:00",
        "now: 0001-01-01T00:00:00+14:00",
        "now: 9999-12-31T00:00:00Z",
        "now: 9999-99-99",
        'sources: {x: {kind: logs, path: "lo\\0gs"}}',
        'sources: {x: {kind: logs, path: "lo\\ud800gs"}}',
        "sources: {x: {kind: logs, path: pipe}}",
        "sources: {x: {kind: logs, path: " + "a/" * 400 + "}}",
        "time_zone: ''",
        'time_zone: "a\\0b"',
        "k" * 5000 + ": 1",
        "name: 1" + ":59" * 50_000,
        "name: [" + "x, " * 5000 + "]",
    ],
)
def test_a_hostile_declaration_is_one_small_error_that_drags_nothing_along(tmp_path, content):
    write(tmp_path, "world.yaml", content)
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(Misconfigured) as wrong:
        read_world(tmp_path)

    assert len(str(wrong.value)) < 1000
    assert len("".join(traceback.format_exception(wrong.value))) < 10_000


def test_a_declaration_that_is_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "world.yaml")

    with pytest.raises(Misconfigured, match="regular"):
        read_world(tmp_path)


def test_pipes_and_devices_are_no_sources(tmp_path):
    for folder in ("db", "logs"):
        (tmp_path / folder).mkdir()
    os.mkfifo(tmp_path / "db/a.sql")
    os.mkfifo(tmp_path / "db/b.sqlite")
    os.mkfifo(tmp_path / "alerts.json")
    (tmp_path / "db/zero.sql").symlink_to("/dev/zero")

    world = read_world(tmp_path)

    assert [source.name for source in world.sources] == ["logs"]
    assert world.ignored == ("db/zero.sql",)


def test_file_names_that_are_no_text_do_not_stop_the_reading(tmp_path):
    (tmp_path / "logs").mkdir()
    os.symlink("/etc/hosts", os.fsencode(tmp_path / "logs") + b"/bad\xff.log")

    assert read_world(tmp_path).ignored == ("logs/bad\ufffd.log",)


FRAGMENTS = st.sampled_from(
    ["name: ", "now: ", "sources: ", "time_zone: ", "{", "}", "[", "\n", "x", ": ", "*a", "&a ", "~"]
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FRAGMENTS | st.text(max_size=6) | st.datetimes().map(str), max_size=12).map("".join))
def test_no_declaration_raises_anything_but_misconfigured(tmp_path, content):
    write(tmp_path, "world.yaml", content.encode("utf-8", "surrogatepass"))

    with suppress(Misconfigured):
        read_world(tmp_path)
