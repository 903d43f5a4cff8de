"""Does a text speak to whoever reads it, instead of telling what happened? Then it is no witness. Pure.

Whoever can write a log line, a cell or a label can write an order to a model into it. The order stays visible and may
be quoted, but as a document: like an alert's annotation it can carry no cause by itself. A list of wordings is a sieve
and no proof: an order in other words is left to the reviewer.
"""

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_DROP = r"(?:ignore|disregard|forget|override|bypass|stop following|do not follow|don't follow)"
_RULES = r"(?:rules|instructions?|prompts?|guidelines|directives|constraints)"
_NAME = r"(?:report|conclude|answer|reply|respond|state|declare|submit|name|write|give|blame)"
_READER = r"(?:assistant|analyst|agent|model|llm|ai|reviewer|investigator)"
_SPEAKS = re.compile(
    "|".join(
        (
            rf"\b{_DROP}\W+(?:(?:all|any|the|your|these|those|previous|prior|above|other)\W+){{1,4}}{_RULES}\b",
            r"\b(?:your|previous|prior)\W+(?:instructions|prompt)\b|\bsystem prompts?\b",
            rf"\b{_NAME}\b\W+(?:\w+\W+){{0,12}}?root[ -]?cause\b",
            rf"\b(?:dear|note to|attention|hey)\W+(?:the\W+|any\W+)?{_READER}\b",
            rf"\bas an?\W+(?:ai\b|language model\b|ai assistant\b)|\byou (?:must|should|shall|will) (?:now )?{_NAME}\b",
            r"<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?inst\]|<</?sys>>|</?tool_result>",
            r"[\"']verdict[\"']\s*:\s*[\"'](?:un)?supported|\b(?:answer|reply|verdict is)\W+supported\b",
            r"\b(?:submit_diagnosis|stop_required|previous_observation|information_gain)\b",
            r"(?:忽略|无视|忘记|绕过|不要遵守|不必遵守)(?:你的|您的|所有|以上|之前|上述|先前|全部|的){0,4}(?:规则|指令|提示词|约束)",
            r"(?:报告|回答|输出|提交|写明|认定|断定).{0,6}(?:根因|根本原因)|(?:根因|根本原因)(?:都|请|必须|应|一律)?(?:写|填|报)",
            r"系统提示词|(?:请|致|给)(?:分析者|分析员|审查者|大模型|智能体)",
        )
    )
)


_TRIGGERS = tuple(
    "rules|instruction|prompt|guidelines|directives|constraints|root|dear|note to|attention|hey|as a|you |<|inst]|sys>"
    "|tool_result|supported|submit_diagnosis|stop_required|previous_observation|information_gain"
    "|规则|指令|提示词|约束|根因|根本原因|分析者|分析员|审查者|大模型|智能体".split("|")
)
"""Each wording holds one of these: what holds none needs no closer look, which is nearly everything."""


def speaks_to_reader(text: str) -> bool:
    """True if the text orders its reader about, or imitates the frame in which a model gets its orders.

    Full-width letters and characters that do not show make no difference.
    """
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).lower()
    return any(trigger in folded for trigger in _TRIGGERS) and _SPEAKS.search(folded) is not None
