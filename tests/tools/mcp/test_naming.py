"""Registered names are legal for every provider, stable, and never shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.model.errors import Misconfigured
from state.model.ids import TOOL_NAME
from tools.mcp.naming import registered_name, registered_names


def test_a_name_says_whose_tool_it_is() -> None:
    assert registered_name("deploys", "list_releases") == "mcp__deploys__list_releases"


def test_what_no_provider_takes_is_replaced() -> None:
    assert registered_name("ops.eu", "list releases/v2") == "mcp__ops_eu__list_releases_v2"


def test_a_long_name_keeps_a_digest_of_all_of_it() -> None:
    one, other = registered_name("s", "x" * 80 + "a"), registered_name("s", "x" * 80 + "b")

    assert len(one) == len(other) == 64
    assert one != other


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_every_name_is_legal(server: str, tool: str) -> None:
    assert TOOL_NAME.fullmatch(registered_name(server, tool))


def test_a_shared_name_names_both() -> None:
    with pytest.raises(Misconfigured, match=r"sources\.a_b\.tools\.x.*a\.b\.x"):
        registered_names({"a.b": ("x",), "a_b": ("x",)})
