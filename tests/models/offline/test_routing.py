"""The router role: intents of both languages; in doubt DIAGNOSIS."""

import pytest

from models.offline.routing import intent_of

CASES = [
    ("Why are payments timing out since 14:05?", "DIAGNOSIS"),
    ("checkout is broken", "DIAGNOSIS"),
    ("为什么订单接口频繁超时？", "DIAGNOSIS"),
    ("payment-api latency", "DIAGNOSIS"),
    ("", "DIAGNOSIS"),
    ("HTTP 504 on /pay", "DIAGNOSIS"),
    ("hello", "SYSTEM_CHAT"),
    ("你好", "SYSTEM_CHAT"),
    ("hello, how are you?", "SYSTEM_CHAT"),
    ("Hi! How's it going?", "SYSTEM_CHAT"),
    ("你好，你好吗？", "SYSTEM_CHAT"),
    ("what's up with checkout?", "DIAGNOSIS"),
    ("How are you handling the 502 errors?", "DIAGNOSIS"),
    ("What can you do?", "SYSTEM_CHAT"),
    ("你能做什么", "SYSTEM_CHAT"),
    ("How do I rotate an expired certificate?", "KNOWLEDGE_QUERY"),
    ("如何处理连接池耗尽？", "KNOWLEDGE_QUERY"),
    ("What is connection pool exhaustion?", "KNOWLEDGE_QUERY"),
    ("Which runbooks do you have?", "KNOWLEDGE_META"),
    ("知识库里有哪些文档？", "KNOWLEDGE_META"),
    ("What was your last answer?", "CONVERSATION_META"),
    ("总结一下刚才的对话", "CONVERSATION_META"),
    ("What is the weather in Paris?", "OUT_OF_SCOPE"),
    ("写一首关于春天的诗", "OUT_OF_SCOPE"),
    ("Why did the weather service fail today?", "DIAGNOSIS"),
]


@pytest.mark.parametrize(("question", "intent"), CASES)
def test_intent(question, intent):
    assert intent_of(question) == intent
