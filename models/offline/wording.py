"""Connecting words of a draft in both languages. Every fact is passed in; nothing is added. Pure."""

from dataclasses import dataclass

MAX_TEXT = 1000
_OPEN, _CLOSE = "“", "”"


@dataclass(frozen=True)
class Words:
    """The connecting words of one language."""

    is_zh: bool

    def pick(self, english: str, chinese: str) -> str:
        """The form of this language."""
        return chinese if self.is_zh else english

    def seen(self, who: str, when: str, words: str) -> str:
        """What was recorded, by whom and when; ``who`` and ``when`` may be empty."""
        quoted = quoted_text(words)
        if self.is_zh:
            return f"{who or '日志'}{f' 在 {when} ' if when else ''}记录了{quoted}"
        return f"{who or 'The telemetry'} recorded {quoted}{f' at {when}' if when else ''}"

    def row(self, source: str, words: str) -> str:
        """A database row; ``source`` empty where its table is not known."""
        where = source or self.pick("the database", "数据库")
        return self.pick(f"{where} holds a row with {words}", f"{where} 中有一行：{words}")

    def shifted(self, metric: str, owner: str, levels: tuple[str, str], between: tuple[str, str]) -> str:
        """A series whose level shifted; ``owner`` may be empty."""
        if self.is_zh:
            whose = f"{owner} 的 " if owner else ""
            return f"{whose}{metric} 在 {between[0]} 至 {between[1]} 之间由 {levels[0]} 变为 {levels[1]}"
        whose = f" of {owner}" if owner else ""
        return f"{metric}{whose} shifted from {levels[0]} to {levels[1]} between {between[0]} and {between[1]}"

    def lead(self, metric: str, owner: str, seconds: float, words: str) -> str:
        """By how much a series shifted before a record."""
        if self.is_zh:
            return f"{f'{owner} 的 ' if owner else ''}{metric} 的变化比{quoted_text(words)}早 {seconds} 秒"
        return f"{metric}{f' of {owner}' if owner else ''} shifted {seconds} s before {quoted_text(words)}"

    def level(self, metric: str, owner: str, told: str) -> str:
        """The figures of a series as its source tells them."""
        if self.is_zh:
            return f"{f'{owner} 的 ' if owner else ''}{metric}：{quoted_text(told)}"
        return f"{metric}{f' of {owner}' if owner else ''}: {quoted_text(told)}"

    def alert(self, name: str, owner: str, state: str, since: str) -> str:
        """An alert, its state and since when; ``owner`` and ``since`` may be empty."""
        if self.is_zh:
            whose = f"（{owner}）" if owner else ""
            return f"告警 {name}{whose}的状态为 {state}" + (f"，自 {since} 起" if since else "")
        whose = f" of {owner}" if owner else ""
        return f"alert {name}{whose} is {state}" + (f" since {since}" if since else "")

    def counted(self, where: tuple[str, str], reason: str, count: int, span: tuple[str, str]) -> str:
        """How many rows of a table (and service, may be empty) failed alike, and between which times."""
        table, owner = where
        if self.is_zh:
            whose = f"（{owner}）" if owner else ""
            return f"{table}{whose} 中有 {count} 行 {reason}，时间 {span[0]} 至 {span[1]}"
        whose = f" of {owner}" if owner else ""
        return f"{table} holds {count} rows{whose} with {reason} from {span[0]} to {span[1]}"

    def answer(self, told: str) -> str:
        """The answer to a narrow question."""
        return clipped(f"{told[:1].upper()}{told[1:]}." if told[:6] == "alert " else f"{told}{self.pick('.', '。')}")

    def nothing(self, source: str, window: tuple[str, str] | None, filters: str) -> str:
        """An empty search, inside its own scope."""
        span = (
            self.pick(f" between {window[0]} and {window[1]}", f"，时间 {window[0]} 至 {window[1]}") if window else ""
        )
        with_ = self.pick(f" with {filters}", f"，条件 {filters}") if filters else ""
        return self.pick(f"Nothing was found in {source}{span}{with_}.", f"在 {source} 中未找到记录{span}{with_}。")

    def matched(self, source: str, total: int | None, window: tuple[str, str] | None, filters: str) -> str:
        """A search that found something; ``total`` only where it may be claimed."""
        span = (
            self.pick(f" between {window[0]} and {window[1]}", f"，时间 {window[0]} 至 {window[1]}") if window else ""
        )
        with_ = self.pick(f" with {filters}", f"，条件 {filters}") if filters else ""
        number = f"{total} " if total is not None else ""
        english = f"Yes: {source} holds {number}matching record(s){span}{with_}."
        return self.pick(
            english,
            f"有：{source} 中有{number}条匹配的记录{span}{with_}。"
            if number
            else f"有：{source} 中有匹配的记录{span}{with_}。",
        )

    def often(self, words: str, count: int, first: str, last: str) -> str:
        """How often a kind of record was seen, and between which times."""
        if count == 1:
            english = f" {quoted_text(words)} was recorded once, at {first}."
            return self.pick(english, f"其中{quoted_text(words)}在 {first} 记录了一次。")
        english = f" {quoted_text(words)} was recorded {count} times from {first} to {last}."
        return self.pick(english, f"其中{quoted_text(words)}记录了 {count} 次，时间 {first} 至 {last}。")

    def no_source(self, name: str, held: list[str]) -> str:
        """A named service that no source holds, and what is held; ``held`` may be empty."""
        english = f"no log source holds {name}" + (f"; held are {', '.join(held)}" if held else "")
        return self.pick(english, f"没有日志来源包含 {name}" + (f"；现有：{'、'.join(held)}" if held else ""))

    def root_cause(self, who: str, phrase: str, proofs: list[str], effect: str) -> str:
        """The conclusion: who, the cause as the runbook words it, what was seen, what followed."""
        name = f"{who}{self.pick(': ', '：')}" if who else ""
        english = f"{name}{phrase}, because {' and '.join(proofs)}."
        chinese = f"{name}{phrase}。依据：{'；'.join(proofs)}。"
        after = self.pick(f" As a consequence {effect}.", f"由此，{effect}。") if effect else ""
        return clipped(self.pick(english, chinese) + after)

    def searched(self, scopes: list[str]) -> str:
        """What was searched."""
        if not scopes:
            return self.pick("Nothing was searched.", "未进行任何查询。")
        return clipped(self.pick("Searched: ", "已查询：") + self.pick("; ", "；").join(dict.fromkeys(scopes)))

    def what_is_needed(self) -> list[str]:
        """What a question without any anchor lacks."""
        if self.is_zh:
            return ["涉及的服务、数据库或主机名称", "发生的时间范围", "具体的错误信息、错误码或失败的操作"]
        return [
            "the service, database or host concerned",
            "the time at which it happened",
            "an error message, a code or the operation that fails",
        ]

    def no_proof(self, phrases: list[str]) -> list[str]:
        """What was missing for a conclusion."""
        if not phrases:
            return [self.pick("a record that shows what failed and when", "能够显示何处何时失败的记录")]
        listed = self.pick(" or ", " 或 ").join(quoted_text(phrase) for phrase in phrases)
        return [self.pick(f"a record of this system that shows {listed}", f"本系统中能够证明 {listed} 的记录")]

    def separate(self, probe: str, phrase: str, rival: str) -> str:
        """The one check that tells the leading two apart."""
        than = self.pick(f" rather than {quoted_text(rival)}", f"，而非{quoted_text(rival)}") if rival else ""
        english = f"Search the logs for {quoted_text(probe)}: it would speak for {quoted_text(phrase)}{than}."
        return clipped(
            self.pick(english, f"在日志中搜索{quoted_text(probe)}：若出现，则支持{quoted_text(phrase)}{than}。")
        )

    def widen(self) -> str:
        """The next check where no cause is in sight."""
        return self.pick(
            "Search again with the exact error message, or a wider time range.",
            "用准确的错误信息或更大的时间范围再查一次。",
        )


def quoted_text(text: str) -> str:
    """The text on one line, in quotation marks."""
    return f"{_OPEN}{' '.join(text.split())}{_CLOSE}"


def clipped(text: str) -> str:
    """The text, at most ``MAX_TEXT`` characters, cut at a blank or after a full stop where there is one."""
    if len(text) <= MAX_TEXT:
        return text
    cut = text[:MAX_TEXT]
    return cut[: max(cut.rfind("; "), cut.rfind("；"), cut.rfind("。"), MAX_TEXT // 2)].rstrip()
