"""What an expression may hold, as data; everything else is refused."""

MAX_CHARS = 1000
MAX_DEPTH = 30
MAX_OPERATORS = 30
"""Between operands and before them, outside of quoted text."""
MAX_TOKENS = 400
MAX_SELECTORS = 8
FUNCTIONS = frozenset(
    "abs ceil floor round sqrt rate irate increase delta idelta deriv changes resets avg_over_time min_over_time"
    " max_over_time sum_over_time count_over_time last_over_time quantile_over_time stddev_over_time stdvar_over_time"
    " present_over_time histogram_quantile sort sort_desc time timestamp".split()
)
AGGREGATIONS = frozenset("sum avg min max count group stddev stdvar topk bottomk quantile".split())
FACTORS = frozenset({1.0, 8.0, 60.0, 100.0, 1000.0, 1024.0, 3600.0, 86400.0, 1e6, 1e9, 1024.0**2, 1024.0**3})
"""Numbers that convert a unit; any other one could make up a value."""
COMPARISONS = frozenset({"==", "!=", ">", "<", ">=", "<="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
SETS = frozenset({"and", "or", "unless"})
KEEPS_UNIT = frozenset(
    "abs ceil floor round avg_over_time min_over_time max_over_time last_over_time quantile_over_time"
    " stddev_over_time sum_over_time increase delta idelta sort sort_desc".split()
)
PER_SECOND_OF = frozenset({"rate", "irate", "deriv"})
