"""answer_chat: greetings, abilities, out of scope, document list, this session's results. Text by code only."""

from guards.release import SYSTEM_ANSWER
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import announce, trace_answer
from state.model.diagnosis import DiagnosisState
from state.model.enums import Intent, ReleaseOutcome, Stage
from state.model.language import Bilingual
from state.model.release import Answer, DiagnosisReport, ReleaseDecision, SafeFallback
from state.model.run import RunFacts, RunRow
from state.model.served import RunFilter

MAX_DOCUMENTS = 50
MAX_RUNS = 5

ABILITIES = Bilingual(
    en=(
        "I diagnose production incidents. Ask what broke, where and since when; I search the configured runbooks, "
        "logs and databases, and name a root cause only when every statement of it is proved by a result of this run. "
        "If it cannot be proved, I say what was checked and what is missing."
    ),
    zh=(
        "我用于诊断生产事故。请说明哪里出了问题、从什么时候开始；我会检索已配置的运维手册、日志和数据库，"
        "只有当每一句结论都能由本次检索的结果证明时才给出根因，否则说明查过什么、还缺什么。"
    ),
)
OUT_OF_SCOPE = Bilingual(
    en="That is outside of what I do. I diagnose production incidents: ask what broke, where and since when.",
    zh="这不在我的能力范围内。我用于诊断生产事故：请说明哪里出了问题、从什么时候开始。",
)
NO_DOCUMENTS = Bilingual(en="The knowledge base holds no document.", zh="知识库中没有文档。")
DOCUMENTS = Bilingual(
    en="The knowledge base holds {count} documents:\n{titles}", zh="知识库中有 {count} 篇文档：\n{titles}"
)
NO_RUNS = Bilingual(en="This session has no earlier result.", zh="本会话还没有之前的结果。")
RUNS = Bilingual(en="Earlier in this session:\n{lines}", zh="本会话之前的结果：\n{lines}")
NO_CAUSE = Bilingual(en="no cause named", zh="未给出根因")


async def answer_chat(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The decision to publish an answer built by code; retrieval is never touched."""
    facts, intent = facts_of(state), state["intent"]
    await announce(step, "chat", Stage.SYSTEM_RESPONDING)
    match intent:
        case Intent.KNOWLEDGE_META:
            text = _documents(step, facts)
        case Intent.CONVERSATION_META:
            text = await _earlier_results(step, facts)
        case Intent.OUT_OF_SCOPE:
            text = OUT_OF_SCOPE.text(facts.language)
        case _:
            text = ABILITIES.text(facts.language)
    decision = ReleaseDecision(
        run_state=SYSTEM_ANSWER.run_state,
        outcome=ReleaseOutcome.SUCCESS,
        content_type=SYSTEM_ANSWER.content_type,
        content=Answer(text=text),
    )
    await trace_answer(step, "answer_chat", decision)
    return {"decision": decision}


def _documents(step: Step, facts: RunFacts) -> str:
    titles = step.deps.sources.documents
    if not titles:
        return NO_DOCUMENTS.text(facts.language)
    listed = "\n".join(f"- {title}" for title in titles[:MAX_DOCUMENTS])
    return DOCUMENTS.text(facts.language, count=len(titles), titles=listed)


async def _earlier_results(step: Step, facts: RunFacts) -> str:
    rows = await step.deps.control.list_runs(RunFilter(session_id=facts.session_id), limit=MAX_RUNS + 1)
    lines = [_line(row, facts) for row in rows if row.run_id != facts.run_id and row.outcome is not None]
    if not lines:
        return NO_RUNS.text(facts.language)
    return RUNS.text(facts.language, lines="\n".join(lines[:MAX_RUNS]))


def _line(row: RunRow, facts: RunFacts) -> str:
    content = row.decision.content if row.decision else None
    match content:
        case DiagnosisReport(draft=draft) if draft.conclusion is not None:
            said = draft.conclusion.text
        case SafeFallback(summary=summary):
            said = summary
        case _:
            said = NO_CAUSE.text(facts.language)
    return f"- {row.query[:200]} → {said}"
