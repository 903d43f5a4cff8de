"""Words of ``doctor``, in both languages. Data only."""

from state.model.enums import ModelRole, RedactionPolicy
from state.model.language import Bilingual

SOUND = Bilingual(en="Ready", zh="就绪")
UNSOUND = Bilingual(en="Something needs attention", zh="有问题需要处理")
HOME_NOT_WRITABLE = Bilingual(
    en="{home} cannot be written. Set ROOTPROOF_HOME to a folder of your own.",
    zh="{home} 无法写入。请将 ROOTPROOF_HOME 设为可写的目录。",
)

MODEL = Bilingual(en="Model", zh="模型")
ROLE: dict[ModelRole, Bilingual] = {
    ModelRole.ROUTER: Bilingual(en="routing", zh="路由"),
    ModelRole.AGENT: Bilingual(en="diagnosis", zh="诊断"),
    ModelRole.REPAIR: Bilingual(en="repair", zh="修复"),
    ModelRole.SEMANTIC: Bilingual(en="review", zh="复核"),
}
ON_THIS_MACHINE = Bilingual(
    en="{name}: on this machine, {seconds} s a step", zh="{name}：在本机运行，每步最多 {seconds} 秒"
)
EXTERNAL = Bilingual(
    en="{name}: external, what it is asked leaves this machine, {seconds} s a step",
    zh="{name}：外部模型，请求内容会离开本机，每步最多 {seconds} 秒",
)
ADDRESS = Bilingual(en="address", zh="地址")
ENDPOINT: dict[str, Bilingual] = {
    "ANSWERS": Bilingual(en="{url}: answers", zh="{url}：可以连接"),
    "KEY_REFUSED": Bilingual(
        en="{url}: refuses the key (status {status}); set ROOTPROOF_MODEL_API_KEY",
        zh="{url}：拒绝了密钥（状态码 {status}）；请设置 ROOTPROOF_MODEL_API_KEY",
    ),
    "UNREACHABLE": Bilingual(
        en="{url}: cannot be reached; check ROOTPROOF_MODEL_BASE_URL",
        zh="{url}：无法连接；请检查 ROOTPROOF_MODEL_BASE_URL",
    ),
    "FAULTY": Bilingual(en="{url}: answers with an error (status {status})", zh="{url}：返回错误（状态码 {status}）"),
}

SHOWN = Bilingual(en="What is kept and shown", zh="保存与展示")
REDACTION = Bilingual(en="redaction", zh="脱敏")
REDACTION_POLICY: dict[RedactionPolicy, Bilingual] = {
    RedactionPolicy.NEVER: Bilingual(
        en="secrets are removed; hosts, pods, IPs and PIDs stay as they are",
        zh="移除敏感信息；主机、Pod、IP、PID 保留原样",
    ),
    RedactionPolicy.EXTERNAL_MODELS: Bilingual(
        en="secrets are removed; for external models hosts, pods, IPs and PIDs become placeholders",
        zh="移除敏感信息；对外部模型，主机、Pod、IP、PID 替换为占位符",
    ),
    RedactionPolicy.ALWAYS: Bilingual(
        en="secrets are removed; hosts, pods, IPs and PIDs always become placeholders",
        zh="移除敏感信息；主机、Pod、IP、PID 一律替换为占位符",
    ),
}
MASKED_NOW = Bilingual(en="{policy} (in force now)", zh="{policy}（当前生效）")
NOT_MASKED_NOW = Bilingual(en="{policy} (not needed now)", zh="{policy}（当前不需要）")
RECORDING = Bilingual(en="recording", zh="录制")
RECORDING_MODE: dict[str, Bilingual] = {
    "off": Bilingual(en="off: runs cannot be replayed", zh="关闭：运行无法重放"),
    "redacted": Bilingual(
        en="model requests and replies and what tools showed, 7 days", zh="模型请求与回复、工具展示的内容，保留 7 天"
    ),
    "full": Bilingual(en="the same, and raw results, encrypted", zh="同上，另加密保存原始结果"),
    "full without key": Bilingual(
        en="full, but ROOTPROOF_ENCRYPTION_KEY is not set: raw results are not kept",
        zh="完整录制，但未设置 ROOTPROOF_ENCRYPTION_KEY：不保存原始结果",
    ),
}
HOME = Bilingual(en="home", zh="主目录")
STORES = Bilingual(en="stores", zh="存储")
NOT_CREATED = Bilingual(en="not created yet", zh="尚未创建")
LOG = Bilingual(en="log", zh="日志文件")

