"""Finds dates, days, parts of the day and clock times in a question, English or Chinese. Pure.

Atoms are the smallest words that mean a time; ``state.model.time_moments`` joins neighbours. Numbers that mean
something else (ports, versions, counts, "一点" as "a little") must not become atoms.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from state.model.numerals import AMOUNT, CHINESE_NUMBER, largest_unit_s, parse_amount, parse_number


@dataclass(frozen=True)
class Atom:
    """Where a time word stands and what it says; exactly one of the parts is set."""

    begin: int
    end: int
    instant: datetime | None = None
    ago: timedelta | None = None
    is_now: bool = False
    day: Callable[[date], date] | None = None
    """The first day meant, given today."""
    n_days: int = 1
    part: str | None = None
    clock: "Clock | None" = None
    zone: tzinfo | None = None


@dataclass(frozen=True)
class Clock:
    """A time of day as written."""

    hour: int
    minute: int = 0
    second: int = 0
    half: str | None = None
    """``am`` or ``pm`` where said."""
    is_loose: bool = False
    """Only an hour was said, so that "3" may mean 15:00 beside another time."""


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ZH_WEEKDAYS = "一二三四五六日"
_DAYS = {
    r"\btoday\b|今天|今日|\bthis (?=morning|afternoon|evening)|今(?=早|晨|晚|夜|凌晨)|\bto(?=night\b)": 0,
    r"\bthe day before yesterday\b|(?<!大)前[天日](?!后)": -2,
    r"\byesterday\b|昨[天日]|昨(?=晚|夜|早|晨)|\blast (?=night\b)|\bover(?=night\b)": -1,
    r"大前天": -3,
    r"\btomorrow\b|明天|明日": 1,
    r"(?<!大)后天": 2,
}
_PARTS = {
    "dawn": r"凌晨",
    "morning": r"(?:\bin the )?(?:\bearly )?\bmorning\b|早上|早晨|清晨|上午|(?<=[今昨])[早晨](?![上晨])",
    "noon": r"中午",
    "afternoon": r"(?:\bin the )?\bafternoon\b|下午",
    "dusk": r"傍晚",
    "evening": r"(?:\bin the )?\bevening\b",
    "night": r"(?:\bat )?\bnight\b|(?<=\bto)night\b|(?<=over)night\b|晚上|晚间|夜[里间]|[深半午]夜|(?<=[今昨])[晚夜]",
}
_TAIL = (
    r"(?=\s*(?:$|[;?!)，。？！]|[.,](?!\d)|(?:today|yesterday|tonight|this|last|utc|gmt|o'?clock"
    r"|in the (?:morning|afternoon|evening)|on (?:mon|tue|wed|thu|fri|sat|sun))))"
)
_SPAN = r"\s*(?:to|and|until|till|-|–|—|~|到|至)\s*"
_ZH_HOUR = rf"(?:\d{{1,2}}|{CHINESE_NUMBER}{{1,3}})"
_ZH_AFTER = r"(?=\s*(?:左右|前后|多|整|钟|到|至|-|~|以来|开始|之后|以后|之前|以前|后|前|的时候|起|出|$|[，。,.？?！!]))"
_Builder = Callable[[re.Match[str]], Atom | None]


def find_atoms(text: str) -> tuple[Atom, ...]:
    """All time words of normalised lower-case text, in order, without overlap; earlier rules win."""
    taken: list[Atom] = []
    for pattern, build in _RULES:
        for match in pattern.finditer(text):
            begin, end = match.span("x") if "x" in pattern.groupindex else match.span()
            if begin == end or any(begin < atom.end and atom.begin < end for atom in taken):
                continue
            atom = build(match)
            if atom is not None:
                taken.append(replace(atom, begin=begin, end=end))
    return tuple(sorted(taken, key=lambda atom: atom.begin))


def _iso(match: re.Match[str]) -> Atom | None:
    text = match[0].replace(" ", "T", 1).replace(" ", "").replace(",", ".").upper()
    try:
        return Atom(0, 0, instant=datetime.fromisoformat(text))
    except ValueError:
        return None


def _ago(match: re.Match[str]) -> Atom | None:
    amount = parse_amount(match["a"])
    if amount is None:
        return None
    if largest_unit_s(match["a"]) >= 86400:
        return Atom(0, 0, day=lambda today: today - amount)
    return Atom(0, 0, ago=amount)


def _year_day(match: re.Match[str]) -> Atom | None:
    return _fixed_day(int(match["y"]), int(match["m"]), int(match["d"]))


def _fixed_day(year: int, month: int, day: int) -> Atom | None:
    try:
        fixed = date(year, month, day)
    except ValueError:
        return None
    return Atom(0, 0, day=lambda _today: fixed)


def _month_day(match: re.Match[str]) -> Atom | None:
    name = match["m"]
    month = int(name) if name.isdigit() else _MONTHS.index(name[:3]) + 1
    if match.groupdict().get("y"):
        return _fixed_day(int(match["y"]), month, int(match["d"]))
    try:
        date(2024, month, int(match["d"]))
    except ValueError:
        return None
    return Atom(0, 0, day=lambda today: _latest(today, month, int(match["d"])))


def _latest(today: date, month: int, day: int) -> date:
    """The last such day up to today (29 February may be years ago)."""
    candidates = (_day_or_none(today.year - back, month, day) for back in range(9))
    return next(found for found in candidates if found is not None and found <= today)


def _day_or_none(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _weekday(match: re.Match[str]) -> Atom | None:
    word = match["w"]
    index = _ZH_WEEKDAYS.index(word.replace("天", "日")) if word in "一二三四五六日天" else _WEEKDAYS.index(word[:3])
    is_last = bool(match["last"])
    if is_last and word in "一二三四五六日天":
        return Atom(0, 0, day=lambda today: today - timedelta(days=today.weekday() + 7 - index))
    return Atom(0, 0, day=lambda today: today - timedelta(days=(today.weekday() - index) % 7 or 7 * is_last))


def _week(match: re.Match[str]) -> Atom:
    back = 7 if match["last"] else 0
    return Atom(0, 0, day=lambda today: today - timedelta(days=today.weekday() + back), n_days=7)


def _clock(match: re.Match[str]) -> Atom | None:
    parts = match.groupdict()
    hour = parse_number(parts["h"])
    minute = 30 if parts.get("halfpast") else parse_number(parts.get("m") or "0")
    second = parse_number(parts.get("s") or "0")
    if hour is None or minute is None or second is None or hour > 23 or minute > 59 or second > 59:
        return None
    minute += 15 * (parse_number(parts.get("q") or "0") or 0)
    half = (parts.get("half") or "").replace(".", "") or None
    if half and not 1 <= hour <= 12:
        return None
    is_loose = parts.get("m") is None or (hour < 12 and not parts["h"].startswith("0") and ":" not in match[0])
    return Atom(0, 0, clock=Clock(int(hour), int(minute), int(second), half, is_loose))


def _named_clock(hour: int) -> _Builder:
    return lambda _match: Atom(0, 0, clock=Clock(hour))


def _quarter(match: re.Match[str]) -> Atom | None:
    hour = parse_number(match["h"])
    if hour is None or not 1 <= hour <= 12:
        return None
    if match["how"] == "quarter to":
        return Atom(0, 0, clock=Clock((int(hour) - 1) % 24, 45, half=match["half"], is_loose=True))
    return Atom(
        0, 0, clock=Clock(int(hour), 30 if match["how"] == "half past" else 15, half=match["half"], is_loose=True)
    )


def _zone(match: re.Match[str]) -> Atom | None:
    if match["zh"]:
        return Atom(0, 0, zone=ZoneInfo("Asia/Shanghai"))
    hours, minutes = int(match["oh"] or 0), int(match["om"] or 0)
    if abs(hours) > 14 or minutes > 59:
        return None
    return Atom(0, 0, zone=timezone(timedelta(hours=hours, minutes=minutes if hours >= 0 else -minutes)))


def _offset_day(offset: int) -> _Builder:
    return lambda _match: Atom(0, 0, day=lambda today: today + timedelta(days=offset))


def _part(name: str) -> _Builder:
    return lambda _match: Atom(0, 0, part=name)


def _rules() -> Iterator[tuple[re.Pattern[str], _Builder]]:
    half = r"(?:\s*(?P<half>[ap]\.?m\.?)(?!\w))"
    seconds = r"(?::(?P<s>[0-5]\d)(?:[.,]\d{1,9})?)?"
    year, day = r"(?P<y>(?:19|20)\d\d)", r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
    sources: list[tuple[str, _Builder]] = [
        (
            r"\d{4}-\d\d-\d\d(?:t\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?| \d\d:\d\d:\d\d(?:[.,]\d{1,6})?)"
            r" ?(?:z|[+-]\d\d:?\d\d)(?![\d:])",
            _iso,
        ),
        (rf"(?P<a>{AMOUNT})\s*(?:\b(?:ago|earlier)\b|之前|以前|前(?!后))", _ago),
        (r"\bjust now\b|\b(?:a )?moments? ago\b|刚才|刚刚", lambda _match: Atom(0, 0, ago=timedelta())),
        (rf"(?<![\w.]){year}[-/年](?P<m>\d{{1,2}})[-/月](?P<d>\d{{1,2}})(?:日|号|t(?=\d)|(?![\w-]))", _year_day),
        (r"(?<!\d)(?P<m>\d{1,2})月(?P<d>\d{1,2})[日号]?", _month_day),
        (rf"\b(?P<m>{_MONTH})\.?\s+{day}(?:,?\s+{year})?(?![\w:])(?<!may \d)(?<!may \d\d)", _month_day),
        (rf"(?<![\w.]){day}\s+(?:of\s+)?(?P<m>{_MONTH})(?:,?\s+{year})?(?!\w)", _month_day),
        (r"(?P<last>\b(?:last|past) )?\b(?P<w>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", _weekday),
        (r"(?P<last>上)?(?:本|这)?个?(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?!起)", _weekday),
        (r"(?:\b(?:this|(?P<last>last)) week\b)", _week),
        (r"(?:本周|这周|(?P<last>上周|上个?星期|上个?礼拜))(?![一二三四五六日天])", _week),
        *((pattern, _offset_day(offset)) for pattern, offset in _DAYS.items()),
        *((rf"(?<!good )(?:{pattern})(?!好)", _part(name)) for name, pattern in _PARTS.items()),
        (rf"(?<![\d.:/_a-z])(?P<h>\d{{1,2}}):(?P<m>[0-5]\d){seconds}{half}?(?![\d:]|\.\d)", _clock),
        (rf"(?<![\w.:-])(?P<h>\d{{1,2}}){half}", _clock),
        (rf"(?<![\w.:])(?P<x>(?P<h>\d{{1,2}})){_SPAN}\d{{1,2}}\s*[ap]m(?!\w)", _clock),
        (rf"(?<=-)(?P<h>\d{{1,2}}){half}", _clock),
        (rf"\b(?P<how>half past|quarter past|quarter to) (?P<h>\d{{1,2}}|[a-z]{{3,6}}){half}?", _quarter),
        (rf"(?<![\w.:])(?P<h>\d{{1,2}}|[a-z]{{3,6}})\s*o'?clock{half}?", _clock),
        (r"\b(?:at )?noon\b|正午", _named_clock(12)),
        (r"\b(?:at )?midnight\b|零点(?!\d)", _named_clock(0)),
        (
            rf"(?P<h>{_ZH_HOUR})[点时](?!候)(?:(?P<halfpast>半)|(?P<q>[一三])刻|(?P<m>\d{{1,2}}|{CHINESE_NUMBER}{{1,3}})分?"
            rf"(?:(?P<s>\d{{1,2}}|{CHINESE_NUMBER}{{1,3}})秒)?)(?![\d%])",
            _clock,
        ),
        (r"(?<![\d.:])(?P<h>\d{1,2}|[四五六七八九十]{1,3}|[一二两]?十[一二三四]?)[点时](?:钟|整)?(?![候\d])", _clock),
        (rf"(?P<h>[一二两三])点(?:钟|整)?{_ZH_AFTER}", _clock),
        (r"(?<=[午上晨晚里夜])(?P<h>[一二两三])点", _clock),
        (rf"(?<![\d.:])(?P<x>(?P<h>{_ZH_HOUR})){_SPAN}{_ZH_HOUR}[点时](?!候)", _clock),
        (rf"\b(?:around|about|at|near|circa)\s+(?P<x>(?P<h>\d{{1,2}})){_TAIL}", _clock),
        (rf"\b(?:from|between)\s+(?P<x>(?P<h>\d{{1,2}})){_SPAN}\d{{1,2}}{_TAIL}", _clock),
        (rf"\b(?:from|between)\s+\d{{1,2}}{_SPAN}(?P<x>(?P<h>\d{{1,2}})){_TAIL}", _clock),
        (
            r"(?<![a-z])(?:utc|gmt)(?:\s*(?P<oh>[+-]\d{1,2})(?::?(?P<om>\d\d))?)?(?!\w)|(?<=\d)z(?!\w)|(?P<zh>北京时间)",
            _zone,
        ),
        (r"\bnow\b|现在|目前|当前|此刻", lambda _match: Atom(0, 0, is_now=True)),
    ]  # fmt: skip
    return ((re.compile(pattern), build) for pattern, build in sources)


_RULES = tuple(_rules())
