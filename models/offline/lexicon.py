"""General word lists the rules work with, English and Chinese. Data; no scenario's vocabulary."""

import re

STOP_WORDS = frozenset(
    """a an the this that these those it its is are was were be been being am do does did done have has had having
    of in on at to from by for with about into over under up out off as and or but nor so if then than when while
    where which who whom whose what why how there here not no yes can could may might must shall should will would
    i we you he she they them us our my your his her their me all any both each few more most other some such only
    own same too very just also again once during before after above below between through until against because
    please tell show find give let get got see look us via per ms sec seconds second minutes minute hours hour s m h
    last past today yesterday now ago since morning afternoon evening night recently lately""".split()
)
"""English words that carry no content."""

ZH_STOP = tuple(
    "为什么 怎么 什么 哪些 哪个 如何 是否 有没有 请问 一下 最近 小时 分钟 今天 昨天 现在 这个 那个 我们 你们 他们 它们 "
    "的 了 在 是 和 与 及 或 被 把 对 从 到 也 都 就 还 又 很 吗 呢 吧 啊 着 过 地 得 而 其 此 该 这 那 有 "
    "为 以 于 个 里 中 上 下 时 后 前 会 能 要 将 已 并 且 但 因 由 所".split()
)
"""Chinese function words; longer ones first within their overlaps."""

TROUBLE_TERMS = frozenset(
    {"c:slow", "c:fail", "c:service", "c:crash", "c:unavailable", "c:request", "c:response", "c:log", "c:start"}
    | {
        f"w:{word}"
        for word in "broken brok problem issu wrong trouble help diagnos investigat happen caus root incident".split()
    }
    | {
        f"w:{word}"
        for word in "reason system thing someth anyth everyth work know understand check alert bad weird".split()
    }
    | {
        "c:wrong",
        "w:analys",
        "w:analyz",
        "w:figur",
        "w:explain",
        "w:user",
        "w:prod",
        "w:production",
        "w:websit",
        "w:sit",
    }
    | {
        f"z:{word}"
        for word in "系统 统问 问题 原因 排查 分析 帮忙 帮我 诊断 一切 坏了 不行 根因 情况 查看 怎样 发生 回事 出了 "
        "出现".split()
    }
)
"""Terms that say something is wrong without saying what."""

TROUBLE_ZH = tuple(
    "怎么回事 查看一下 看一下 查一下 看看 查查 帮忙 帮我 麻烦 好像 似乎 感觉 可能 一直 总是 突然 系统 服务 "
    "问题 原因 根因 排查 分析 诊断 情况 怎样 发生 出现 出了 "
    "出 坏了 坏 不行 不好 不对 不正常 异常 故障 报错 错误 出错 失败 太慢 很慢 变慢 慢 卡 挂了 挂 崩了 有 "
    "所有 一切 东西 线上 生产 环境 网站 页面 请".split()
)
"""Chinese words that say something is wrong without saying what; longer ones first within their overlaps."""

CAUSE_WORDS = re.compile(
    r"\bwhy\b|\bcaus|\broot\b|\breason\b|\bexplain|\bdiagnos|what (?:broke|happened|went wrong|is wrong)|"
    r"为什么|为何|原因|根因|怎么回事|导致|怎么了",
    re.IGNORECASE,
)
"""A question that asks for a cause."""

NARROW_WORDS = re.compile(
    r"^\W*(?:is|are|was|were) there\b|\b(?:any|how many|how often)\b|^\W*(?:did|does|do|has|have) |有没有|"
    r"是否有|有无|多少|有几|是否出现|有.{0,12}吗",
    re.IGNORECASE,
)
"""A question that asks whether or how many."""

ALERT_WORDS = re.compile(
    r"(?<![\w.-])(?:alerts?|alerting|alarms?|firing|fired|paged?)(?![\w-])|告警|报警|警报|预警", re.IGNORECASE
)
"""A question that speaks of alerts."""

NARROW_ALERT = re.compile(
    r"^\W*(?:is|are|was|were|which|what|list|show|do|does|did|has|have|any)\b|吗|是否|有没有|哪些|什么告警|列出|多少|几个|没有$",
    re.IGNORECASE,
)
"""A question about alerts that asks which or whether."""

NARROW_METRIC = re.compile(
    r"^\W*(?:what(?:'s| is| was| are| were)|how (?:high|low|much|many|large|big|long)|show|give|tell|read|current|value)\b|"
    r"多少|是什么|多高|多大|当前值|数值|取值|的值",
    re.IGNORECASE,
)
"""A question about a metric that asks for its value."""

