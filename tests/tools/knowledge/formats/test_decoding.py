"""Bytes into text."""

import codecs

import pytest

from tools.knowledge.formats.decoding import decode_text
from tools.knowledge.formats.kinds import Unreadable

TEXT = "磁盘 disk é"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("gb18030"),
    ],
    ids=["utf-8", "utf-8 mark", "utf-16", "utf-16 be", "utf-32", "gb18030"],
)
def test_every_encoding_gives_the_same_text(content):
    assert decode_text(content) == TEXT


@pytest.mark.parametrize(("name", "codec"), [("gb2312", "gb18030"), ("Big5", "big5"), ("windows-1252", "cp1252")])
def test_a_page_is_read_as_it_declares(name, codec):
    page = f'<meta charset="{name}">' + ("café" if codec == "cp1252" else "磁盤")

    assert decode_text(page.encode(codec)) == page


def test_an_encoding_that_nobody_needs_is_not_believed():
    assert decode_text('<meta charset="utf-7">磁盘'.encode("gb18030")).endswith("磁盘")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\0b", "is not text"),
        ("a\0b".encode("utf-16"), "is not text"),
        (b"\xff\xff\xff\xfe", "neither UTF-8 nor GB18030"),
        (codecs.BOM_UTF16_LE + b"a", "not the Unicode text"),
    ],
)
def test_what_is_no_text_is_refused(content, why):
    with pytest.raises(Unreadable, match=why):
        decode_text(content)
