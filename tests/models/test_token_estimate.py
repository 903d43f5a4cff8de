"""The estimate never undercuts the common approximation and grows with what is sent."""

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.utils import count_tokens_approximately

from models.token_estimate import estimate_tokens, text_tokens

texts = st.one_of(st.text(max_size=200), st.text(alphabet="数据库连接池超时。", max_size=200))
messages = st.one_of(
    texts.map(SystemMessage),
    texts.map(HumanMessage),
    st.builds(lambda text, call: ToolMessage(text, tool_call_id=call), texts, st.text(max_size=20)),
    st.builds(
        lambda text, args: AIMessage(text, tool_calls=[{"name": "query_logs", "args": args, "id": "c1"}]),
        texts,
        st.dictionaries(texts, texts, max_size=3),
    ),
)
tools = st.builds(
    lambda text: {"type": "function", "function": {"name": "t", "description": text, "parameters": {}}}, texts
)


@settings(max_examples=150, deadline=None)
@given(st.lists(messages, max_size=5), st.lists(tools, max_size=3))
def test_estimate_is_never_below_the_common_approximation(
    prompt: list[BaseMessage], offered: list[dict[str, object]]
) -> None:
    assert estimate_tokens(prompt, offered) >= count_tokens_approximately(prompt, tools=offered or None)


@settings(max_examples=60, deadline=None)
@given(texts, texts)
def test_longer_text_never_costs_less(text: str, more: str) -> None:
    assert text_tokens(text) <= text_tokens(text + more)


def test_worked_examples() -> None:
    assert text_tokens("") == 0
    assert text_tokens("connection pool exhausted") == 9
    assert text_tokens("连接池耗尽") == 8


def test_chinese_costs_more_a_character_than_english() -> None:
    assert text_tokens("连接" * 50) > text_tokens("ab" * 50)
