"""What people and programs read of the alert a run came from: its subject, and the others, which nobody looked into."""

from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from rich.console import Console

from config.settings import Settings
from graph.app import Records
from graph.export import export_run, parse_export, replay_export
from service.json_result import result_json
from service.markdown import render_markdown
from service.report_page import build_page
from service.run_view import RunView
from service.speech import Speech
from service.terminal import show_page
from service.trace_page import trace_page
from state.model.alert import AlertOrigin, FiringAlert
from state.model.enums import Language, ModelRole
from tests.graph.stage import RUN_ID, Cast, Stage, stage

AT = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
SLOW = FiringAlert(name="Slow", labels={"service": "payments", "severity": "critical"}, started_at=AT)
HOSTILE = FiringAlert(name="# [x](http://evil.example) <b>", labels={"service": "\x1b[2Jledger"}, started_at=AT)
ALERT = AlertOrigin(subject=SLOW, related_risks=(HOSTILE,), omitted=3)


async def view_of(play: Stage, home: Path, alert: AlertOrigin | None, **options: object) -> RunView:
    if alert is None:
        result = await play.run(**options)
    else:
        with play.deps.owners.raised_by(RUN_ID, alert):
            result = await play.run(**options)
    kept = await Records(Settings(home=home), play.stores).trace(RUN_ID)
    return RunView(result, kept)


async def test_the_page_names_the_subject_and_what_was_not_diagnosed(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        view = await view_of(play, tmp_path, ALERT)
    text = render_markdown(build_page(view))

    assert "## The alert behind this run" in text
    assert "- Slow · service=payments · severity=critical · fires since 2026-03-02 14:05:00 +00:00" in text
    assert "the subject of this run" in text
    assert text.count("related risk: not the subject, not diagnosed") == 1
    assert "3 more alerts fired; none was diagnosed" in text
    assert "as it sent them" in text


async def test_words_of_an_alert_stay_words(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        view = await view_of(play, tmp_path, ALERT)
    markdown, written = render_markdown(build_page(view)), StringIO()
    assert view.kept is not None
    show_page((*build_page(view), *trace_page(view, view.kept, Speech(Language.EN))), Console(file=written, width=80))

    assert r"\# \[x\](http://evil.example) \<b\>" in markdown
    assert "\x1b[2J" not in markdown + written.getvalue()
    assert written.getvalue().count("not the subject, not diagnosed") == 2


async def test_the_section_is_in_the_language_of_the_run(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        view = await view_of(play, tmp_path, ALERT, language="zh")
    text = render_markdown(build_page(view))

    assert "## 触发本次运行的告警" in text
    assert "相关风险：不是本次对象，未诊断" in text
    assert "另有 3 条告警在触发，均未诊断" in text


async def test_a_run_that_somebody_asked_for_has_no_such_section(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        view = await view_of(play, tmp_path, None)

    assert "alert" not in render_markdown(build_page(view)).lower()
    assert result_json(view)["alert"] is None
    assert view.kept is not None
    # As it was before there was such a field: what was sealed then is the same now.
    assert '"alert"' not in view.kept.row.model_dump_json()


async def test_programs_are_told_what_is_untrusted_and_what_was_not_diagnosed(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        shown = result_json(await view_of(play, tmp_path, ALERT))["alert"]

    assert isinstance(shown, dict)
    assert (shown["untrusted"], shown["omitted"]) == (True, 3)
    assert shown["subject"] == {"name": "Slow", "labels": SLOW.labels, "started_at": "2026-03-02T14:05:00Z",
                                "diagnosed": True}  # fmt: skip
    assert [(one["name"], one["diagnosed"]) for one in shown["related_risks"]] == [(HOSTILE.name, False)]


async def test_no_model_is_told_of_it(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        await view_of(play, tmp_path, ALERT)
        sent = [str(request) for role in ModelRole for request in play.models[role].requests]

    assert sent
    assert not any(word in text for text in sent for word in ("evil.example", "ledger"))


async def test_it_survives_an_export(tmp_path: Path) -> None:
    async with stage(tmp_path, Cast()) as play:
        await view_of(play, tmp_path, ALERT)
        exported = await export_run(play.stores, RUN_ID)
    assert exported is not None
    again = parse_export(exported.model_dump_json().encode())

    assert again.run.facts.alert == ALERT
    assert (await replay_export(Settings(home=tmp_path / "other"), again)).identical
