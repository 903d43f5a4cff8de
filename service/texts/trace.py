"""Words of ``trace``, ``trace --verify`` and ``replay``, in both languages. Data only."""

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
TOKENS_UNKNOWN = Bilingual(
    en="{n}; calls for which the model reported no usage count with what was reserved",
    zh="{n}；模型未报告用量的调用按预留计",
)

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
VERIFY = Bilingual(en="Audit of run {run_id}: {verdict}", zh="运行 {run_id} 的审计记录：{verdict}")
VERIFIED = Bilingual(en="verified", zh="已核实")
ALTERED = Bilingual(en="altered", zh="已被改动")
NOT_RECORDED = Bilingual(en="not recorded", zh="没有记录")
WHY_VERIFIED = Bilingual(
    en="Every row is as it was when the run ended: their number and their SHA-256 are those that its record keeps.",
    zh="每一行都与运行结束时相同：行数和 SHA-256 与运行记录中保存的一致。",
)
WHY_COUNT = Bilingual(
    en="There are {found} rows; {recorded} were there when the run ended. Rows were deleted or added since.",
    zh="现有 {found} 行，运行结束时为 {recorded} 行：之后有行被删除或添加。",
)
WHY_CONTENT = Bilingual(
    en="There are as many rows as when the run ended, but what they hold differs.",
    zh="行数与运行结束时相同，但内容不同。",
)
WHY_END = Bilingual(
    en="RUN_FINISHED, the last one, is missing. It is missing too where a process died right after it closed the run; "
    "then this writes it: {command}",
    zh="缺少最后一行 RUN_FINISHED。进程在关闭运行后立即终止时也会如此；这种情况下可补写：{command}",
)
WHY_RUNNING = Bilingual(
    en="The run has not ended; its audit is still being written.", zh="运行尚未结束，审计仍在写入。"
)
WHY_NOTHING = Bilingual(
    en="Nothing to compare with was kept when the run ended: an older version closed it, or its audit could not be "
    "read then.",
    zh="运行结束时没有保存可比较的内容：由旧版本关闭，或当时无法读取审计。",
)
ROWS = Bilingual(en="Rows", zh="行数")
KEPT_SHA256 = Bilingual(en="SHA-256 kept", zh="保存的 SHA-256")
FOUND_SHA256 = Bilingual(en="SHA-256 found", zh="现在的 SHA-256")
VERIFY_NEEDS_RUN = Bilingual(
    en="--verify needs a run: rootproof trace RUN_ID --verify",
    zh="--verify 需要运行 ID：rootproof trace RUN_ID --verify",
)
ONE_RUN = Bilingual(
    en="Name the run to replay, or the file of an exported one with --file; not both.",
    zh="请给出要重放的运行 ID，或用 --file 指定导出的运行文件；二者只能选一。",
)
FILE_FROM_START = Bilingual(
    en="An exported run is replayed from its start, as it was recorded: leave out --every-step and --as-configured.",
    zh="导出的运行只能按录制内容从头重放：请去掉 --every-step 和 --as-configured。",
)
STEPS_REPLAYED = Bilingual(
    en="Replay of run {run_id} from each of its {n} steps", zh="从 {n} 个步骤分别重放运行 {run_id}"
)
STEPS_IDENTICAL = Bilingual(
    en="Identical from every step: nothing outside was called.", zh="从每一步重放都完全一致，未调用任何外部服务。"
)
STEPS_DIVERGED = Bilingual(
    en="From {n} of {total} steps it goes another way.", zh="{total} 个步骤中有 {n} 个重放后不一致。"
)
STEPS_GONE = Bilingual(
    en="Its steps are not kept any more, or by another server; there is nothing to begin from.",
    zh="其步骤已不再保留，或保存在另一台服务器上，无从开始。",
)
STEP_IDENTICAL = Bilingual(en="identical", zh="一致")
STEP_DIVERGED = Bilingual(en="different from {step} on", zh="从 {step} 起不一致")
STEP_RESULT = Bilingual(en="same requests, another result", zh="请求相同，结果不同")
DEMO_LIST = Bilingual(en="Bundled worlds", zh="内置环境")
DEMO_HOW = Bilingual(en="Ask one: {command}", zh="运行其中一个：{command}")
