"""Words for the codes that people meet, in both languages. Data only."""

from state.model.enums import (
    FailureCode,
    Intent,
    ReleaseOutcome,
    RunState,
    StopReason,
    ToolCode,
    ViolationCode,
)
from state.model.language import Bilingual

OUTCOME: dict[ReleaseOutcome, Bilingual] = {
    ReleaseOutcome.SUCCESS: Bilingual(en="answered", zh="已回答"),
    ReleaseOutcome.FALLBACK: Bilingual(en="not concluded", zh="未得出结论"),
    ReleaseOutcome.FAILED: Bilingual(en="failed", zh="失败"),
    ReleaseOutcome.CANCELLED: Bilingual(en="cancelled", zh="已取消"),
}
STILL_OPEN = Bilingual(en="not ended", zh="未结束")

RUN_STATE: dict[RunState, Bilingual] = {
    RunState.RUNNING: STILL_OPEN,
    RunState.SUCCESS: Bilingual(en="completed", zh="已完成"),
    RunState.FAILED: Bilingual(en="failed", zh="失败"),
    RunState.CANCELLED: Bilingual(en="cancelled", zh="已取消"),
    RunState.TIMED_OUT: Bilingual(en="out of time", zh="已超时"),
    RunState.BUDGET_EXHAUSTED: Bilingual(en="out of budget", zh="预算已用完"),
}

INTENT: dict[Intent, Bilingual] = {
    Intent.DIAGNOSIS: Bilingual(en="diagnosis", zh="诊断"),
    Intent.KNOWLEDGE_QUERY: Bilingual(en="question to the documents", zh="文档查询"),
    Intent.KNOWLEDGE_META: Bilingual(en="list of documents", zh="文档列表"),
    Intent.CONVERSATION_META: Bilingual(en="question about this session", zh="会话查询"),
    Intent.SYSTEM_CHAT: Bilingual(en="chat", zh="闲聊"),
    Intent.OUT_OF_SCOPE: Bilingual(en="out of scope", zh="超出范围"),
}

STOP: dict[StopReason, Bilingual] = {
    StopReason.INFORMATION_SATURATED: Bilingual(en="further searches brought nothing new", zh="继续检索没有带来新信息"),
    StopReason.BUDGET_LIMIT_REACHED: Bilingual(en="the budget of this run was used up", zh="本次运行的预算已用完"),
    StopReason.DEADLINE_REACHED: Bilingual(en="the time for this run was over", zh="本次运行的时限已到"),
    StopReason.PROGRESS_PROTOCOL_VIOLATED: Bilingual(
        en="the model did not keep to the tool protocol", zh="模型未遵守工具调用协议"
    ),
    StopReason.TOOLS_FAILING: Bilingual(en="the evidence tools kept failing", zh="取证工具连续失败"),
    StopReason.MODEL_UNAVAILABLE: Bilingual(en="the model could not be reached", zh="无法连接模型"),
}

