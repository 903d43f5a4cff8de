"""PromQL is parsed, allowed piece by piece, and written anew."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from tools.metrics import expression as reading
from tools.metrics.allowlist import MAX_OPERATORS
from tools.metrics.expression import expression_of, parse_expression
from tools.metrics.selector import Matcher, selector_of

CANONICAL = [
    ("a", "a"),
    ("( ( a ) )", "a"),
    ('a{z="1", b="2",}', 'a{b="2",z="1"}'),
    ('a{b="1",b="1"}', 'a{b="1"}'),
    ('{__name__="a", b="1"}', 'a{b="1"}'),
    ('{"my.metric", b="1"}', '{__name__="my.metric",b="1"}'),
    ("a # with a comment", "a"),
    ('a{b="x\\"y\\n{}"}', 'a{b="x\\"y\\n{}"}'),
    ("sum(rate(a_total[300s])) by(z,b)", "sum by (b, z) (rate(a_total[5m]))"),
    ("sum without() (a)", "sum without () (a)"),
    ("a-b-c", "(a - b) - c"),
    ("a-(b-c)", "a - (b - c)"),
    ("a or b unless c", "a or (b unless c)"),
    ("a/ignoring(z,y)group_left(q) b", "a / ignoring (y, z) group_left (q) b"),
    ("a / on() group_right() b", "a / on () group_right () b"),
    ("100*(1-a/b)", "100 * (1 - (a / b))"),
    ("a >bool 5", "a > bool 5"),
    ("-a", "-(a)"),
    ("histogram_quantile(.99,sum by(le)(rate(x_seconds_bucket[1m])))", "histogram_quantile(0.99, sum by (le) (rate(x_seconds_bucket[1m])))"),
    ("topk(3,a)", "topk(3, a)"),
    ("a > 1e3", "a > 1000"),
    ("time() - start_seconds", "time() - start_seconds"),
    ("a*(100)", "a * 100"),
    ('a{b="+-*/' + "+" * 100 + '"}', 'a{b="+-*/' + "+" * 100 + '"}'),
    ("a # " + "+" * 100, "a"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "canonical"), CANONICAL)
def test_equal_expressions_have_one_text_that_reads_back_as_itself(written, canonical):
    expression = parse_expression(written)

    assert expression.text == canonical
    assert parse_expression(canonical) == expression


@pytest.mark.parametrize(("one", "other"), [("a-b", "b-a"), ("a", 'a{b=""}'), ("rate(a[1m])", "rate(a[2m])"), ('a{b="1"}', 'a{b!="1"}'), ('a{b="1"}', 'a{b=~"1"}'), ("sum by (a) (b)", "sum without (a) (b)"), ("a > b", "a > bool b"), ("a and b", "a and on () b")])  # fmt: skip
def test_different_expressions_have_different_texts(one, other):
    assert parse_expression(one).text != parse_expression(other).text


REFUSED = [
    ("a offset 5m", "offset"),
    ("rate(a[5m] offset 5m)", "offset"),
    ("a @ 1796000000", "offset and @"),
    ("a @ end()", "offset and @"),
    ("max_over_time(a[1h:1m])", "subqueries"),
    ('{service="pay"}', "exactly one metric"),
    ('{__name__="a", __name__=~"b.*"}', "exactly one metric"),
    ('{__name__="a", __name__!="b"}', "exactly one metric"),
    ('{__name__=~"a|b"}', "exactly one metric"),
    ('{__name__!="a", x="1"}', "exactly one metric"),
    ('a{b="1" or b="2"}', "alternatives"),
    ("vector(7)", "function"),
    ("absent(a)", "function"),
    ("a or on() vector(0)", "function"),
    ('label_replace(a, "service", "pay", "", "")', "function"),
    ('label_join(a, "x", ",", "y")', "function"),
    ("predict_linear(a[1h], 3600)", "function"),
    ("clamp_min(a, 99)", "function"),
    ("scalar(a)", "function"),
    ("info(a)", "function"),
    ('count_values("service", a)', "aggregation"),
    ("topk(scalar(b), a)", "must be a number"),
    ("a * 0 + 42", "number in arithmetic"),
    ("a + 1", "number in arithmetic"),
    ("a * 42", "number in arithmetic"),
    ("a * (40 + 2)", "number in arithmetic"),
    ("a - 1", "number in arithmetic"),
    ("a ^ 2", "operator"),
    ("1 + 1", "number in arithmetic"),
    ("7", "names no metric"),
    ('"text"', "strings"),
    ("time()", "names no metric"),
    ("sum(", "valid PromQL"),
    ("foo(a)", "valid PromQL"),
    ("a; drop", "valid PromQL"),
    ("", "valid PromQL"),
    (" + ".join("abcdefghi"), "more than 8"),
    ("(" * 70 + "a" + ")" * 70, "nested too deep"),
    ("abs(" * 40 + "a" + ")" * 40, "nested too deep"),
    ("-" * 900 + "a", "nested too deep"),
    ('a{b="' + "x" * 1000 + '"}', "longer than 1000"),
    ('a{b="\ud800"}', "valid PromQL"),
]


@pytest.mark.parametrize(("written", "why"), REFUSED)
def test_what_is_not_allowed_is_refused_with_a_sentence(written, why):
    with pytest.raises(InvalidToolInput, match=why) as refused:
        parse_expression(written)

    assert refused.value.code is ToolCode.INVALID_REQUEST
    assert len(refused.value.why) <= 300


COSTLY = [
    "up" + "+up" * 160,
    "up" + " unless up" * 90,
    "up" + " > 1" * 200,
    "-" * 900 + "up",
    "a{" + 'b="1",' * 160 + "}",
]


@pytest.mark.parametrize("written", COSTLY)
def test_what_is_too_much_work_is_refused_before_anything_parses_it(written, monkeypatch):
    monkeypatch.setattr("tools.metrics.expression.promql.parse", lambda _: pytest.fail("it was parsed"))

    with pytest.raises(InvalidToolInput, match="operators"):
        parse_expression(written)


def test_each_part_of_the_largest_expression_is_written_once(monkeypatch):
    written: list[object] = []
    write = reading._Writer.write
    monkeypatch.setattr("tools.metrics.expression.promql.walk", lambda *_, **__: pytest.fail("a part was walked again"))
    monkeypatch.setattr(
        reading._Writer, "write", lambda self, node, depth: written.append(node) or write(self, node, depth)
    )

    parse_expression("up" + "+up" * MAX_OPERATORS)

    assert len(written) == 2 * MAX_OPERATORS + 1


def test_every_metric_that_is_read_is_named():
    expression = parse_expression('sum(rate(a_total{x="1"}[5m])) / on () b > 3 unless {__name__="c d"}')

    assert [one.metric for one in expression.selectors] == ["a_total", "b", "c d"]
    assert expression.longest_range == timedelta(minutes=5)
    assert expression.selector is None


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("wait_seconds", "s"),
        ("max(wait_seconds) > 3", "s"),
        ("wait_seconds > bool 3", ""),
        ("rate(sent_bytes_total[5m])", "bytes/s"),
        ("increase(sent_bytes_total[5m])", "bytes"),
        ("histogram_quantile(0.9, sum by (le) (rate(x_seconds_bucket[5m])))", "s"),
        ("rate(x_seconds_bucket[5m])", "/s"),
        ("count(wait_seconds)", ""),
        ("wait_seconds * 1000", ""),
        ("a_seconds / b_seconds", ""),
        ("a_seconds - b_seconds", "s"),
        ("a_seconds - b_bytes", ""),
        ("stdvar(a_seconds)", ""),
        ("used_bytes / total_bytes * 100", ""),
    ],
)
def test_a_unit_is_told_only_where_the_names_declare_it(written, unit):
    assert parse_expression(written).unit == unit


@given(st.text(max_size=60))
def test_a_label_value_can_never_leave_its_place(value):
    if not value.isprintable() and any(0xD800 <= ord(char) < 0xE000 for char in value):
        return
    selector = selector_of("a", (Matcher(name="b", op="=", value=value),))
    expression = expression_of(selector)

    assert parse_expression(expression.text).selectors == (selector,)
    assert "\n" not in expression.text


@given(st.text(alphabet="ab{}()[]\"'=~!<>+-*/%^ 0123456789.:smhby,sumrateonofset@\\\n", max_size=60))
def test_any_text_is_an_expression_or_is_refused(text):
    try:
        expression = parse_expression(text)
    except InvalidToolInput:
        return

    assert parse_expression(expression.text).text == expression.text
