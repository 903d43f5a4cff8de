"""Words by which a text links a cause to its effect, English and Chinese. Data."""

import re

QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|「[^」]*」|『[^』]*』|`[^`]*`|‘[^’]*’")

LABEL = re.compile(
    r"(?:(?P<of>[^.;。；]*?)\s*(?:的)\s*)?(?:根本原因|根因|真正的?原因|直接原因|"
    r"原因)(?:[^。；，,：:是]{0,12})?(?:就是|在于|是|为|在|：|:)\s*(?P<zh>[^。；]+)"
    r"|\b(?:root |real |actual |underlying |most likely |likely )*(?:cause|culprit|reason)\b(?:\s+(?:of|"
    r"for|behind|why)\s+(?P<en_of>[^.;:]*?))?\s*(?:\bis\b|\bwas\b|\bare\b|\bwere\b|\blies in\b|:|—|"
    r"–)\s*(?:that\s+)?(?P<en>[^;]+)",
    re.IGNORECASE,
)
NAMED_AFTER = re.compile(
    r"^(?P<cause>[^.;]+?)\s+(?:is|was|are|were)\s+(?:the |an? )?(?:root |real |actual |underlying |likely "
    r")*(?:cause|culprit|reason)\b(?:\s+(?:of|for|behind|why)\s+(?P<effect>[^;]+))?"
    r"|^(?P<zcause>[^。；]+?)(?:是|为)(?P<zeffect>[^。；，]*?)的?(?:根本原因|根因|真正原因|直接原因|原因)",
    re.IGNORECASE,
)
BY = re.compile(
    r"(?P<effect>[^。；，,]*?)(?:是|均|都|系)?(?:由于?|因(?!此|而|为))(?P<cause>[^。；]+?)(?:所)?(?:导致|"
    r"引起|造成|引发|触发|所致)(?:的|了)?(?P<after>[^。；，,]*)"
)
SINCE_FIRST = re.compile(
    r"(?:^|[。；;：:，,]\s*)(?:由于|因为|因(?!此|而))(?P<cause>[^，,。；]+)[，,](?P<effect>[^。；]+)"
)
WHEN_FIRST = re.compile(
    r"^(?:because(?: of)?|since|as|when|once|after|due to|owing to|following|"
    r"with)\s+(?P<cause>[^,;]+),\s*(?P<effect>[^;]+)",
    re.IGNORECASE,
)

FORWARD = (
    r"(?<!\bwas )(?<!\bwere )(?<!\bis )(?<!\bare )(?<!\bbeen )(?<!\bbeing )(?<!\bbe )(?<!\bgot )"
    r"\b(?:directly |in turn |then |thereby |ultimately |eventually |has |have |had |and )*"
    r"(?:caus(?:ed|es|ing)|led to|leads? to|leading to|result(?:ed|s|ing) in|trigger(?:ed|s|ing)|brought "
    r"(?:down|about)|produc(?:ed|es|ing)|"
    r"giv(?:es|ing) rise to|gave rise to|ma(?:de|kes|king)|forc(?:ed|es|ing)|prevent(?:ed|s|ing)|explains?|"
    r"ended in|ends in|(?:is|was) responsible for|(?:is|was) behind|"
    r"leaving|drove|driving|pushed|pushing|propagated (?:in)?to|cascaded (?:in)?to|showed up as|surfaced "
    r"as|which is why|that is why)\b"
    r"|[,;]?\s*\b(?:and so|so that|so|hence|thus|therefore|consequently|accordingly|subsequently|from then "
    r"on|as a (?:result|consequence)(?!\s+of)|until)\b"
    r"|导致|引起|造成|致使|使得|引发|触发|从而|因此|所以|于是|因而|随之|也随之|进而|由此|以致|以至于|拖慢|"
    r"拖垮|(?<![即天大])使(?!用|命|者)"
)
BACKWARD = (
    r"\b(?:(?:is|was|are|were|been|being|mainly|directly|probably) )*(?:because(?: of)?|due to|caused by|"
    r"triggered by|owing to|on account of|as a (?:result|consequence) of|the result of|a consequence of|"
    r"resulting from|"
    r"result(?:s|ed) from|stem(?:s|med|ming) from|aris(?:es|ing) from|arose from|com(?:e|es|ing) from|came "
    r"from|attributed to|traced (?:back )?to|"
    r"brought about by|brought down by|driven by|explained by|produced by|follow(?:s|ed) from|thanks to|"
    r"down to)\b|\bsince\b(?!\s+(?:\d|then\b|yesterday|noon|midnight|last\b|this\b|about\b|around\b|"
    r"early\b|when\b|the (?:release|deploy|rollout|start|upgrade|change|migration))|"
    r"(?:\s+[\w.-]+){0,4}\s+(?:was|were|went|got|has been|had been)\s+(?:rolled|deployed|released|upgraded|"
    r"installed|started|live|changed))"
    r"|是因为|是由于|因为|由于|源于|源自|归因于|起因于|起因是|归咎于"
)
ACTIVE = (
    r"(?<!\bwas )(?<!\bwere )(?<!\bis )(?<!\bare )(?<!\bbeen )(?<!\bbeing )(?<!\bgot )(?<!\bgets )(?<!\bran )(?<!\bbe )"
    r"\b(?:exhausts?|exhausted|fill(?:s|ed)?(?: up)?|blocks?|blocked|slow(?:s|ed)(?: down)?|overloads?|"
    r"overloaded|overwhelms?|overwhelmed|saturates?|saturated|"
    r"starves?|starved|drains?|drained|floods?|flooded|swamps?|swamped|clogs?|clogged|"
    r"crashed|broke|breaks|killed|delayed|delays|stopped|consumed|consumes|used up|uses up|evicted|"
    r"occupied|occupies|took down|throttled)"
    r"(?=\s+(?:the|its|their|all|our|every|each|both|this|that|a|an|most|[a-z]+-[a-z]+)\b|"
    r"\s+[A-Z][A-Za-z]*[A-Z0-9-])|(?<!被)(?:耗尽|占满|打满|压满|压垮|填满|写满|塞满|用光|撑满)了"
)
WEAK = r"\b(?:right after|shortly after|soon after|just after|after|once|following|ever since)\b(?!\s+\d)"
LINK = re.compile(f"(?P<back>{BACKWARD})|(?P<fwd>{FORWARD})|(?P<act>{ACTIVE})", re.IGNORECASE)
LINK_WEAK = re.compile(f"(?P<back>{WEAK})", re.IGNORECASE)
STARTS_FORWARD = re.compile(
    r"^\W*(?:as a (?:result|consequence)|consequently|therefore|thus|hence|so|this|that|which|these|it|"
    r"they|in turn|then|因此|所以|于是|由此|从而|因而|进而|这|其后果|结果)",
    re.IGNORECASE,
)
EVIDENTIAL = re.compile(
    r"^\s*(?:[^.;。；]{0,60}?)(?:\brecorded\b|\blogged\b|\blogs?\b|\bshows?\b|\bshowed\b|\bholds (?:the|a|\d+) rows?\b|"
    r"\bshifted from\b|\breports? say|\bevidence\b|\brunbook\b|\bwe (?:see|saw|find)\b|\btelemetry\b|\bmetrics\b|记录|日志|"
    r"显示|可见|手册)",
    re.IGNORECASE,
)
RELATIVE = re.compile(r"[,，]?\s*(?:\b(?:which|that|who)\b|这|它)\s*$", re.IGNORECASE)
CONCLUDES = re.compile(r"因此|所以|于是|因而|由此|也?随之")
EVIDENCE_LABEL = re.compile(
    r"(?:依据|证据|根据|佐证)\s*[：:].*?(?:。|$)|\b(?:evidence|proof|based on|seen in)\s*:.*?(?:\.\s|$)",
    re.IGNORECASE | re.DOTALL,
)


ADVERB = r"(?:therefore|thus|hence|consequently|accordingly|subsequently)"
LATE_ADVERB = re.compile(rf"(^|[,;.]\s+)((?:[^\s,;.:]+\s+){{1,4}}?)({ADVERB})\s+", re.IGNORECASE)
LATE_ADVERB_ZH = re.compile(r"(^|[，,；;。])([^，,；;。因从于]{1,14}?)(因此|因而|从而|于是|随之|也随之)")
