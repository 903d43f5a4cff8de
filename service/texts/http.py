"""What the HTTP interface says to its callers, in both languages. Data only."""

from service.http.codes import ProblemCode
from state.model.language import Bilingual

PROBLEM: dict[ProblemCode, Bilingual] = {
    ProblemCode.BAD_REQUEST: Bilingual(
        en="The body of the request is no JSON. Send one JSON object in UTF-8.",
        zh="请求体不是 JSON。请发送一个 UTF-8 编码的 JSON 对象。",
    ),
    ProblemCode.UNAUTHENTICATED: Bilingual(
        en="No known key was sent. Send one as: Authorization: Bearer KEY",
        zh="没有发送已知的密钥。请这样发送：Authorization: Bearer KEY",
    ),
    ProblemCode.FORBIDDEN: Bilingual(
        en="This key may not do that; it needs the role {role}.", zh="此密钥无权执行该操作；需要角色 {role}。"
    ),
    ProblemCode.NOT_FOUND: Bilingual(en="There is no such thing here.", zh="这里没有该对象。"),
    ProblemCode.METHOD_NOT_ALLOWED: Bilingual(
        en="This address does not answer that method.", zh="该地址不支持此请求方法。"
    ),
    ProblemCode.RUN_REFUSED: Bilingual(en="The run is refused: {why}.", zh="运行被拒绝：{why}。"),
    ProblemCode.IDEMPOTENCY_MISMATCH: Bilingual(
        en="This Idempotency-Key was sent with another body before. Use a new key for a new question.",
        zh="该 Idempotency-Key 之前用于另一个请求体。新问题请使用新的键。",
    ),
    ProblemCode.E_REBUILD_IN_PROGRESS: Bilingual(
        en="The knowledge base is being rebuilt. Searching goes on; add and delete documents when it has ended.",
        zh="知识库正在重建。检索不受影响；请在重建结束后再添加或删除文档。",
    ),
    ProblemCode.RUN_ENDED: Bilingual(en="The run has ended already.", zh="该运行已经结束。"),
    ProblemCode.CASE_DECIDED: Bilingual(en="The case has been decided already.", zh="该案例已经有了决定。"),
    ProblemCode.RECORDING_EXPIRED: Bilingual(
        en="The recording of this run is not kept any more.", zh="该运行的录制内容已不再保留。"
    ),
    ProblemCode.EVIDENCE_EXPIRED: Bilingual(
        en="This evidence is not kept any more; what the report cites stays.",
        zh="该证据已不再保留；报告引用的部分仍然可查。",
    ),
    ProblemCode.REQUEST_TIMEOUT: Bilingual(
        en="The request came too slowly and was given up. Send it again.", zh="请求到达过慢，已被放弃。请重新发送。"
    ),
    ProblemCode.TOO_LARGE: Bilingual(
        en="The body of the request is larger than this address takes.", zh="请求体超过了该地址允许的大小。"
    ),
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: Bilingual(
        en="The body has a type that is not read here. Expected: {expected}",
        zh="请求体的类型无法识别。应为：{expected}",
    ),
    ProblemCode.INVALID_QUERY: Bilingual(
        en="The question, the session or an option cannot be used.", zh="问题、会话或选项无法使用。"
    ),
    ProblemCode.INVALID_REQUEST: Bilingual(en="A field cannot be used.", zh="某个字段无法使用。"),
    ProblemCode.RATE_LIMITED: Bilingual(
        en="Too many requests. Try again in {seconds} s.", zh="请求过多。请在 {seconds} 秒后重试。"
    ),
    ProblemCode.TOO_MANY_RUNS: Bilingual(
        en="As many runs as this service may execute are going on. Try again in {seconds} s.",
        zh="正在执行的运行已达上限。请在 {seconds} 秒后重试。",
    ),
    ProblemCode.TOO_MANY_STREAMS: Bilingual(
        en="As many streams of this key as it may have ({most}) are open. Close one, or try again in {seconds} s.",
        zh="该密钥已打开 {most} 个事件流，达到上限。请关闭其中一个，或在 {seconds} 秒后重试。",
    ),
    ProblemCode.INTERNAL_FAILURE: Bilingual(
        en="Something unforeseen went wrong; nothing was released. The log has it under the id of this request.",
        zh="发生了未预料的错误，没有发布任何内容。日志中以本请求的编号记录了它。",
    ),
    ProblemCode.UNAVAILABLE: Bilingual(
        en="A store cannot be used, so nothing is shown as fact. Try again in {seconds} s.",
        zh="存储无法使用，因此不会把任何内容当作事实展示。请在 {seconds} 秒后重试。",
    ),
}
"""What is said where nothing more is known."""

