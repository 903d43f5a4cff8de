"""Words that a kind of statement may not hold, as data in both languages, each list with its reason and examples."""

import re
from dataclasses import dataclass
from functools import cached_property

from guards.claims.folding import fold_words


@dataclass(frozen=True)
class WordList:
    """One list of words; English ones match as whole words, Chinese ones anywhere."""

    name: str
    explanation: str
    english: tuple[str, ...]
    """Regular expressions without nested repetition, in lower case."""
    chinese: tuple[str, ...]
    """Regular expressions without repetition."""
    except_in: tuple[str, ...] = ()
    """Phrases in which such a word means something else; taken out first."""
    examples: tuple[tuple[str, str], ...] = ()
    """(sentence, the word found; empty for none)."""

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(self.english)})\b|{'|'.join(self.chinese)}", re.ASCII)

    @cached_property
    def _exceptions(self) -> re.Pattern[str]:
        return re.compile("|".join(self.except_in) or r"(?!)", re.ASCII)

    def find(self, text: str) -> tuple[str, ...]:
        """The words of the list that the text holds, folded, in order."""
        return tuple(match.group() for match in self._words.finditer(self._exceptions.sub(" ", fold_words(text))))


CAUSAL = WordList(
    name="causal",
    explanation="An OBSERVATION answers a narrow question; a word that names a cause makes it a diagnosis.",
    english=(
        r"root[ -]causes?",
        r"caus(?:e|es|ed|ing|al|ation)",
        r"because",
        r"due to",
        r"owing to",
        r"thanks to",
        r"on account of",
        r"(?:as )?a? ?(?:result|consequence) of",
        r"result(?:s|ed|ing)? (?:in|from)",
        r"(?:lead|leads|led|leading) to",
        r"trigger(?:s|ed|ing)?",
        r"(?:brought|bring|brings) about",
        r"(?:give|gives|gave) rise to",
        r"(?:stem|stems|stemmed|stemming) from",
        r"originat(?:e|es|ed|ing) (?:in|from)",
        r"responsible for",
        r"(?:to )?blame",
        r"culprit",
        r"(?:the )?reasons? (?:is|was|are|for|why|behind)",
        r"explain(?:s|ed)?",
        r"attribut(?:ed|able) to",
        r"induced by",
        r"(?:provoke|provokes|provoked)",
        r"therefore",
        r"hence",
        r"consequently",
        r"thus",
    ),
    chinese=(
        *("原因", "导致", "由于", "因为", "造成", "引起", "引发", "致使", "源于", "触发", "归因", "归咎", "根因"),
        *("起因", "成因", "所以", "因此", "因而", "使得", "拖垮", "元凶", "诱发", "是由.{1,12}?所致", "所致"),
    ),
    examples=(
        ("The pool was exhausted because sessions stayed open.", "because"),
        ("连接池耗尽导致超时", "导致"),
        ("Between 14:00 and 14:10 there were 812 timeouts.", ""),
    ),
)

UNIVERSAL_ABSENCE = WordList(
    name="universal absence",
    explanation="Finding nothing in one scope proves no health and excludes no cause.",
    english=(
        r"(?:un)?healthy",
        r"normal(?:ly)?",
        r"(?:is|are|was|were|all|looks?|looked|seems?|seemed|works?|working|runs?|running) (?:fine|ok|okay|good)",
        r"exclude[sd]?",
        r"excluding",
        r"rul(?:e|es|ed|ing) out",
        r"eliminated?",
        r"never",
        r"at no (?:time|point)",
        r"anywhere",
        r"nowhere",
        r"everything",
        r"everywhere",
        r"no (?:problems?|issues?|faults?|outages?|incidents?|impact)",
        r"(?:had|were|was) no (?:errors?|failures?)(?! (?:entr|record|log|row|line))",
        r"(?:nothing|errors?|failures?) at all",
        r"not (?:the )?(?:cause|affected|involved|responsible|to blame)",
        r"unaffected",
        r"stable",
        r"works? (?:correctly|properly|as expected)",
        r"innocent",
        r"cleared",
    ),
    chinese=(
        *("(?<![不非])正常", "健康", "排除", "没有问题", "没问题", "无问题", "从未", "从不", "任何时候", "任何地方"),
        *("一切", "不受影响", "未受影响", "没有影响", "无影响", "稳定", "无关", "没有故障", "无故障", "不是原因"),
        *("(?:服务|系统|运行|整体)均?(?:无|没有|未见)任?何?异常",),
        *("(?:没有|未出?|毫无)(?:出?过)?任何?(?:错误?|故障|异常|问题|失败)(?!日志|记录|条目)", "哪里都没有"),
    ),
    examples=(
        ("The database is healthy.", "healthy"),
        ("order-desk had no errors.", "had no errors"),
        ("systemd 没有任何错误。", "没有任何错误"),
        ("A slow query can be ruled out.", "ruled out"),
        ("数据库运行正常", "正常"),
        ("No matching rows in orders between 14:00 and 15:00.", ""),
        ("日志中未检索到该异常", ""),
    ),
)