FAILURE: dict[FailureCode, Bilingual] = {
    FailureCode.ROUTING_UNAVAILABLE: Bilingual(
        en="The question was not understood, because the router model gave no usable answer.",
        zh="未能判断问题类型：路由模型没有给出可用的回答。",
    ),
    FailureCode.SYSTEM_CHAT_UNAVAILABLE: Bilingual(en="No answer could be given.", zh="未能给出回答。"),
    FailureCode.KNOWLEDGE_UNAVAILABLE: Bilingual(en="The knowledge base could not be searched.", zh="未能检索知识库。"),
    FailureCode.DIAGNOSIS_UNAVAILABLE: Bilingual(
        en="No diagnosis came about, and no result was verified that could be shown instead.",
        zh="未能形成诊断，也没有任何已核实的结果可供展示。",
    ),
    FailureCode.RUN_PERSISTENCE_FAILED: Bilingual(
        en="The evidence or the run could not be read or written safely, so nothing was released.",
        zh="无法可靠地读写证据或运行记录，因此没有发布任何内容。",
    ),
    FailureCode.RUN_CANCELLED: Bilingual(
        en="The run was cancelled; nothing was released.", zh="运行已取消，没有发布任何内容。"
    ),
    FailureCode.RUN_TIMED_OUT: Bilingual(
        en="The time for this run was over before any result was verified.",
        zh="在核实任何结果之前，本次运行的时限已到。",
    ),
    FailureCode.RUN_EXPIRED: Bilingual(
        en="The run was older than a run may get, and was closed.", zh="运行超过了最长存续时间，已被关闭。"
    ),
    FailureCode.BUDGET_EXHAUSTED: Bilingual(
        en="The budget of this run was used up before any result was verified.",
        zh="在核实任何结果之前，本次运行的预算已用完。",
    ),
    FailureCode.INTERNAL_FAILURE: Bilingual(
        en="An internal error ended the run; nothing was released.", zh="内部错误终止了运行，没有发布任何内容。"
    ),
}

TOOL: dict[str, Bilingual] = {
    "lookup_knowledge": Bilingual(en="the runbooks", zh="运维手册"),
    "query_logs": Bilingual(en="the logs", zh="日志"),
    "query_sql": Bilingual(en="the database", zh="数据库"),
    "query_metrics": Bilingual(en="the metrics", zh="指标"),
    "list_alerts": Bilingual(en="the alerts", zh="告警"),
}
"""What a tool searches; any other tool goes by its own name."""

TOOL_CODE: dict[ToolCode, Bilingual] = {
    ToolCode.INVALID_TOOL_CALL_ID: Bilingual(en="the request was malformed", zh="请求格式有误"),
    ToolCode.RUN_MISMATCH: Bilingual(en="the request belongs to another run", zh="请求属于另一次运行"),
    ToolCode.RUN_INACTIVE: Bilingual(en="the run has ended", zh="运行已结束"),
    ToolCode.TOOL_NOT_AUTHORIZED: Bilingual(en="not allowed", zh="未获授权"),
    ToolCode.NOT_READ_ONLY: Bilingual(en="only reading is allowed", zh="只允许读取"),
    ToolCode.INVALID_REQUEST: Bilingual(en="the request was not valid", zh="请求无效"),
    ToolCode.DUPLICATE_TOOL_CALL: Bilingual(en="the request was already made", zh="该请求已发出过"),
    ToolCode.DUPLICATE_SCOPE: Bilingual(en="already searched", zh="该范围已检索过"),
    ToolCode.PARALLEL_TOOL_CALL: Bilingual(en="only one search at a time", zh="一次只能检索一项"),
    ToolCode.BUDGET_EXHAUSTED: Bilingual(en="no further search possible", zh="不能继续检索"),
    ToolCode.RESULT_TOO_LARGE: Bilingual(en="the result is too large", zh="结果过大"),
    ToolCode.TOOL_TIMEOUT: Bilingual(en="took too long", zh="检索超时"),
    ToolCode.TOOL_EXECUTION_ERROR: Bilingual(en="the source could not answer", zh="数据源未能应答"),
    ToolCode.INCOMPLETE_SEARCH: Bilingual(
        en="nothing found, but not all of it could be searched", zh="没有找到，但未能检索全部范围"
    ),
    ToolCode.INTERRUPTED: Bilingual(en="interrupted", zh="被中断"),
    ToolCode.PROJECTION_ERROR: Bilingual(en="the result could not be read", zh="结果无法读取"),
    ToolCode.OBSERVATION_CONTRACT_MISMATCH: Bilingual(en="the result could not be read", zh="结果无法读取"),
    ToolCode.STORE_ERROR: Bilingual(en="the result could not be kept", zh="结果无法保存"),
}

