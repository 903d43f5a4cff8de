"""Words that say nothing of an incident by themselves: reporting, joining, counting, advising. Data."""

import re

from models.offline.concepts import CONCEPTS
from models.offline.terms import stem

_PLAIN = """
allow allowed allows permit permitted permits notice noticed anybody anyone anything somebody someone everybody
else show shows shown showed showing report reported record recorded recording say says said saw see seen note
noted tell told describe described indicate confirm confirmed observe observed list listed name named call called
match matches agree agrees fit fits prove proves suggest suggests mean means imply point points appear appeared
look looked found find consider considered according recorded evidence proof log line lines row rows entry message
messages text runbook document documentation passage section manual guide page history telemetry metric metrics
sample samples reading cause causes caused causing lead leads led leading result results resulted trigger triggered
reason root origin culprit effect effects symptom symptoms consequence consequences impact incident problem issue
event chain start begin began happen happened occur occurred follow follows followed following explain explains
make made makes come comes came become became go goes went gone get gets got gotten turn turned keep kept leave
left stay stayed remain remained reach reached reaching bring brought take took taken taking cut set put sit sat
stand stood hold held lie give gave given receive received send sent return returned introduce introduced use used
using need needs needed try tried cannot able unable must want cover covers covered contain contains include
includes instead therefore thus hence although though however still even yet already later late earlier early soon
until since meanwhile afterwards immediately directly shortly finally eventually suddenly gradually repeatedly
exactly nearly almost about around roughly only merely mainly mostly largely partly entirely whole full fully
completely one two three four five six seven eight nine ten eleven twelve first second third last next another
other others same different many several few much more most less least any every each both none nobody nothing
nothing something everything number count total sum average percent rate times time minute minutes moment period
day days week interval window end ended ends behaviour behave behaves way state status situation case kind type
side place part new old normal usual unusual own itself themselves alone together away back behind beyond within
without among against along across upon long short high low higher lower large small big little great right wrong
true clear clearly visible plain again further further actually really simply indeed thing things half kept left
never ever always often sometimes non not no ran run running tied tie ties consistent consistently supported
supports supporting based quoted quote cited cites according explained january february march april may june july
august september october november december monday tuesday wednesday thursday friday saturday sunday beginning
throughout during per data value values serve process processes processed work works worked working handle handled
handles normally simple simply unlike like account accounts accounted pass passes passed arrive arrives arrived
deliver delivered offer move moved moves pair add adds added additional extra grow grew fall falls fell drop rise
single double once twice per versus eg ie etc would could should might may like such
"""
_ADVICE = """
roll rollback revert restore restart reboot reload raise increase lower reduce decrease check verify validate confirm
review inspect watch monitor monitoring alert alerting alarm dashboard measure compare collect gather query search
look read investigate find fix repair correct change adjust tune set reset add remove move replace renew rotate
reissue update upgrade downgrade deploy redeploy release scale throttle limit split separate isolate drain pause stop
resume disable enable switch turn apply create rebuild run rerun retry wait ask inform notify tell contact page
escalate document record note plan schedule test rehearse keep make ensure guard protect avoid prevent give let allow
free close open clear clean kill cancel terminate before after once until only owner owners team operator operators
engineer oncall human approval threshold policy process step steps action actions recommendation safe safely
regularly temporarily permanently immediate immediately possible
"""
PLAIN = frozenset(stem(word) for word in _PLAIN.split())
ADVICE = frozenset(stem(word) for word in _ADVICE.split())
VAGUE_CONCEPTS = frozenset(
    "c:start c:log c:raise c:run c:hold c:entry c:fail c:change c:request c:response c:service c:report c:long "
    "c:wait c:user c:job c:host c:code c:container c:stop c:read c:write c:verify".split()
)
"""Concepts most incidents are told with: neither shown nor strange."""
EVENTS = frozenset("c:fail c:stop c:start c:change c:raise".split())
"""Those that can be said of a strange thing to make an event of it."""
MECHANISMS = frozenset(
    "c:leak c:deadlock c:oom c:evict c:corrupt c:migration c:ratelimit c:crash c:kill c:fullscan "
    "c:blocklist c:permission c:certificate c:gc c:backup c:revoke c:loop c:clock c:mtu".split()
)
"""Concepts that by themselves say how something broke: never a mere manner of speaking."""
ADVICE_CONCEPTS = VAGUE_CONCEPTS | frozenset(
    "c:rollback c:restart c:lower c:config c:renew c:deploy c:verify c:stop c:probe c:retry c:version c:limit c:switch "
    "c:drop c:notify c:kill c:ratelimit".split()
)
_CONCEPTS_ZH = "|".join(
    sorted(
        {
            word
            for _, _, right in (line.partition("|") for line in CONCEPTS.replace("\n  ", " ").splitlines())
            for word in (part.strip() for part in right.split(","))
            if len(word) > 1
        },
        key=lambda word: (-len(word), word),
    )
)
PLAIN_ZH = re.compile(
    f"(?P<kept>{_CONCEPTS_ZH})|"
    + "|".join(
        sorted(
            (
                "出现 手册 一次 再出 再次 发生 指出 只完成 完成 反复 无法 持续 不出 第一 收不到 换成 报导 "
                "使用 改回 只用 只好 改用 全部 变成 起点 产生 几乎 期间 不存在 存在 显示 正好 自动 查不到 "
                "出来 累计 不再 改成 每次 一共 共发生 紧跟 之间 说明 记录 日志 证据 表明 可见 看到 观察 因为 "
                "由于 导致 引起 造成 引发 触发 使得 致使 从而 因此 所以 于是 随之 随后 然后 接着 之后 之前 "
                "以后 以前 同时 期间 直到 根因 原因 起因 根源 结果 后果 现象 症状 表现 影响 问题 事件 开始 "
                "结束 后来 最终 最后 首先 其次 先 再 才 便 仍 仍然 依然 依旧 已经 已 一直 逐渐 立即 立刻 马上 "
                "突然 大量 许多 多次 多个 一些 部分 全 整 每 各 几 两 三 四 五 六 七 八 九 十 百 千 万 秒 分 "
                "时 天 次 条 个 台 份 名 位 项 种 类 约 大约 左右 不足 不够 超 多 少 大 小 高 低 长 短 新 旧 "
                "不 没 没有 无 未 非 可 能 可以 不能 需要 必须 应 应当 应该 仅 只 只有 只是 也 都 均 由 令 让 "
                "使 给 向 往 为 来自 属于 成为 变 变得 达 达到 到达 进入 处于 一致 相符 吻合 符合 根据 依据 "
                "引用 指向 证明 证实 确认 提到 描述 称 本次 此次 该 上述 其中 其他 其它 另外 另一 自身 本身 "
                "自己 正常 情况 状态 方式 过程 阶段 时间 时段 当时 以及 并且 而且 但是 不过 虽然 尽管 如果 "
                "那么 即 即使 只要 只能 无人 未能 未 经过 通过 按照 其 之 所 数据 信息 内容 处理 操作 执行 "
                "资源 进行 造成 出来 起来 下来 上来 下去 得到 得以 遇到 发现 提示 提供 占 比 平时 以来 期内 "
                "段 连续 不断 频繁 陆续 依次 相继 分别 共同 同一 单个 单次 只剩 剩余 剩下 上限 来不及 赶上 "
                "碰上 撞上 首次 当天 当晚 上午 下午 凌晨 晚上 日期 月 日 年"
            ).split(),
            key=lambda word: (-len(word), word),
        )
    )
)
ADVICE_ZH = re.compile(
    "回滚|恢复|重启|重新|提高|降低|调高|调低|调大|调小|增加|减少|检查|核对|核实|验证|确认|查看|监控|告警|观察|对比|收集|"
    "修复|修正|调整|设置|添加|移动|替换|更换|续期|轮换|更新|升级|发布|扩容|限流|拆分|隔离|暂停|停止|继续|关闭|开启|启用|"
    "禁用|应用|创建|重建|运行|重试|等待|通知|联系|上报|记录|计划|安排|测试|演练|保持|确保|避免|防止|允许|释放|清理|取消|"
    "负责人|团队|值班|人工|审批|阈值|策略|流程|步骤|建议|措施|安全|定期|临时|尽快|优先"
)
IRREGULAR = frozenset(
    "stole broke lost took sold hid wrote sent built bought brought caught chose fell flew forgot fought hit hurt knew "
    "laid left let paid shut spent stuck struck tore threw won blew burnt burned cut shot sank froze drove gave ate "
    "went wiped hacked".split()
)
"""Past forms of doing that do not end in "ed"."""
MAY_BE = re.compile(
    r"\b(?:not|no|never|none|nothing|missing|lack\w*|unknown|unclear|whether|if|without|cannot|could|may|might|should|"
    r"would|possibl\w+|perhaps|open|undetermined|unavailable|absent|neither|nor|un\w+ed)\b|n't\b"
    r"|没有|未|无|不|是否|缺|可能|也许|或许|尚|待|如果",
    re.IGNORECASE,
)
"""A clause that names what is missing or only possible."""
STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|sind|ist|war)\b|(?<!为)了(?!解)|被|把|导致|造成|引起|因为|由于|已经?(?!知)|是",
    re.IGNORECASE,
)
"""A clause that states something."""
COUNT_WORD = re.compile(
    r"\bhalf (?:of|past)\b|\b(?:dozen|hundred|thousand|million|billion)s?\b|\b(?-i:[MDCLXVI]{3,})\b|\byesterday\b"
    r"|\b(?:thirds?|quarters?) of\b|一半|半数|数[十百千万]|成千上万|[百千万]分之|昨天|昨日",
    re.IGNORECASE,
)
"""Amounts and days in words: only what is shown or asked in the same word."""
ZH_EVENT = re.compile("发生|(?<!为)了(?!解)|被|遭")
GRAVE = re.compile(
    r"\bhack\w*|\battack\w*|\bstole\w*|\bsteal\w*|\bsabotag\w+|\bsold\b|\bwiped\b|\bmalicious\w*|\bon purpose\b|\bdeliberate\w*|"
    r"\bcompromised\b|\bbreach\w*|\bhealthy\b|\binnocent\b|\bblameless\b|\bintact\b|\bdata (?:was|were|is|are) lost\b"
    r"|黑客|攻击|窃取|盗取|入侵|故意|恶意|泄密|误删|断电|停电|火灾|健康的|无辜",
    re.IGNORECASE,
)
"""Accusations and acquittals: only what is shown or asked in the same word."""
