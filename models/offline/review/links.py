"""Words and forms by which a conclusion says what led to what, English and Chinese. Data."""

import re

from models.offline.causal_words import ACTIVE as DOING
from models.offline.causal_words import BACKWARD
from models.offline.causal_words import FORWARD as ONWARD

WHY = re.compile(r"\b(?:is|are|was|were)\s+(?:the reason\s+)?why\b", re.IGNORECASE)
NAMED_BEFORE = re.compile(
    r"^(?P<cause>.+?)(?:[,，]?\s*(?:which|this|that|这)?\s*(?:is|was|are|were|就是|正是|才是|是))\s*(?:the |an? )?"
    r"(?:(?:root |real |actual |underlying |likely )*(?:cause|culprit|origin|reason)\b"
    r"(?:\s+(?:of|for|behind)\s+(?P<effect>[^.;]+))?|(?P<zeffect>[^。；，,]*?)的?(?:根本原因|根因|起因|原因)\s*[。.]?$)",
    re.IGNORECASE,
)
LABEL = re.compile(
    r"^(?P<of>[^.;:。；：]{0,80}?)(?:\b(?:the |a )?(?:root |real |actual |underlying |likely |first )*"
    r"(?:cause|origin|culprit|reason)\b(?:\s+(?:of|for|behind)\s+(?P<en_of>[^.:;]{1,80}?))?\s*"
    r"(?:is|was|are|were|lies in|:)\s*(?:that\s+)?"
    r"|(?:的)?(?:(?:根本原因|根因|起因|原因|根源|源头)\s*(?:就是|在于|是|为|在|：|:)"
    r"|问题(?:就)?(?:出在|在于)|归根结底是|归根到底是|罪魁祸首是)\s*)",
    re.IGNORECASE,
)
ZH_BECAUSE = re.compile(
    r"(?:^|[。；;，,])\s*(?:由于|因为)(?P<cause>[^。；]+?)[，,]\s*(?P<effect>(?:所以|因此|才|[^。；，,]{0,24}?才|[^。；])[^。；]*)"
)
ZH_BY = re.compile(
    r"^(?P<effect>[^。；：]{2,60}?)[，,]?\s*(?:都|均)?(?:是由于|是因为|是由|是因|是|由于|由|系)(?P<cause>[^。；：]+?)(?:所)?"
    r"(?:导致|引起|造成|引发|触发|所致)(?:的)?(?=[。；：，,]|$)"
)
ZH_RESULT = re.compile(r"(?P<effect>[^。；，,]{2,40}?)(?:是|属于)(?P<cause>[^。；，,]{3,60}?)的(?:直接)?(?:结果|后果)")
EN_FIRST = re.compile(
    r"^(?:because(?: of)?|since|as|due to|owing to|with|after|when|once)\s+(?P<cause>[^,;:]+),\s*(?P<effect>.+)",
    re.IGNORECASE | re.DOTALL,
)
BACK = re.compile(
    rf"(?:{BACKWARD})|\b(?:a |the )?victims? of\b"
    r"|,\s+as (?=(?:the|a|an|its|their|our|[\w-]+-[\w-]+)\s)(?!an? (?:result|consequence)\b)"
    r"|\b(?:is|was|are|were) (?:[a-z-]+ )?by(?= [a-z0-9-]+(?:'s)? \w+ing\b)",
    re.IGNORECASE,
)
BACK_WEAK = re.compile(
    r"\b(?:right |shortly |soon |just )?after\b(?!\s+\d)|\bonce\b|\bfollowing\b(?=\s+(?:the|a)\b)", re.IGNORECASE
)
FORWARD = re.compile(rf"(?:{ONWARD})|\band so\b|\buntil\b", re.IGNORECASE)
CUT = re.compile(
    r"[;；。]|(?<!\d)[:：]|[:：](?!\d)|[，,](?!\d)|\.(?=\s|$)|\s+(?:and|but|then|while|whereas)\s+|而且|随后|然后|之后",
    re.IGNORECASE,
)


ACTIVE = re.compile(DOING, re.IGNORECASE)
LINKS = re.compile(f"{BACK.pattern}|{FORWARD.pattern}|{BACK_WEAK.pattern}|{WHY.pattern}|因为|由于", re.IGNORECASE)
SO_MUCH = re.compile(
    r"\bso (?=(?:much|many|far|long|few|little|often|large|big|slow|heavy|high|[a-z]+ that)\b)", re.IGNORECASE
)
NOT_BUT = re.compile(r"^(?:it (?:is|was) )?not [^,.;:]{1,40}?,? but ", re.IGNORECASE)
COPULA = re.compile(r"\s+(?:is|was|are|were)\s*$", re.IGNORECASE)
RECORDED = re.compile(
    r"\s*[\w.:-]+(?:\s+of\s+[\w.-]+)?\s*(?:recorded|logged|holds (?:the|a|\d+) rows?|shifted from|"
    r"(?:在\s*\S+\s*)?记录了|中有记录|中有一行)",
    re.IGNORECASE,
)
"""A reason for believing, not a cause: what was found on record."""
PERFECT = re.compile(r"\b(?:has|have|had)\b", re.IGNORECASE)
BARE_NOUN = re.compile(r"\s+(?:its|the|this|that|their)\s+[\w-]+\s*(?:[,;.]|$)", re.IGNORECASE)
SENTENCE_END = re.compile(r"[;；。]|\.\s")
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_./][A-Za-z0-9]+)+|[A-Z]+-\d+")
SAYING_MIN = 3
"""Terms beyond identifiers from which a stretch says something."""
