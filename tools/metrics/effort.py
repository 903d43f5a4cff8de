"""How much work an expression is, told from its words before anything parses it. Pure, linear in the text."""

import re

from tools.metrics.allowlist import MAX_CHARS, MAX_DEPTH, MAX_OPERATORS, MAX_TOKENS

_TOKEN = re.compile(
    r"""(?P<quoted>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|`[^`]*+`)
    |(?P<comment>\#[^\n]*+)
    |(?P<word>[A-Za-z_:][\w:]*+)
    |(?P<number>\d[\w.]*+(?:(?<=[eE])[+-]\d++)?)
    |(?P<operator>[-+*/%^]|[=!<>][=~]?)
    |(?P<sign>\S)""",
    re.VERBOSE | re.DOTALL,
)
_WORD_OPERATORS = frozenset({"and", "or", "unless", "atan2"})
_OPENING = frozenset("([{")


def is_small(text: str) -> bool:
    """True if length, brackets, operators and words are so few that parsing and reading it takes milliseconds.

    What stands in quotes or comments counts as one word, whatever it holds.
    """
    if len(text) > MAX_CHARS:
        return False
    n_tokens = n_operators = n_open = depth_of_braces = 0
    for match in _TOKEN.finditer(text):
        n_tokens += 1
        word, kind = match[0], match.lastgroup
        n_open += word in _OPENING
        depth_of_braces += (word == "{") - (word == "}")
        # Inside braces an operator compares a label: it makes the tree no deeper.
        is_operator = kind == "operator" or (kind == "word" and word.lower() in _WORD_OPERATORS)
        n_operators += is_operator and depth_of_braces <= 0
    return n_tokens <= MAX_TOKENS and n_operators <= MAX_OPERATORS and n_open <= MAX_DEPTH * 2
