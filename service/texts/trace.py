"""Words of ``trace`` and ``replay``, in both languages. Data only."""

from state.model.language import Bilingual

LAST_RUNS = Bilingual(en="Last runs", zh="最近的运行")
NO_RUNS = Bilingual(en="No run yet. Start with: rootproof demo", zh="还没有运行记录。可先执行：rootproof demo")
SEE_ONE = Bilingual(en="See one with: rootproof trace RUN_ID", zh="查看其中一次：rootproof trace RUN_ID")

TITLE = Bilingual(en="Run {run_id}: {outcome}", zh="运行 {run_id}：{outcome}")
PUBLISHED = Bilingual(en="What was released", zh="发布的内容")
NOTHING_PUBLISHED = Bilingual(en="Nothing was released.", zh="没有发布任何内容。")
TIMELINE = Bilingual(en="Timeline", zh="时间线")
EVIDENCE = Bilingual(en="Evidence cited", zh="引用的证据")
AUDIT_LOST = Bilingual(
    en="{n} events of the timeline could not be written; the answer is not affected.",
    zh="时间线中有 {n} 条事件未能写入；回答不受影响。",
)
SEE_AGAIN = Bilingual(en="Show the result again: {command}", zh="再次查看结果：{command}")
CONTINUE = Bilingual(en="Continue it: {command}", zh="继续运行：{command}")
REPLAY = Bilingual(en="Execute it again from its recording: {command}", zh="按录制内容重放：{command}")

SESSION = Bilingual(en="Session", zh="会话")
ASKED_AT = Bilingual(en="Asked at", zh="提问时间")
REFERS_TO = Bilingual(en="Refers to", zh="参照时刻")
WORLD = Bilingual(en="World", zh="环境")
KIND = Bilingual(en="Kind", zh="类型")
STATE = Bilingual(en="State", zh="状态")
RESUMED = Bilingual(en="Resumed", zh="继续次数")
TOKENS = Bilingual(en="Tokens", zh="令牌数")
TOKENS_OK = Bilingual(en="{n} (agrees with the timeline)", zh="{n}（与时间线一致）")
TOKENS_BAD = Bilingual(en="{n} (differs from the timeline)", zh="{n}（与时间线不一致）")
TOKENS_CUT_OFF = Bilingual(
    en="{n} (differs from the timeline: a model call was cut off by the interruption; its reservation counts)",
    zh="{n}（与时间线不同：一次模型调用被中断，为它预留的令牌计入总数）",
)
SPENT_SO_FAR = Bilingual(
    en="{model_calls} model calls, {tool_calls} searches so far; the run has not ended",
    zh="目前模型调用 {model_calls} 次，检索 {tool_calls} 次；运行尚未结束",
)
TOKENS_UNKNOWN = Bilingual(en="{n} reserved; the model reports no usage", zh="预留 {n}；模型未报告用量")

REPLAYED = Bilingual(en="Replay of run {run_id}", zh="重放运行 {run_id}")
IDENTICAL = Bilingual(
    en="Identical: every request and the released result are byte for byte the same; nothing outside was called.",
    zh="完全一致：每个请求和发布的结果逐字节相同，未调用任何外部服务。",
)
WAS_CANCELLED = Bilingual(
    en="The run was cancelled; there is nothing to compare.", zh="该运行已被取消，没有可比较的结果。"
)
WAS_TIMED_OUT = Bilingual(
    en="The run was stopped by its time limit; there is nothing to compare.",
    zh="该运行因超时而停止，没有可比较的结果。",
)
WAS_EXPIRED = Bilingual(
    en="The run was interrupted and not resumed in time; there is nothing to compare.",
    zh="该运行被中断且未及时继续，没有可比较的结果。",
)
WAS_NOT_KEPT = Bilingual(
    en="The run ended because a store could not be written; there is nothing to compare.",
    zh="该运行因存储无法写入而结束，没有可比较的结果。",
)
SEE_TRACE = Bilingual(en="See what is kept of it: {command}", zh="查看保留的记录：{command}")
DIVERGED = Bilingual(
    en="Different from {step} on: the recording holds another request there.",
    zh="从 {step} 起不一致：录制内容中此处是另一个请求。",
)
DIVERGED_RESULT = Bilingual(
    en="Every request is the same, but the released result is not.", zh="每个请求都相同，但发布的结果不同。"
)
ONE_RUN = Bilingual(
    en="Name the run to replay, or the file of an exported one with --file; not both.",
    zh="请给出要重放的运行 ID，或用 --file 指定导出的运行文件；二者只能选一。",
)
DEMO_LIST = Bilingual(en="Bundled worlds", zh="内置环境")
DEMO_HOW = Bilingual(en="Ask one: {command}", zh="运行其中一个：{command}")
