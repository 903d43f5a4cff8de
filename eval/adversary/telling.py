"""How two drafts differ, in a few words for people. Pure."""

from os.path import commonprefix

from state.model.draft import Draft, shown_texts

_AROUND = 24
_MAX_CHARS = 150


def difference(right: Draft, wrong: Draft) -> str:
    """The first text that differs, with what stands around it; else which part of the draft does."""
    before = dict(shown_texts(right))
    for path, text in shown_texts(wrong):
        if before.get(path) != text:
            return f"{path}: {_changed(before.get(path, ''), text)}"
    parts = (name for name in Draft.model_fields if getattr(right, name) != getattr(wrong, name))
    return next((f"references of {name}" for name in parts), "nothing")


def _changed(one: str, other: str) -> str:
    """``… text [old → new] text …``: from the first character that differs to the last."""
    start = _common(one, other)
    same = _common(one[start:][::-1], other[start:][::-1])
    old, new = one[start : len(one) - same], other[start : len(other) - same]
    before, after = one[max(0, start - _AROUND) : start], other[len(other) - same :][:_AROUND]
    return " ".join(f"…{before}[{_short(old)} → {_short(new)}]{after}…".split())


def _common(one: str, other: str) -> int:
    """Length of the common beginning."""
    return len(commonprefix([one, other]))


def _short(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}…"
