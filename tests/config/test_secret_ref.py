"""A secret for a header is one that a header can carry."""

import pytest

from config.secret_ref import read_header_secret, read_secret
from state.model.errors import Misconfigured


@pytest.mark.parametrize("value", ["pa55word\n", "pa55\r\nx: y", "pa55w\u00f6rd", "pa55\u4e2d", " pa55word"])
def test_a_secret_that_no_header_can_carry_is_named_by_its_key(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", value)

    with pytest.raises(Misconfigured, match=r"sources\.es\.token") as refused:
        read_header_secret("sources.es.token", "env:A_TOKEN")

    assert "pa55" not in f"{refused.value!r} {refused.value}"
    assert read_secret("sources.db.password", "env:A_TOKEN") == value


def test_a_plain_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_TOKEN", "abc.DEF-123_~+/=")

    assert read_header_secret("k", "env:A_TOKEN") == "abc.DEF-123_~+/="
