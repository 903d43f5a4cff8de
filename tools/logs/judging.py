"""Which records of a block surely contain a text, and which have to be read to tell; all others surely do not. Pure.

Judged by the bytes alone, without building a record. A hit that is neither surely in nor surely out of what is searched
of its record leaves that record doubtful.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tools.logs.block_lines import BlockLines, Mask, Places
from tools.logs.json_values import IN, OUT, UNSURE, judged_in_rows
from tools.logs.literal import Remark
from tools.logs.read_file import MAX_MESSAGE_CHARS
from tools.logs.text_hits import Hits, Sought, hits_of
from tools.logs.writing import Writing

_Told = npt.NDArray[np.int8]
_BRACE, _BREAK, _RETURN, _CLOSING = b"{\n\r)"
_SURE_BYTES = MAX_MESSAGE_CHARS // 4
"""From the beginning of a record, with all remarks about dropped frames that so many may need, within its bound."""
_IS_LETTER = np.isin(np.arange(256), list(b"bcdeghijklmnopqrsuvwxyzBCDEGHIJKLMNOPQRSTUVWXYZ"))
"""Signs with which no line begins that is a frame of a stack or has a stamp and yet continues a record."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Of each record of the block; none is both."""

    is_sure: Mask
    is_doubtful: Mask


def judge(lines: BlockLines, text: Sought, writing: Writing, wanted: Mask, *, is_json: bool) -> Judged:
    """The records among those ``wanted`` that contain the text.

    ``is_json``: no record has a second line.

    Raises:
        FileChanged: the bytes are no longer those of which the layout was made.
    """
    hits = hits_of(lines.values, text)
    on = np.searchsorted(lines.begins, hits.begins, side="right") - 1
    records = lines.records[on]
    asked = np.flatnonzero((records >= 0) & wanted[records])
    hits, on, records = hits.at(asked), on[asked], records[asked]
    told = _told_of(lines, hits, on, text, writing, is_json=is_json)
    is_sure, is_doubtful = np.zeros_like(wanted), np.zeros_like(wanted)
    is_sure[records[told == IN]] = True
    is_doubtful[records[told == UNSURE]] = True
    if Remark.FRAMES in text.fragment.remarks:
        is_doubtful |= wanted & lines.may_drop_frames
    return Judged(is_sure, is_doubtful & ~is_sure)


def _told_of(lines: BlockLines, hits: Hits, on: Places, text: Sought, writing: Writing, *, is_json: bool) -> _Told:
    """Of each hit whether it is surely in the text of its record; ``on`` are the lines of the hits."""
    is_first = lines.marks[on] != 0
    is_row = lines.values[lines.begins[on]] == _BRACE
    told = np.full(len(on), UNSURE, np.int8)
    rows = np.flatnonzero(is_first & is_row)
    told[rows] = _in_rows(lines, hits.at(rows), on[rows], text, writing)
    plain = np.flatnonzero(is_first & ~is_row)
    told[plain] = _in_plain(hits.at(plain), lines.begins[on[plain]], writing)
    further = np.flatnonzero(~is_first)
    if is_json:
        told[further] = OUT
    else:
        told[further[_is_in_further(lines, hits.at(further), on[further])]] = IN
    return told


def _in_plain(hits: Hits, line_begins: Places, writing: Writing) -> _Told:
    """Of hits in first lines that are no JSON object."""
    begins, ends = hits.begins - line_begins, hits.ends - line_begins
    is_in = hits.is_whole & (begins >= writing.text_from) & (ends <= _SURE_BYTES)
    return np.where(is_in, IN, np.where(ends <= writing.stamp_to, OUT, UNSURE)).astype(np.int8)


def _in_rows(lines: BlockLines, hits: Hits, on: Places, text: Sought, writing: Writing) -> _Told:
    """Of hits in lines that are a JSON object."""
    if text.is_quoted:
        hits = hits.of_fragment(text)
    told = judged_in_rows(lines, hits, on, writing)
    told[(told == IN) & ~hits.is_whole] = UNSURE
    if text.is_numeric:
        # Another value of the record may be a number that is shown like that.
        told[told == OUT] = UNSURE
    return told


def _is_in_further(lines: BlockLines, hits: Hits, on: Places) -> Mask:
    """Of hits in lines behind the first of their record, whether the line is surely kept, as it is."""
    behind = lines.begins[on + 1]
    last = behind - (lines.values[behind - 1] == _BREAK)
    last = last - (lines.values[last - 1] == _RETURN)
    is_kept = _IS_LETTER[lines.values[lines.begins[on]]] & (lines.values[last - 1] != _CLOSING)
    record_begins = lines.begins[lines.firsts[lines.records[on]]]
    is_in: Mask = hits.is_whole & is_kept & (hits.ends - record_begins <= _SURE_BYTES)
    return is_in
