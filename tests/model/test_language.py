"""Which language code answers in."""

import pytest

from state.model.enums import Language
from state.model.language import Bilingual, detect_language


@pytest.mark.parametrize("text", ["为什么支付超时", "why is 支付 slow?", "订", "豈"])
def test_any_han_character_makes_it_chinese(text):
    assert detect_language(text) is Language.ZH


@pytest.mark.parametrize("text", ["", "why?", "naïve café", "支".encode().hex(), "？", "カタカナ", "한국어"])
def test_everything_else_is_english(text):
    assert detect_language(text) is Language.EN


def test_a_text_pair_gives_the_asked_language_and_fills_in_values():
    pair = Bilingual(en="{n} lines in {name}", zh="{name} 中有 {n} 行")

    assert pair.text(Language.EN, n=3, name="a{b}") == "3 lines in a{b}"
    assert pair.text(Language.ZH, n=3, name="a{b}") == "a{b} 中有 3 行"


def test_a_missing_value_is_an_error():
    with pytest.raises(KeyError):
        Bilingual(en="{n}", zh="{n}").text(Language.EN)
