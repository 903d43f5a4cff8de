"""Words of reports, fallbacks and answers, in both languages. Data only."""

from state.model.enums import DerivedOp
from state.model.language import Bilingual

ROOT_CAUSE = Bilingual(en="Root cause", zh="根因")
OBSERVATION = Bilingual(en="Observation (no cause is named)", zh="观察结论（未给出根因）")
NO_CONCLUSION = Bilingual(en="No cause named", zh="未给出根因")
RUN_FAILED = Bilingual(en="The run failed", zh="运行失败")
RUN_CANCELLED = Bilingual(en="Cancelled", zh="已取消")
ANSWER = Bilingual(en="Answer", zh="回答")

PROOF = Bilingual(en="What proves it", zh="证明")
RESTS_ON = Bilingual(en="Rests on {numbers}.", zh="依据分析 {numbers}。")
RUNBOOK_SAYS = Bilingual(en="Runbook says: {text}", zh="运维手册称：{text}")
NOTHING_FOUND = Bilingual(en="searched, nothing found", zh="已检索，没有找到")
COMPUTED = Bilingual(en="computed: {op} of {inputs} = {value}", zh="计算得出：{inputs} 的{op} = {value}")
DERIVED_OP: dict[DerivedOp, Bilingual] = {
    DerivedOp.SUM: Bilingual(en="sum", zh="合计"),
    DerivedOp.DIFF: Bilingual(en="difference", zh="差"),
    DerivedOp.RATIO: Bilingual(en="ratio", zh="比值"),
    DerivedOp.PERCENT: Bilingual(en="percentage", zh="百分比"),
    DerivedOp.DURATION: Bilingual(en="duration in seconds", zh="时长（秒）"),
    DerivedOp.COUNT: Bilingual(en="number", zh="个数"),
    DerivedOp.MIN: Bilingual(en="minimum", zh="最小值"),
    DerivedOp.MAX: Bilingual(en="maximum", zh="最大值"),
}

ACTIONS = Bilingual(en="Actions", zh="处置措施")
PROPOSED = Bilingual(en="proposed, not verified", zh="建议，未经核实")
FROM_RUNBOOK = Bilingual(en="from a runbook", zh="来自运维手册")
CONFIRM = Bilingual(en="needs your confirmation", zh="需人工确认")
RECOMMENDATIONS = Bilingual(en="Recommendations", zh="建议")
HYPOTHESES = Bilingual(en="Hypotheses considered", zh="考虑过的假设")
SUPPORTED = Bilingual(en="supported", zh="有证据支持")
OPEN = Bilingual(en="open", zh="待定")
EXCLUDED = Bilingual(en="excluded", zh="已排除")
LIMITATIONS = Bilingual(en="Limitations", zh="局限")
COVERS = Bilingual(en="Covers: {text}", zh="覆盖范围：{text}")
MISSING = Bilingual(en="Missing: {text}", zh="缺少：{text}")
NEXT_CHECK = Bilingual(en="Next check: {text}", zh="下一步检查：{text}")

CHECKED = Bilingual(en="What was checked", zh="检查了什么")
SEARCHED_EMPTY = Bilingual(en="Searches without a result", zh="没有结果的检索")
UNVERIFIED_HYPOTHESES = Bilingual(en="Hypotheses (unverified)", zh="假设（未经核实）")
UNVERIFIED_RULED_OUT = Bilingual(en="Ruled out (unverified)", zh="已排除（未经核实）")
UNVERIFIED_MISSING = Bilingual(en="Missing (unverified)", zh="缺少的信息（未经核实）")
ISSUES = Bilingual(en="Why the draft was not released", zh="草稿未发布的原因")
NEXT_STEPS = Bilingual(en="Next steps", zh="下一步")

ALERT = Bilingual(en="The alert behind this run", zh="触发本次运行的告警")
ALERT_SUBJECT = Bilingual(en="the subject of this run", zh="本次运行的对象")
ALERT_RISK = Bilingual(en="related risk: not the subject, not diagnosed", zh="相关风险：不是本次对象，未诊断")
ALERT_SINCE = Bilingual(en="fires since {at}", zh="自 {at} 起触发")
ALERT_OMITTED = Bilingual(en="{count} more alerts fired; none was diagnosed", zh="另有 {count} 条告警在触发，均未诊断")
ALERT_UNTRUSTED = Bilingual(
    en="Names and labels are words of the alerting system, as it sent them.", zh="名称与标签均为告警系统发送的原文。"
)
ABOUT = Bilingual(en="About this run", zh="关于本次运行")
QUESTION = Bilingual(en="Question", zh="问题")
MODEL = Bilingual(en="Model", zh="模型")
WINDOW = Bilingual(en="Window", zh="时间范围")
WINDOW_ASKED = Bilingual(en="{window} (asked)", zh="{window}（所问）")
WINDOW_SEARCHED = Bilingual(en="{window} (searched)", zh="{window}（所检索）")
STOPPED = Bilingual(en="Stopped", zh="停止原因")
SPENT = Bilingual(en="Spent", zh="消耗")
SPENT_VALUE = Bilingual(
    en="{model_calls} model calls, {tool_calls} searches, {seconds} s",
    zh="模型调用 {model_calls} 次，检索 {tool_calls} 次，{seconds} 秒",
)
RUN = Bilingual(en="Run", zh="运行")
TRACE = Bilingual(en="Trace", zh="轨迹")
NOTE = Bilingual(en="Note", zh="说明")
CODE = Bilingual(en="Code", zh="代码")
LOG = Bilingual(en="Log", zh="日志")
DOCTOR_STEP = Bilingual(en="Check what is configured and reachable: {command}", zh="检查配置与连通性：{command}")
SEPARATOR = Bilingual(en=" · ", zh=" · ")
