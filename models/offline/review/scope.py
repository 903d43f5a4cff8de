"""Does the conclusion stay as narrow as its evidence? Pure."""

import re

from models.offline.review.case import Case
from models.offline.review.reasons import Refusal

_PLACES = (
    r"(?:services?|systems?|applications?|apps?|components?|hosts?|machines?|servers?|nodes?|clusters?|regions?|zones?|"
    r"databases?|dbs?|instances?|environments?|platforms?|fleets?|sites?|compan(?:y|ies)|teams?|tenants?|clients?|"
    r"customers?|users?|partners?|shops?|stores?|pods?|containers?|gateways?|apis?|endpoints?|routes?|brokers?|topics?|"
    r"queues?|consumers?|groups?|caches?|volumes?|disks?|certificates?|buckets?|jobs?|batches|networks?|providers?|"
    r"domains?|replicas?|deployments?|releases?|infrastructure|estate|callers?|dependenc(?:y|ies))"
)
_WIDE = re.compile(
    r"(?<!nearly )(?<!almost )(?<!not )(?<!most )\b(?:every|all|any|each|entire|whole)\s+(?:single\s+)?(?:of\s+)?"
    rf"(?:(?:the|our|its|their|other|these|those)\s+)?(?:[a-z-]+\s+)?(?P<noun>{_PLACES})\b",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"\b(?:always|everywhere|everything|everyone|in general|globally|(?:system|company|platform|cluster|fleet|"
    r"site)-?wide|permanently|exclusively|nothing else|on all of them|on each of them)\b"
    r"|始终|永远|从来都?|到处|全站|全网|全公司|全平台|全链路|无一例外|一律|所有人",
    re.IGNORECASE,
)
_WIDE_ZH = re.compile(
    r"(?:所有|全部(?:的)?|一切|任何|每(?:个|台|一个|一台|家|套)|各(?:个|台|类|家)?|整个)(?:的|其他|其它)?"
    r"(?P<noun>服务|系统|应用|组件|主机|机器|服务器|节点|集群|区域|机房|数据库|库|实例|环境|平台|公司|团队|租户|用户|客户|"
    r"商户|门店|容器|网关|接口|主题|队列|消费者|消费组|缓存|证书|任务|作业|批次|业务|副本|域名|调用方|上游|下游|站点|网站|"
    r"Pod|pod|IP)"
)


def scope_is_kept(case: Case) -> Refusal | None:
    """No word that makes one place the whole system, unless the evidence or the question says so too."""
    shown = " ".join((case.question, *(p.text for p in case.proofs))).lower()
    texts = (case.text, *(s.text for s in case.statements))
    return Refusal.TOO_WIDE if any(_is_wide(text, shown) for text in texts) else None


def _is_wide(text: str, shown: str) -> bool:
    said = {_single(m.group("noun")) for pattern in (_WIDE, _WIDE_ZH) for m in pattern.finditer(shown)}
    widened = [m for pattern in (_WIDE, _WIDE_ZH) for m in pattern.finditer(text)]
    if any(_single(match.group("noun")) not in said for match in widened):
        return True
    return any(match.group().lower() not in shown for match in _ABSOLUTE.finditer(text))


def _single(word: str) -> str:
    low = word.lower()
    return low[:-3] + "y" if low.endswith("ies") else low.removesuffix("s")