HEALTH = WordList(
    name="health",
    explanation="That something is well is a finding of its own: a quoted fault shows nothing about the rest.",
    english=(
        r"healthy",
        r"(?:is|are|was|were|be|been|looks?|looked|remain(?:s|ed)?|stay(?:s|ed)?|seems?|seemed|behav(?:es|ed|ing)"
        r"|all|as"
        r"|back to|run(?:s|ning)?|ran|work(?:s|ed|ing)?|operat(?:es|ed|ing)|function(?:s|ed|ing)?)"
        r" (?:all |both |completely |perfectly |entirely )?"
        r"(?:normal(?:ly)?|fine|ok|okay|good|sound|well|flawless(?:ly)?)",
        r"works? (?:correctly|properly|as expected)",
        r"working (?:correctly|properly|as expected)",
        r"(?:in|of) (?:an? )?(?:perfect|great|good|excellent|fine|top|full|best)"
        r" (?:shape|order|health|condition|state)",
        r"nothing (?:at all )?(?:\w+ )?(?:failed|broke|broken|wrong|happened|to do with|is wrong|was wrong|went wrong)",
        r"no (?:problems?|issues?|faults?|outages?|incidents?|impact|trouble|failures?) (?:at all|anywhere|whatsoever)",
        r"without (?:any )?(?:problems?|issues?|trouble|incident|faults?)",
        r"(?:problem|trouble|error|fault)[ -]free",
        r"faultless(?:ly)?",
        r"flawless(?:ly)?",
        r"blameless",
        r"innocent",
        r"unaffected",
        r"up and (?:running|serving|well)",
        r"(?:did|does|do) (?:its|their|his) job",
    ),
    chinese=(
        *(
            "(?<![不非未法没])(?<!没有)正常(?!关闭|退出|停止|释放)",
            "健康",
            "没有问题",
            "没问题",
            "无问题",
            "没有任何问题",
        ),
        *("一切(?:正常|如常|顺利|良好)", "不受影响", "未受影响", "没有受到影响", "无影响", "没有故障", "无故障"),
        *("良好", "平稳", "如常", "完好", "无恙", "毫无毛病", "没有毛病", "没毛病", "未出问题", "没出问题"),
        *("(?:服务|系统|运行|整体|一切|全部)均?(?:无|没有|未见)任?何?异常", "不存在(?:任何)?(?:问题|故障|异常)"),
    ),
    except_in=(
        r"\bun ?healthy\b",
        r"\b(?:not|never|no longer|n't|stopped being) (?:\w+ )?(?:healthy|normal|fine|ok|okay|good|working|work)\b",
        r"\b(?:(?:above|than|below|over|beyond) (?:the )?normal)\b",
        r"\bas well\b",
        r"\bhealthy threshold\b",
        "健康检查",
        "健康探[测针]",
        "亚健康",
        "不健康",
        "不稳定",
        "(?:不能|无法|未能|没能|不再|没有|并未)正常",
        "恢复正常(?:后|前|之前|之后|需)",
        "是否(?:正常|健康)",
    ),
    examples=(
        ("The database is healthy.", "healthy"),
        ("payments is in perfect shape.", "in perfect shape"),
        ("Nothing failed.", "nothing failed"),
        ("数据库运行正常", "正常"),
        ("The pod was marked unhealthy.", ""),
        ("The health check failed as well.", ""),
        ("The wait was far above normal.", ""),
        ("连接无法正常释放", ""),
        ("健康检查失败", ""),
    ),
)

TOTALITY = WordList(
    name="totality",
    explanation="A partial or cut result shows some of what there was: no total, no all, only, none or first.",
    english=(
        r"all",
        r"each",
        r"every",
        r"the whole",
        r"only",
        r"solely",
        r"exclusively",
        r"none",
        r"never",
        r"no other",
        r"nothing else",
        r"in total",
        r"totall?(?:y|ing|ed)?",
        r"entire(?:ly)?",
        r"first",
        r"earliest",
        r"always",
    ),
    chinese=(
        *("全部", "所有", "仅有?", "只有", "唯一", "没有一[个条次]", "无一", "首次", "首个", "第一[次个条]"),
        *("最早", "从未", "从不", "每一?[次个条]", "总共", "共计", "总计", "一律", "始终", "均"),
    ),
    except_in=(
        r"\bat all\b",
        r"\bafter all\b",
        r"\bat first\b",
        r"\bnot only\b",
        r"\bnot all\b",
        r"\bfirst and last seen\b",
        r"\bat least\b",
        "(?<=平)均",
        "不仅",
        "均值",
    ),
    examples=(
        ("Only payment-api logged it.", "only"),
        ("所有请求都超时", "所有"),
        ("At least 12 events, not only timeouts.", ""),
    ),
)

ATTRIBUTION = WordList(
    name="attribution",
    explanation="A sentence that names its document says what is written there, not that it happened here.",
    english=(
        r"runbooks?",
        r"playbooks?",
        r"documents?",
        r"documentation",
        r"documented",
        r"guide",
        r"manual",
        r"knowledge base",
        r"handbook",
    ),
    chinese=("手册", "文档", "预案", "知识库", "指南", "操作规程"),
    examples=(
        ("The runbook names maxLifetime.", "runbook"),
        ("手册建议检查连接池", "手册"),
        ("The pool is full.", ""),
    ),
)

WORD_LISTS = (CAUSAL, UNIVERSAL_ABSENCE, HEALTH, TOTALITY, ATTRIBUTION)
