"""YAML from outside: plain values only, with every alias counted as what it stands for. Pure.

A few lines of aliases can stand for more values than any machine holds; whoever later walks, prints or validates
them would never end. So a document is counted before it is built, and refused if it is too large.
"""

from collections.abc import Iterator

import yaml

MAX_NODES = 50_000
"""Scalars and containers of a document, aliases expanded."""
MAX_NUMBER_CHARS = 100
"""A longer number is refused: building and printing it takes quadratic time."""


class UnreadableYaml(ValueError):
    """The text is no YAML that can be used; the message is short and holds none of it."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(f"{why} near line {line}" if line else why)


def load_yaml(text: str) -> object:
    """The value; None for a text without one.

    Raises:
        UnreadableYaml: it is not complete YAML, too large with its aliases, or holds what is no plain value.
    """
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check_size(node)
            value: object = loader.construct_document(node)
            return value
        finally:
            loader.dispose()
    except UnreadableYaml:
        raise
    except yaml.MarkedYAMLError as error:
        raise UnreadableYaml("is not complete YAML", _line(error)) from None
    # The reader itself fails in all these ways on values that do not fit their tags.
    except (yaml.YAMLError, RecursionError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
        raise UnreadableYaml("holds a value that is no plain YAML") from None


class _Loader(yaml.SafeLoader):
    """Refuses texts that cannot be encoded and numbers nobody writes."""

    def construct_text(self, node: yaml.ScalarNode) -> str:
        text = str(self.construct_scalar(node))
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise UnreadableYaml("holds half of a character", node.start_mark.line + 1)
        return text

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        if len(str(node.value)) > MAX_NUMBER_CHARS:
            raise UnreadableYaml("holds a number that is too long", node.start_mark.line + 1)
        is_int = node.tag.endswith(":int")
        number: int | float = self.construct_yaml_int(node) if is_int else self.construct_yaml_float(node)
        return number


_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.construct_text)
for _tag in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _Loader.construct_number)


def _line(error: yaml.MarkedYAMLError) -> int | None:
    return error.problem_mark.line + 1 if error.problem_mark else None


def _check_size(root: yaml.Node) -> None:
    waiting, seen = [root], 0
    while waiting:
        seen += 1
        if seen > MAX_NODES or len(waiting) > MAX_NODES:
            raise UnreadableYaml(f"stands for more than {MAX_NODES} values")
        waiting.extend(_inside(waiting.pop()))


def _inside(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value