NEGATION = re.compile(
    r"\b(?:no|not|never|none|without|neither|nor|cannot|can't|didn't|doesn't|isn't|wasn't|weren't|aren't|"
    r"hasn't|haven't|won't|nothing)\b"
    r"|没有|并未|并非|未曾|不是|没|无法|未",
    re.IGNORECASE,
)
"""Words that turn a statement round."""

EXCLUDING = re.compile(
    r"\brul(?:es?|ed|ing) (?:this |it |that )?out\b|\bnot this (?:cause|case|problem)\b|\bexclud|\bdoes "
    r"not apply\b|\bpoints? away\b"
    r"|\bis (?:then )?something else\b|\bspeaks? against\b|\bargues? against\b|\bcounts? against\b|"
    r"\banother cause\b|\bdifferent cause\b"
    r"|排除|不是(?:该|此|这个|这种|本)|则不是|并非(?:该|此|这)|不属于|另有原因|不符合|说明不是",
    re.IGNORECASE,
)
"""A sentence that says what speaks against a cause."""

RULES_OUT_OTHER = re.compile(
    r"\brul(?:es?|ing) out (?!this\b|it\b|that\b|the cause\b|if\b|when\b|by\b)\w|\bexclud\w+ (?:other|"
    r"another|the other)|(?:排除)(?:其他|其它|别的|另)",
    re.IGNORECASE,
)
"""A sentence that excludes something else than the cause it stands under."""

HARMLESS = re.compile(
    r"\bharmless\b|\bbenign\b|\bis normal\b|\bare normal\b|\bexpected\b|\bcan be ignored\b|\bno cause "
    r"for\b|\bhealthy\b|\bby itself\b|\bon its own\b"
    r"|正常|无害|可忽略|可以忽略|不代表|健康|并不意味",
    re.IGNORECASE,
)
"""A sentence about what does not matter."""

REMEDY = re.compile(
    r"^\W*(?:fix|remed|mitigat|resol|recover|action|what to do|repair|workaround|prevent|next steps?|"
    r"verification|rollback)"
    r"|^\W*(?:处理|修复|缓解|解决|恢复|处置|措施|操作|应急|预防)",
    re.IGNORECASE,
)
"""A heading over steps to take."""

CHANGE_NAMES = re.compile(
    r"deploy|release|rollout|change|config|migration|version|upgrade|feature_?flag|audit|history|schema|发布|变更|部署",
    re.IGNORECASE,
)
"""Names of tables or columns that record changes."""

CHANGE_TERMS = frozenset(
    {"c:deploy", "c:change", "c:config", "c:migration", "c:version", "c:lower", "c:raise", "c:rollback"}
)
"""Concepts that speak of a change made by people."""

SYMPTOM_HEADING = re.compile(r"symptom|impact|what (?:users|callers) see|meaning|现象|症状|表现|影响", re.IGNORECASE)
"""A heading over what people notice."""

CHANGE_KINDS = frozenset({"c:deploy", "c:config", "c:migration", "c:version", "c:rollback"})
"""Concepts of one kind of recorded change; a row fits a cause only if its table or columns are of the same kind."""

ERROR_LEVELS = frozenset("ERROR ERR FATAL CRITICAL CRIT SEVERE PANIC ALERT EMERG EMERGENCY".split())
WARN_LEVELS = frozenset("WARN WARNING NOTICE".split())

FAILURE_KINDS = frozenset(
    "c:timeout c:slow c:refuse c:expired c:full c:oom c:kill c:restart c:crash c:ratelimit c:unavailable c:disconnect "
    "c:evict c:deadlock c:lock c:resolve c:queue n:429 n:500 n:502 n:503 n:504".split()
)
"""Concepts that say in which way something failed."""

ALIKE = frozenset("c:timeout c:slow c:unavailable c:disconnect n:502 n:503 n:504 c:wait c:queue".split())
"""Ways of not answering in time: what one component calls slow, the next one calls a timeout."""

COMMON = frozenset(
    "c:fail c:request c:response c:service c:connection c:database c:host c:network c:start c:user c:log c:file".split()
)
"""Concepts that every incident is told with."""

CHANGE_DEEDS = CHANGE_TERMS | frozenset("c:renew c:switch c:drop c:wrong".split())
"""Concepts of what somebody does to a system."""
