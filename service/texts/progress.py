"""Live progress, one sentence per status event, in both languages. Data only."""

from state.model.enums import EvidenceStatus, InformationGain, Stage
from state.model.language import Bilingual

STAGE: dict[Stage, Bilingual] = {
    Stage.ROUTING: Bilingual(en="Reading the question", zh="正在理解问题"),
    Stage.SYSTEM_RESPONDING: Bilingual(en="Answering", zh="正在回答"),
    Stage.KNOWLEDGE_SEARCHING: Bilingual(en="Searching the documents", zh="正在检索文档"),
    Stage.KNOWLEDGE_ANSWERING: Bilingual(en="Quoting the documents", zh="正在摘录文档"),
    Stage.DIAGNOSIS_RUNNING: Bilingual(en="Diagnosing", zh="正在诊断"),
    Stage.SAFETY_VALIDATING: Bilingual(en="Checking every statement against its evidence", zh="正在逐句对照证据核实"),
}
STARTED = Bilingual(en="Run {run_id} started", zh="运行 {run_id} 已开始")
STEP = Bilingual(en="Choosing the next step (step {n})", zh="正在选择下一步（第 {n} 步）")
SEARCHING = Bilingual(en="Searching {what}", zh="正在检索{what}")
SEARCHED = Bilingual(en="Searched {what}: {where} … {found}", zh="已检索{what}：{where} … {found}")
SEARCHED_BARE = Bilingual(en="Searched {what} … {found}", zh="已检索{what} … {found}")
JOIN = Bilingual(en=", ", zh="，")
FOUND: dict[EvidenceStatus, Bilingual] = {
    EvidenceStatus.EVIDENCE_FOUND: Bilingual(en="found", zh="有结果"),
    EvidenceStatus.NO_EVIDENCE: Bilingual(en="nothing found", zh="没有找到"),
    EvidenceStatus.ERROR: Bilingual(en="no result", zh="没有得到结果"),
}
FAILED = Bilingual(en="no result: {why}", zh="没有得到结果：{why}")
GAIN: dict[InformationGain, Bilingual] = {
    InformationGain.GAINED: Bilingual(en="New information from {what}", zh="{what}带来了新信息"),
    InformationGain.NO_GAIN: Bilingual(en="No new information from {what}", zh="{what}没有带来新信息"),
}
LAST_SEARCH = Bilingual(en="the last search", zh="上一次检索")
STOPPED = Bilingual(en="Stopped collecting: {why}", zh="停止取证：{why}")
PREPARING = Bilingual(en="Preparing the sources", zh="正在准备数据源")
BUILDING = Bilingual(en="Building the bundled world {name}", zh="正在生成内置环境 {name}")
WORLD = Bilingual(en="World: {world}", zh="环境：{world}")
WORLD_HERE = Bilingual(en="World: {world} (the current folder)", zh="环境：{world}（当前目录）")
SOURCES = Bilingual(en="Sources: {names}", zh="数据来源：{names}")
NO_WORLD = Bilingual(
    en="No evidence to search: name a folder with --world, or set ROOTPROOF_WORLD.",
    zh="没有可检索的证据：请用 --world 指定目录，或设置 ROOTPROOF_WORLD。",
)
DEMO = Bilingual(en="{title} ({name}, seed {seed}) in {path}", zh="{title}（{name}，种子 {seed}），位于 {path}")
QUESTION = Bilingual(en="Question: {question}", zh="问题：{question}")
INTERRUPTED = Bilingual(
    en="Run {run_id} was interrupted; continue with: rootproof resume {run_id}",
    zh="运行 {run_id} 曾被中断；继续运行：rootproof resume {run_id}",
)
INTERRUPTED_MORE = Bilingual(
    en="{n} more runs were interrupted; list them with: rootproof trace",
    zh="另有 {n} 次运行被中断；查看列表：rootproof trace",
)
WRITTEN = Bilingual(en="Written to {path}", zh="已写入 {path}")
RESUMING = Bilingual(en="Run {run_id}: {question}", zh="运行 {run_id}：{question}")
REPLAYING = Bilingual(en="Executing run {run_id} again from its recording", zh="正在按录制内容重放运行 {run_id}")
