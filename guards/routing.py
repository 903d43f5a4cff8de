"""Routing: the unmistakable cases by rule, and the strict reading of the router model's reply. Pure.

A rule fires only where the whole question fits it; everything else goes to the model, and in doubt to DIAGNOSIS.
"""

import re
import unicodedata

from pydantic import ValidationError

from state.model.base import Value
from state.model.enums import Intent
from state.model.strict_json import JsonProblem, parse_json_object

RULES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.SYSTEM_CHAT,
        re.compile(
            r"(hi|hello|hey|good (morning|afternoon|evening)|thanks?( you)?|help|who are you"
            r"|what (can|do) you do|how do (i|you) (use|work with) (you|this|rootproof)"
            r"|你好|您好|嗨|谢谢|帮助|你是谁|你能做什么|你会什么|怎么使用|如何使用)( there| rootproof)?"
        ),
    ),
    (
        Intent.SYSTEM_CHAT,
        re.compile(
            r"((hi|hello|hey|good (morning|afternoon|evening)|你好|您好|嗨)[\s,.!，。！]*(there[\s,.!]*)?)?"
            r"(how are you( doing)?( today)?|how is it going|how['’]?s it going|what['’]?s up|nice to meet you"
            r"|你好吗|你还好吗|最近好吗|很高兴认识你|晚上好|下午好|早上好)"
        ),
    ),
    (
        Intent.KNOWLEDGE_META,
        re.compile(
            r"((what|which) (documents|runbooks|docs)( do you (have|know)| are (there|in the knowledge base))"
            r"|list (all )?(the )?(documents|runbooks|docs)|what is in (the|your) knowledge base"
            r"|知识库(里|中)?有(什么|哪些)(文档|内容|手册)?|(列出|有哪些)(所有)?(文档|手册|运维手册))"
        ),
    ),
    (
        Intent.CONVERSATION_META,
        re.compile(
            r"(what did (i|we) (just )?ask( you)?|what was (my|the) (last|previous) question"
            r"|what was (your|the) (last|previous) (answer|diagnosis|conclusion)"
            r"|我(刚才|刚刚|之前)?问了?(什么|哪些)|上(一)?次的?(结论|诊断|回答)(是什么)?)"
        ),
    ),
)
"""Intent and the whole question that means it, after NFKC, case folding and trimming of punctuation."""

_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")


class _Routed(Value):
    intent: Intent


def route_by_rule(question: str) -> Intent | None:
    """The intent of an unmistakable question, else None."""
    folded = _EDGES.sub("", unicodedata.normalize("NFKC", question[:200]).casefold())
    folded = re.sub(r"\s+", " ", folded)
    return next((intent for intent, rule in RULES if rule.fullmatch(folded)), None)


def parse_route(text: str) -> Intent | None:
    """The intent in a reply that is exactly ``{"intent": …}``; None for anything else."""
    if isinstance(parse_json_object(text), JsonProblem):
        return None
    try:
        return _Routed.model_validate_json(text).intent
    except ValidationError:
        return None
