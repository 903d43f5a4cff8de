"""Every sentence of a safe fallback, in both languages. Data only."""

from state.model.enums import FallbackType, StopReason
from state.model.language import Bilingual

SUMMARY = Bilingual(en="{searched}; {why}; next: {next_step}", zh="{searched}；{why}；下一步：{next_step}")
SEARCHED = Bilingual(en="Searched {sources}{window}", zh="已检索 {sources}{window}")
SEARCHED_WINDOW = Bilingual(en=" for {window}", zh="（{window}）")
SEARCHED_NOTHING = Bilingual(en="Nothing could be searched", zh="未能检索任何数据源")
MORE_SOURCES = Bilingual(en="{sources} and {n} more", zh="{sources} 等另外 {n} 个")

WHY_STOPPED: dict[StopReason, Bilingual] = {
    StopReason.INFORMATION_SATURATED: Bilingual(
        en="stopped because further searches brought nothing new",
        zh="继续检索没有带来新信息，因此停止",
    ),
    StopReason.BUDGET_LIMIT_REACHED: Bilingual(
        en="stopped because the budget of this run was used up",
        zh="本次运行的预算已用完，因此停止",
    ),
    StopReason.DEADLINE_REACHED: Bilingual(
        en="stopped because the time for this run was over",
        zh="本次运行的时限已到，因此停止",
    ),
    StopReason.PROGRESS_PROTOCOL_VIOLATED: Bilingual(
        en="stopped because the model did not keep to the tool protocol",
        zh="模型未遵守工具调用协议，因此停止",
    ),
    StopReason.TOOLS_FAILING: Bilingual(
        en="stopped because the evidence tools kept failing",
        zh="取证工具连续失败，因此停止",
    ),
    StopReason.MODEL_UNAVAILABLE: Bilingual(
        en="stopped because the model could not be reached",
        zh="无法连接模型，因此停止",
    ),
}

WHY_NO_DIAGNOSIS: dict[FallbackType, Bilingual] = {
    FallbackType.EVIDENCE_VALIDATION_FAILED: Bilingual(
        en="no cause is named because the proposed diagnosis could not be verified against its evidence",
        zh="拟定的诊断无法用其证据核实，因此不给出原因",
    ),
    FallbackType.SEMANTIC_UNSUPPORTED: Bilingual(
        en="no cause is named because the review found that the evidence does not carry the proposed diagnosis",
        zh="复核认为证据不足以支持拟定的诊断，因此不给出原因",
    ),
    FallbackType.SEMANTIC_UNAVAILABLE: Bilingual(
        en="no cause is named because the final review could not be completed",
        zh="最终复核未能完成，因此不给出原因",
    ),
    FallbackType.INSUFFICIENT_EVIDENCE: Bilingual(
        en="no cause is named because what was found does not prove one",
        zh="已发现的内容不足以证明原因，因此不给出原因",
    ),
    FallbackType.MISSING_REQUIRED_CONTEXT: Bilingual(
        en="no cause is named because the question does not say enough to start from",
        zh="问题提供的信息不足以开始检索，因此不给出原因",
    ),
}

WHY_NO_SOURCE = Bilingual(
    en="no cause is named because no source of evidence is connected",
    zh="没有连接任何证据来源，因此不给出原因",
)

STEP_WIDEN = Bilingual(en="widen the window: {command}", zh="扩大时间范围：{command}")
STEP_CHECK = Bilingual(en="do the suggested check (unverified): {text}", zh="执行建议的检查（未经核实）：{text}")
STEP_NARROW = Bilingual(en="ask about a shorter window: {command}", zh="缩短时间范围：{command}")
STEP_AGAIN = Bilingual(en="ask again: {command}", zh="重新提问：{command}")
STEP_TRACE = Bilingual(en="see what was checked: {command}", zh="查看检查过程：{command}")
STEP_DOCTOR = Bilingual(en="check what is configured and reachable: {command}", zh="检查配置与连通性：{command}")
STEP_CONTEXT = Bilingual(
    en="name the service, the symptom and the time: {command}", zh="请给出服务、现象和时间：{command}"
)
STEP_CONNECT = Bilingual(
    en="connect evidence: name a folder of logs with --world, or declare systems under sources in rootproof.yaml",
    zh="连接证据：用 --world 指定日志目录，或在 rootproof.yaml 的 sources 中声明数据来源",
)
STEP_DEMO = Bilingual(en="or try a bundled incident: {command}", zh="也可试用内置的事故：{command}")
STEP_MISSING_SOURCE = Bilingual(
    en="check that the sources hold the time asked about: {command}", zh="确认数据源包含所问时间段：{command}"
)
STEP_BY_HAND = Bilingual(en="check the observed facts below by hand", zh="请人工核对下列已观察到的事实")
EXAMPLE_QUESTION = Bilingual(en="<service> <symptom>", zh="<服务> <现象>")
YOUR_QUESTION = Bilingual(en="<your question>", zh="<您的问题>")

EMPTY = Bilingual(en="searched, nothing found in {scope}", zh="已检索，未在 {scope} 中找到匹配内容")
SUGGESTED_CHECK = Bilingual(en="suggested next check: {text}", zh="建议的下一步检查：{text}")

COUNT_EVENTS = (
    Bilingual(en="{n} matching event", zh="{n} 条匹配事件"),
    Bilingual(en="{n} matching events", zh="{n} 条匹配事件"),
)
COUNT_ROWS = (Bilingual(en="{n} row", zh="{n} 行"), Bilingual(en="{n} rows", zh="{n} 行"))
COUNT_SERIES = (Bilingual(en="{n} series", zh="{n} 条时间序列"), Bilingual(en="{n} series", zh="{n} 条时间序列"))
COUNT_ALERTS = (Bilingual(en="{n} alert", zh="{n} 条告警"), Bilingual(en="{n} alerts", zh="{n} 条告警"))
COUNT_ITEMS = (Bilingual(en="{n} result", zh="{n} 项结果"), Bilingual(en="{n} results", zh="{n} 项结果"))
AT_LEAST = Bilingual(en="at least {count}", zh="至少 {count}")
MOST_FREQUENT = Bilingual(en="{count}; most frequent: '{text}' ({n})", zh="{count}；最多的是“{text}”（{n} 次）")
FOR_EXAMPLE = Bilingual(en="{count}, such as: {text}", zh="{count}，例如：{text}")
DOCUMENTS = Bilingual(en="documents: {titles}", zh="文档：{titles}")
SEPARATOR = Bilingual(en=", ", zh="、")
WINDOW = Bilingual(en="{start} to {end} {zone}", zh="{start} 至 {end} {zone}")
