"""The router role: a question → an intent. Pure. In doubt DIAGNOSIS."""

import re

_CHAT = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?|thank you(?: very much)?|bye|"
    r"goodbye|你好|您好|嗨|谢谢|多谢|再见|早上好|在吗)\W*$"
    r"|^\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨)\W+)?(?:there\W+)?"
    r"(?:how are you(?: doing)?"
    r"(?: today)?|how(?:'|’)?s it going|how is it going|what(?:'|’)?s up|nice to meet you|are you (?:there|ok|okay)|"
    r"good (?:night|day)|你最近好吗|你最近怎么样|你好吗|你还好吗|吃了吗|很高兴认识你|晚安|晚上好|下午好)\W*$"
    r"|\b(?:what can you do|who are you|what are you|how do(?:es)? (?:you|this|rootproof) work|help me "
    r"use)\b|你(?:能|可以|会)(?:做|干)(?:什么|啥|些什么)|你是谁|怎么(?:使用|用)你|有什么功能",
    re.IGNORECASE,
)
_ABOUT_KNOWLEDGE = re.compile(
    r"\b(?:what|which|list|show|how many)\b.{0,30}\b(?:runbooks?|documents?|docs|knowledge base|"
    r"articles)\b.{0,40}(?:\b(?:do you have|are there|exist|available|loaded|indexed|in the)\b|\?|$)"
    r"|(?:有|列出|查看|显示).{0,8}(?:哪些|什么|多少|所有|全部).{0,6}(?:文档|手册|知识|预案)|知识库(?:里|"
    r"中)?(?:有|包含).{0,6}(?:什么|哪些|多少)",
    re.IGNORECASE,
)
_ABOUT_CONVERSATION = re.compile(
    r"\b(?:your|the|my) (?:last|previous|earlier|first) (?:answer|question|report|diagnosis|conclusion|"
    r"message)\b|\bwhat did (?:you|i) (?:just )?(?:say|ask|conclude|find)\b|\bsummari[sz]e (?:this|our) "
    r"(?:conversation|chat|session)\b"
    r"|(?:上一?次|上个|刚才|之前|上面)的?(?:回答|问题|结论|报告|诊断|对话)|(?:我|你)(?:刚才|之前|"
    r"刚刚).{0,4}(?:问|说|回答)|总结.{0,4}(?:对话|会话)",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"^\W*(?:how (?:do|can|should|to)\b(?!.*\bhappen)|what is\b|what are\b|what does\b|explain\b|where is "
    r".*documented|describe\b|what steps)|according to the (?:runbook|document)|\bin general\b"
    r"|(?:如何|怎么|怎样|应该怎么)(?:处理|排查|配置|设置|扩容|回滚|重启|恢复|更换|续期|清理|修复|优化|升级|"
    r"操作)|什么是|是什么意思|(?:手册|文档|知识库).{0,6}(?:怎么说|如何|说明)|步骤(?:是|有)",
    re.IGNORECASE,
)
_HERE_AND_NOW = re.compile(
    r"\bwhy\b|\bnow\b|\btoday\b|\byesterday\b|\blast\b|\bsince\b|\bcurrently\b|\bright now\b|\bour\b|\bis "
    r"(?:down|failing|slow)\b|\bare (?:down|failing|slow)\b|\bfailing\b|\d{1,2}:\d\d"
    r"|为什么|为何|现在|刚才|刚刚|今天|昨天|最近|我们|线上|\d+\s*点|正在|突然",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:weather|poem|joke|recipe|cook|football|movie|song|translate|stock price|horoscope|capital of|"
    r"president|birthday|homework|novel|lyrics|restaurant|holiday trip)\b"
    r"|天气|写(?:一)?首|写诗|笑话|菜谱|做饭|足球|电影|歌词|翻译|股价|星座|首都|作文|旅游|餐厅",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"\b(?:error|exception|timeouts?|timing out|fail\w*|latency|outage|incident|alert|crash\w*|5\d\d|logs?|"
    r"service|api|database|pod|server|deploy\w*|queue|disk|cpu|memory)\b|错误|异常|超时|失败|故障|告警|"
    r"报警|延迟|崩溃|日志|服务|接口|数据库|部署|磁盘|内存",
    re.IGNORECASE,
)


def intent_of(question: str) -> str:
    """The intent's name; the first rule that fits decides."""
    text = question.strip()
    if _OTHER.search(text) and not _TECHNICAL.search(text):
        return "OUT_OF_SCOPE"
    if _CHAT.search(text) and len(text) <= 80 and not _TECHNICAL.search(text):
        return "SYSTEM_CHAT"
    if _ABOUT_CONVERSATION.search(text):
        return "CONVERSATION_META"
    if _HERE_AND_NOW.search(text):
        return "DIAGNOSIS"
    if _ABOUT_KNOWLEDGE.search(text):
        return "KNOWLEDGE_META"
    return "KNOWLEDGE_QUERY" if _HOW_TO.search(text) else "DIAGNOSIS"
