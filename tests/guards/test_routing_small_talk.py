"""Small talk is recognised by rule only where it is the whole question."""

import pytest

from guards.routing import route_by_rule
from state.model.enums import Intent


@pytest.mark.parametrize(
    "question", ["hello, how are you?", "How are you today?", "Hi! How's it going?", "你好，你好吗？"]
)
def test_small_talk_is_chat(question):
    assert route_by_rule(question) is Intent.SYSTEM_CHAT


@pytest.mark.parametrize("question", ["how is checkout going?", "What's up with checkout?", "你好，订单服务好吗？"])
def test_a_question_about_a_service_is_left_to_the_model(question):
    assert route_by_rule(question) is None
