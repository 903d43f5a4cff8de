"""What a small number counts: the thing named behind it, by the field in which evidence keeps it. Pure."""

import re

_CHINESE = {
    **dict.fromkeys(("服务", "微服务"), "service"),
    **dict.fromkeys(("容器",), "container"),
    **dict.fromkeys(("实例", "副本"), "instance"),
    **dict.fromkeys(("主机", "机器"), "host"),
    **dict.fromkeys(("调用方", "客户端"), "client"),
    **dict.fromkeys(("任务", "作业"), "job"),
    **{"节点": "node", "级别": "level", "租户": "tenant", "通道": "channel", "主题": "topic", "队列": "queue"},
    **{"版本": "version", "消费组": "consumer_group", "用户": "user", "表": "table", "分区": "partition"},
    **dict.fromkeys(("日志", "记录", "事件", "采样", "数据"), "record"),
}
_CHINESE_THING = re.compile("|".join(sorted(_CHINESE, key=len, reverse=True)))
_ENGLISH_THING = re.compile(r" ([a-z]{2,20})$")


def thing_at(text: str, at: int) -> str:
    """The thing named there in Chinese, in English and singular; empty for none that evidence keeps by name."""
    thing = _CHINESE_THING.match(text, at)
    return _CHINESE[thing.group()] if thing else ""


def thing_counted(words: str, text: str, end: int) -> str:
    """The thing that the number in those words counts, named in them or right behind them at ``end``."""
    english = _ENGLISH_THING.search(words)
    return singular(english.group(1)) if english else thing_at(text, end)


def singular(plural: str) -> str:
    """``service`` for "services", ``entry`` for "entries"; in lower case."""
    word = plural.lower()
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