RUNS_OF_KEY = Bilingual(
    en="As many runs of this key as it may have ({most}) are going on. Cancel one, or try again in {seconds} s.",
    zh="该密钥有 {most} 个运行正在进行，达到上限。请取消其中一个，或在 {seconds} 秒后重试。",
)
FIELD_MISSING = Bilingual(en="{field} is missing.", zh="缺少 {field}。")
FIELD_UNKNOWN = Bilingual(en="{field} is not a field of this request.", zh="{field} 不是此请求的字段。")
FIELD_LIMIT = Bilingual(en="{field} is outside its limit ({limit}).", zh="{field} 超出限制（{limit}）。")
FIELD_CHOICE = Bilingual(en="{field} is none of: {limit}", zh="{field} 不在可选值之内：{limit}")
FIELD_UNUSABLE = Bilingual(en="{field} cannot be used.", zh="{field} 无法使用。")
THE_BODY = Bilingual(en="the body", zh="请求体")


NOT_THIS_MACHINE = Bilingual(
    en="Without a configured key only this machine is served, under the name localhost or a loopback address.",
    zh="未配置密钥时只服务本机，且只接受 localhost 或回环地址。",
)
OTHER_ORIGIN = Bilingual(
    en="A page of another origin may not change anything here.", zh="来自其他来源的页面不得在此更改任何内容。"
)
NOT_YOURS = Bilingual(
    en="Only the key that asked, or an operator, may do that to this run.",
    zh="只有提问的密钥或运维角色可以这样操作该运行。",
)

SERVE = Bilingual(en="Serve the HTTP API and the web page.", zh="提供 HTTP 接口与网页。")
HOST = Bilingual(
    en="Address to listen on; another than this machine's needs keys.", zh="监听地址；非本机地址必须配置密钥。"
)
PORT = Bilingual(en="Port to listen on; 0 takes a free one.", zh="监听端口；0 表示任取一个空闲端口。")
SERVING = Bilingual(en="Rootproof is at {url} (stop with Ctrl-C)", zh="Rootproof 已启动：{url}（按 Ctrl-C 停止）")
KEYS_OFF = Bilingual(
    en="No key is configured: only this machine is served, and everybody on it may do everything.",
    zh="未配置密钥：只服务本机，本机上的任何人都拥有全部权限。",
)
KEYS_ON = Bilingual(en="Keys: {names}", zh="密钥：{names}")
STOPPING = Bilingual(en="Stopping: streams and runs get a moment to end.", zh="正在停止：等待事件流与运行收尾。")
NEEDS_KEYS = Bilingual(
    en="--host {host!r} is not this machine and no key is configured. "
    "Declare keys in rootproof.yaml, or use 127.0.0.1.",
    zh="--host {host!r} 不是本机地址，且没有配置密钥。请在 rootproof.yaml 中声明 keys，或使用 127.0.0.1。",
)

NODE: dict[str, Bilingual] = {
    "open_run": Bilingual(en="Open the run", zh="打开运行"),
    "route": Bilingual(en="Recognise the intent", zh="识别意图"),
    "answer_chat": Bilingual(en="Answer small talk", zh="回答闲聊"),
    "answer_knowledge": Bilingual(en="Answer from runbooks", zh="依据运维手册回答"),
    "agent": Bilingual(en="Decide the next step", zh="决定下一步"),
    "tool_gate": Bilingual(en="Collect evidence", zh="收集证据"),
    "track_progress": Bilingual(en="Judge the progress", zh="判断进展"),
    "guard_evidence": Bilingual(en="Check every citation", zh="核对每一处引用"),
    "repair_draft": Bilingual(en="Repair references", zh="修复引用"),
    "guard_semantics": Bilingual(en="Review independently", zh="独立复核"),
    "release": Bilingual(en="Decide the release", zh="决定发布"),
    "close_run": Bilingual(en="Close the run", zh="关闭运行"),
}
"""Every node of the graph."""
