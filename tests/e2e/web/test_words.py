"""Words of the page: both languages, none missing, none unused, and the same as those of the command line."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

import pytest
from playwright.async_api import Page

from graph.audit_check import AuditVerdict
from graph.exits import AgentExit, ProgressExit, RouteExit
from graph.trace_sentences import SentencePart
from models.chat import FailureKind
from nodes.agent import AgentReply
from nodes.ask_model import NoAnswer
from service.texts import codes, progress, report
from state.model.enums import (
    Coverage,
    EvidenceOutcome,
    FallbackType,
    HypothesisStatus,
    InformationGain,
    InvocationStatus,
    ModelRole,
    Phase,
    RelevanceLevel,
    TraceEventType,
)
from state.model.language import Bilingual
from state.model.run import BudgetKind
from state.model.served import CaseState
from state.model.tool_call import Feedback, Observed
from tools.alerts.list_alerts import ListAlerts
from tools.knowledge.lookup_knowledge import LookupKnowledge
from tools.knowledge.records import DocumentState
from tools.knowledge.search import Attempt
from tools.logs.query_logs import QueryLogs
from tools.metrics.query_metrics import QueryMetrics
from tools.sql.query_sql import QuerySql

pytestmark = pytest.mark.e2e

AGENT_MOVES = [kind.model_fields["tag"].default for kind in get_args(AgentReply)]
FEEDBACK = [kind.model_fields["tag"].default for kind in get_args(Feedback) if kind is not Observed]
WEB = Path(__file__).parents[3] / "service" / "web"
SHARED: dict[str, Mapping[str, Bilingual]] = {
    "tool": codes.TOOL,
    "stop": codes.STOP,
    "failure": codes.FAILURE,
    "outcome": codes.OUTCOME,
    "run_state": codes.RUN_STATE,
    "intent": codes.INTENT,
    "tool_code": codes.TOOL_CODE,
    "violation": codes.VIOLATION,
    "stage": progress.STAGE,
    "found": progress.FOUND,
    "derived": report.DERIVED_OP,
}

VOCABULARIES: dict[str, Iterable[str]] = {
    "source": [tool.name for tool in (LookupKnowledge, QueryLogs, QuerySql, QueryMetrics, ListAlerts)],
    "exit": [*RouteExit, *AgentExit, *ProgressExit, *EvidenceOutcome],
    "role": ModelRole,
    "step": ["ok", *AGENT_MOVES, *NoAnswer, *FailureKind],
    "refusal": FEEDBACK,
    "call": InvocationStatus,
    "event": TraceEventType,
    "phase": Phase,
    "budget": BudgetKind,
    "audit": AuditVerdict,
    "fallback": FallbackType,
    "gain": InformationGain,
    "coverage": Coverage,
    "hypothesis": HypothesisStatus,
    "level": RelevanceLevel,
    "part": SentencePart,
    "attempt": Attempt,
    "task": DocumentState,
    "case": CaseState,
    "list": ["dense", "bm25", "name"],
}
"""Codes that only this page tells: each of the contract has words, and no words are left of one that is gone."""


async def words(page: Page) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, dict[str, str]]]]:
    await page.goto("/")
    read = await page.evaluate("import('/static/texts.js').then(({ TEXTS, CODES }) => [TEXTS, CODES])")
    return read[0], read[1]


def scripts() -> str:
    return "\n".join(file.read_text() for file in sorted(WEB.rglob("*.js")) if file.name != "texts.js")


async def test_codes_read_as_they_do_on_the_command_line(page: Page) -> None:
    _, told = await words(page)

    expected = {
        name: {str(code): {"en": text.en, "zh": text.zh} for code, text in table.items()}
        for name, table in SHARED.items()
    }
    assert {name: told[name] for name in SHARED} == expected


async def test_every_code_of_the_contract_has_words(page: Page) -> None:
    _, told = await words(page)

    assert {name: set(told[name]) for name in VOCABULARIES} == {
        name: {str(code) for code in codes} for name, codes in VOCABULARIES.items()
    }
    assert set(told) == {*SHARED, *VOCABULARIES}


async def test_codes_have_both_languages_and_are_no_codes_themselves(page: Page) -> None:
    _, told = await words(page)

    texts = [(name, code, text) for name, table in told.items() for code, text in table.items()]

    assert [(name, code) for name, code, text in texts if set(text) != {"en", "zh"}] == []
    assert [text for _, _, text in texts if re.search(r"[A-Z]{2,}_|_[a-z]", text["en"])] == []
    assert [text for _, _, text in texts if not re.search("[\u4e00-\u9fff]", text["zh"])] == []


async def test_every_text_has_both_languages_with_the_same_values(page: Page) -> None:
    texts, _ = await words(page)

    values = {
        name: [set(re.findall(r"\{\w+\}", text.get(one, "{absent}"))) for one in ("en", "zh")]
        for name, text in texts.items()
    }

    assert [name for name, (english, chinese) in values.items() if english != chinese] == []


async def test_no_text_is_unused_and_none_is_unknown(page: Page) -> None:
    texts, _ = await words(page)
    code = scripts()

    asked = set(re.findall(r'say\("(\w+)"', code))
    mentioned = set(re.findall(r'"(\w+)"', code)) | {f"theme_{name}" for name in ("auto", "light", "dark")}

    assert asked - set(texts) == set()
    assert set(texts) - mentioned == set()


def test_no_script_turns_text_into_markup() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.style\b|DOMParser"
    )

    assert forbidden.findall(scripts()) == []


def test_the_page_holds_nothing_inline_and_nothing_from_elsewhere() -> None:
    html = (WEB / "index.html").read_text()

    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)|https?://", html) == []