VIOLATION: dict[ViolationCode, Bilingual] = {
    ViolationCode.ANALYSIS_ID_MISSING: Bilingual(en="an analysis has no id", zh="有分析缺少编号"),
    ViolationCode.ANALYSIS_ID_DUPLICATE: Bilingual(en="two analyses share an id", zh="分析编号重复"),
    ViolationCode.TOOL_REFERENCE_MISSING: Bilingual(en="an analysis names no result", zh="有分析未引用任何结果"),
    ViolationCode.BASIS_MISSING: Bilingual(en="a statement names no analysis", zh="有陈述未指明所依据的分析"),
    ViolationCode.ANALYSIS_REFERENCE_UNKNOWN: Bilingual(
        en="a statement names an unknown analysis", zh="有陈述引用了不存在的分析"
    ),
    ViolationCode.INVOCATION_MISSING: Bilingual(en="a cited result does not exist", zh="所引用的结果不存在"),
    ViolationCode.INVOCATION_ID_MISMATCH: Bilingual(
        en="a cited result has another id on record", zh="所引用结果的编号与记录不符"
    ),
    ViolationCode.INVOCATION_NOT_REFERENCABLE: Bilingual(
        en="a cited result may not be cited", zh="所引用的结果不可引用"
    ),
    ViolationCode.EVIDENCE_KIND_MISMATCH: Bilingual(
        en="an analysis cites a result of the wrong kind", zh="分析引用的结果类型不符"
    ),
    ViolationCode.QUOTE_MISSING: Bilingual(en="an analysis quotes nothing", zh="有分析没有引用原文"),
    ViolationCode.QUOTE_NOT_FOUND: Bilingual(en="a quote is not in its evidence", zh="引文不在证据原文中"),
    ViolationCode.CLAIM_NOT_IN_EVIDENCE: Bilingual(
        en="a number, time or name is not in the evidence", zh="有数字、时间或名称不在证据中"
    ),
    ViolationCode.DRAFT_MISSING: Bilingual(en="there was no draft", zh="没有草稿"),
    ViolationCode.ANALYSIS_MISSING: Bilingual(en="there was no analysis", zh="没有分析"),
    ViolationCode.ANALYSIS_KIND_MISSING: Bilingual(en="an analysis has no kind", zh="有分析缺少类型"),
    ViolationCode.ANALYSIS_TEXT_MISSING: Bilingual(en="an analysis has no text", zh="有分析缺少正文"),
    ViolationCode.CONCLUSION_TEXT_MISSING: Bilingual(en="the conclusion has no text", zh="结论缺少正文"),
    ViolationCode.ACTION_TEXT_MISSING: Bilingual(en="an action has no text", zh="有处置措施缺少正文"),
    ViolationCode.RECOMMENDATION_TEXT_MISSING: Bilingual(en="a recommendation has no text", zh="有建议缺少正文"),
    ViolationCode.LIMITATION_SCOPE_MISSING: Bilingual(en="the limitations name no scope", zh="局限未说明范围"),
    ViolationCode.PROJECTION_INVALID: Bilingual(en="a cited result could not be read", zh="所引用的结果无法读取"),
    ViolationCode.PROJECTION_STATUS_MISMATCH: Bilingual(
        en="a cited result differs from its record", zh="所引用的结果与记录不一致"
    ),
    ViolationCode.TELEMETRY_MISSING: Bilingual(
        en="the conclusion rests on documents alone", zh="结论只依据文档，没有遥测证据"
    ),
    ViolationCode.ABSENCE_OUT_OF_SCOPE: Bilingual(
        en="an absence is claimed beyond what was searched", zh="“不存在”的说法超出了检索范围"
    ),
    ViolationCode.CAUSE_IN_OBSERVATION: Bilingual(en="an observation names a cause", zh="观察结论中出现了原因"),
    ViolationCode.EVIDENCE_EXPIRED: Bilingual(en="a cited result has expired", zh="所引用的结果已过期"),
}
