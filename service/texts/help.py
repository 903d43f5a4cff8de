"""Help of the command line, in both languages. Data only."""

from state.model.language import Bilingual

APP = Bilingual(
    en="Root cause, with proof: diagnoses incidents from logs, databases and runbooks, and names a cause only when "
    "every statement of it is proved.",
    zh="有证据的根因：从日志、数据库和运维手册中诊断事故，只有每一句话都得到证明时才给出根因。",
)
DEMO = Bilingual(
    en="Diagnose a bundled incident, with no key and no server.", zh="诊断一个内置的事故，不需要密钥和服务器。"
)
DIAGNOSE = Bilingual(en="Ask what broke, over a folder of evidence.", zh="针对一个证据目录提问：哪里出了问题。")
TRACE = Bilingual(en="Show the last runs, or everything kept about one.", zh="查看最近的运行，或某次运行的全部记录。")
VERIFY = Bilingual(
    en="Show only whether its audit was changed since the run ended; exits with 1 if it was.",
    zh="只显示该次运行的审计在结束后是否被改动；若被改动则退出码为 1。",
)
RESUME = Bilingual(
    en="Continue an interrupted run; show the result of an ended one.", zh="继续被中断的运行；已结束的则显示结果。"
)
REPLAY = Bilingual(
    en="Execute a run again from its recording, with no external call.",
    zh="按录制内容重放一次运行，不调用任何外部服务。",
)
REPLAY_FILE = Bilingual(
    en="Replay this exported run instead; it may be of another machine.",
    zh="改为重放这个导出的运行文件，可来自另一台机器。",
)
EVERY_STEP = Bilingual(
    en="Execute it on from each of its steps, not only from the start.", zh="从每一步开始分别重放，而不只是从头开始。"
)
AS_CONFIGURED = Bilingual(
    en="With the limits and models configured now: shows the first step that would go another way.",
    zh="使用当前配置的上限和模型：显示第一个会不同的步骤。",
)
DOCTOR = Bilingual(
    en="Show what is configured and reachable, and what a model will see.",
    zh="查看配置、连通性，以及模型能看到的内容。",
)
EVAL = Bilingual(
    en="Measure how well the guards hold.",
    zh="测量各道把关的效果。",
)
VERSION = Bilingual(en="Show the version.", zh="显示版本。")
NAME = Bilingual(en="Bundled world; see --list.", zh="内置环境的名称，见 --list。")
LIST = Bilingual(en="List the bundled worlds and their questions.", zh="列出内置环境及其问题。")
SEED = Bilingual(en="Seed of the generated data: other names and numbers.", zh="生成数据的种子：换一组名称和数字。")
QUESTION = Bilingual(en="What broke, where and since when.", zh="哪里出了问题、从什么时候开始。")
WORLD = Bilingual(
    en="Folder of evidence: one with logs, db, metrics, knowledge, alerts.json or world.yaml in it. "
    "Default: ROOTPROOF_WORLD, else the current folder if it is one.",
    zh="证据目录，其中包含 logs、db、metrics、knowledge、alerts.json 或 world.yaml。"
    "默认：ROOTPROOF_WORLD，否则为符合条件的当前目录。",
)
SESSION = Bilingual(
    en="Session that the run belongs to; a follow-up names the same.", zh="所属会话；追问时使用同一个。"
)
SINCE = Bilingual(en="Search back that long, such as 30m, 2h or 1d.", zh="向前检索多久，例如 30m、2h、1d。")
FROM = Bilingual(en="Start of the window, such as 2026-03-01T14:05.", zh="时间范围的开始，例如 2026-03-01T14:05。")
TO = Bilingual(en="End of the window.", zh="时间范围的结束。")
LANG = Bilingual(en="Language of the report. Default: that of the question.", zh="报告语言。默认与问题相同。")
MODEL = Bilingual(
    en="offline, openai:NAME or scripted:FILE. Default: ROOTPROOF_MODEL, else offline.",
    zh="offline、openai:名称 或 scripted:文件。默认：ROOTPROOF_MODEL，否则为 offline。",
)
OUTPUT = Bilingual(en="Also write the report as Markdown.", zh="同时把报告写成 Markdown 文件。")
JSON = Bilingual(en="Print one JSON object.", zh="输出一个 JSON 对象。")
VERBOSE = Bilingual(en="Write the log to stderr instead of the log file.", zh="把日志写到 stderr，而不是日志文件。")
RUN_ID = Bilingual(en="Run id, as reports and traces show it.", zh="运行 ID，见报告与轨迹。")