SYSTEMS = Bilingual(en="Sources", zh="数据来源")
SYSTEM: dict[str, Bilingual] = {
    "ANSWERS": Bilingual(en="{kind}: answers", zh="{kind}：可以连接"),
    "UNREACHABLE": Bilingual(
        en="{name} ({kind}) is not searched: {why}. Check address, credentials and network.",
        zh="{name}（{kind}）不会被检索：{why}。请检查地址、凭据与网络。",
    ),
    "MISCONFIGURED": Bilingual(en="{name} ({kind}) cannot be used. {why}", zh="{name}（{kind}）无法使用。{why}"),
    "CAN_WRITE": Bilingual(
        en="{name} ({kind}) is refused, because its account can do more than read. {why}",
        zh="{name}（{kind}）被拒绝：其账号的权限超出只读。{why}",
    ),
}

WORLD = Bilingual(en="World", zh="环境")
NO_WORLD = Bilingual(
    en="No folder of evidence. Name one with --world, set ROOTPROOF_WORLD, or try: rootproof demo",
    zh="没有证据目录。可用 --world 指定、设置 ROOTPROOF_WORLD，或先试：rootproof demo",
)
FOLDER = Bilingual(en="folder", zh="目录")
ABOUT = Bilingual(en="about", zh="说明")
NOW = Bilingual(en="now", zh="当前时刻")
NOW_LATEST = Bilingual(en="the latest telemetry", zh="最新的遥测时间")
TIME_ZONE = Bilingual(en="time zone", zh="时区")
NOTE = Bilingual(en="note", zh="说明")

UNREAD = Bilingual(en="Log files that cannot be searched", zh="无法检索的日志文件")
UNREAD_FILE = Bilingual(en="{source}/{name}: {why}", zh="{source}/{name}：{why}")
UNREAD_MORE = Bilingual(en="and {n} more", zh="另有 {n} 个")
WHY_UNREAD: dict[str, Bilingual] = {
    "binary": Bilingual(en="is not text", zh="不是文本文件"),
    "undecodable": Bilingual(en="is not text in UTF-8 or GB18030", zh="不是 UTF-8 或 GB18030 文本"),
    "unreadable": Bilingual(en="cannot be read; check its rights", zh="无法读取，请检查权限"),
    "too_large": Bilingual(en="is too large; split it", zh="文件过大，请拆分"),
    "timed_out": Bilingual(en="took too long to read", zh="读取超时"),
    "no_timestamps": Bilingual(en="no line begins with a time that is understood", zh="没有可识别时间的行"),
}

KNOWLEDGE = Bilingual(en="Runbooks", zh="运维手册")
KNOWLEDGE_HELD = Bilingual(
    en="{documents} documents in {chunks} searchable chunks", zh="{documents} 篇文档，{chunks} 个可检索片段"
)
NOT_SEARCHABLE = Bilingual(en="{path} cannot be searched: {why}", zh="{path} 无法检索：{why}")
FLAWED = Bilingual(en="{path}: {why}", zh="{path}：{why}")
TOOLS = Bilingual(en="What the model sees", zh="模型能看到什么")
NO_TOOLS = Bilingual(
    en="No evidence tool: a run can only say what it lacks.", zh="没有取证工具：运行只能说明缺少什么。"
)
