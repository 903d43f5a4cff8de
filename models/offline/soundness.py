"""What forbids the conclusion of a cause although telemetry shows its telltales. Pure.

Every rule errs towards silence: a cause that fails one of them may only be a hypothesis.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from models.offline.causes import Candidate, same_cause
from models.offline.lexicon import COMMON, TROUBLE_TERMS
from models.offline.markers import Marker
from models.offline.measures import DOWN, FLAT, UP, Measure, names_metric
from models.offline.ranking import TELLTALE_MIN, Match
from models.offline.telemetry import Event, first_time
from models.offline.terms import Term, term_set
from models.offline.weighing import CHANGE_BEFORE, Hit, Scene, found_words, kind_of, near_changes

TELLING_MIN = 0.4
SOON = timedelta(seconds=60)
"""A telltale may be logged this long after the symptom: reports have thresholds, samples have gaps."""
LONG_SPAN = timedelta(days=1)
_MAIN = 2
_CHANGES = frozenset({"c:deploy", "c:migration", "c:rollback"})
_ALTERED = re.compile(r"\bchang|\bmodif|\bedited\b|\balter|变更|更改|修改|改动|调整", re.IGNORECASE)
_NEW = re.compile(
    r"\bnew(?:ly)? (?:\w+ )?(?:version|build|code|config\w*)\b|新(?:的)?(?:版本|代码|配置)", re.IGNORECASE
)
_CHANGE_TOLD = re.compile(
    r"\bdeploy(?:ed|ing)\b|\bdeployment (?:of|started|finished|completed?|succeeded)\b|\broll(?:ed|ing)?[ -]?out\b|"
    r"\bupgrad(?:ed|ing)\b|\brelease[d]? .{0,24}\d+\.\d|\bnew version\b|\broll(?:ed|ing)? back to\b|"
    r"\bmigrat(?:ed|ing|ion)\b|"
    r"\balter table\b|\b(?:create|drop) index\b|\b(?:config\w*|settings?|parameter\w*)\b.{0,40}\b(?:changed|"
    r"reloaded|updated|set to)\b|发布|上线|部署|升级|发版|变更|迁移|配置.{0,8}(?:修改|调整|更新|生效)",
    re.IGNORECASE,
)
_OVER_DAYS = re.compile(
    r"\b(?:over|for|across|within|during|after|of)\s+(?:\w+\s+){0,2}(?:days|weeks|months)\b|"
    r"\b(day|week|month)\s+(?:to|by|after|over)\s+\1\b|\bdays? before\b|\b(?:last|previous) (?:week|month)\b|"
    r"数[天日周月]|几[天日周]|多[天日]|几个月|连续.{0,4}[天日周]|逐[日天周]|每天.{0,6}(?:升|增|涨|漂移)|日复一日|日积月累",
    re.IGNORECASE,
)
_TICKED = re.compile(r"`[^`]*`")


def is_sound(match: Match, matches: Sequence[Match], scene: Scene, asked: Sequence[str] = ()) -> bool:
    """True if nothing forbids to conclude the match; ``asked``: services the question names."""
    objections = (
        _is_circular(match, scene),
        _is_late(match, scene),
        _lacks_change(match, scene),
        _is_unlinked(match, scene),
        _is_contradicted(match, matches, scene),
        _needs_longer_window(match.candidate, scene),
        _ignores_main_failure(match, scene, asked),
        _is_belied(match, scene),
    )
    return not any(objections)


def telltales(match: Match, scene: Scene) -> tuple[Hit, ...]:
    """What was seen of the cause beside the symptom itself, best first."""
    return tuple(hit for hit in match.hits if hit.worth >= TELLING_MIN and not scene.is_symptom(hit.event))


def told_changes(candidate: Candidate) -> frozenset[Term]:
    """Kinds of change the cause's own heading speaks of, ``c:change`` for any; empty if it speaks of none."""
    named = candidate.phrase_terms & _CHANGES
    if named or not (_ALTERED.search(candidate.phrase) or _NEW.search(candidate.phrase)):
        return named
    return candidate.phrase_terms & frozenset({"c:config", "c:version"}) or frozenset({"c:change"})


def _is_circular(match: Match, scene: Scene) -> bool:
    """The symptom asked about cannot prove its own cause; nor can rows of the table that shows it."""
    if scene.is_told_by_rows and scene.symptom is not None:
        shown = [hit.event for hit in telltales(match, scene)] + ([match.change] if match.change is not None else [])
        return all(event.is_row and event.table == scene.symptom.table for event in shown)
    return not any(hit.is_own or hit.event.is_row for hit in telltales(match, scene))


def _is_late(match: Match, scene: Scene) -> bool:
    """The first telltale came after what it is to explain."""
    begun = scene.symptom.first if scene.symptom is not None else None
    first = first_time(hit.event for hit in telltales(match, scene))
    return begun is not None and first is not None and first > begun + SOON


def _lacks_change(match: Match, scene: Scene) -> bool:
    """The cause is something that was changed, and no such change is on record shortly before."""
    wanted = told_changes(match.candidate)
    if not wanted:
        return False
    shown = telltales(match, scene)
    until = min(filter(None, (scene.onset, first_time(h.event for h in shown if not h.event.is_row))), default=None)
    if match.change is not None and _is_before(match.change, until):
        return False
    services = {hit.event.service for hit in shown} - {""}
    rows = near_changes(scene.events, scene.onset) if wanted == {"c:change"} else ()
    told = (event for event in scene.events if _tells_change(event, wanted))
    return not any(_is_before(event, until) and _concerns(event, services) for event in (*rows, *told))


def _is_before(event: Event, until: datetime | None) -> bool:
    """Dated and shortly before."""
    return event.first is not None and (until is None or until - CHANGE_BEFORE <= event.first <= until)


def _tells_change(event: Event, wanted: frozenset[Term]) -> bool:
    if not event.is_log or not _CHANGE_TOLD.search(event.text):
        return False
    return wanted == {"c:change"} or bool(wanted & term_set(event.text))


def _concerns(event: Event, services: Iterable[str]) -> bool:
    return any(event.service == name or name in event.text.lower() for name in services)


def _is_unlinked(match: Match, scene: Scene) -> bool:
    """What the document says of the cause, its telltales aside, has no word in common with any record shown."""
    candidate = match.candidate
    said = candidate.phrase_terms | term_set(_TICKED.sub(" ", candidate.body))
    shown = [*(hit.event for hit in telltales(match, scene)), *([match.change] if match.change is not None else [])]
    services = {event.service for event in scene.events if event.service}
    seen = frozenset[Term]().union(*(term_set(f"{e.table} {e.text}") for e in shown))
    return not _plain(said & seen, services)


def _plain(words: frozenset[Term], services: Iterable[str]) -> frozenset[Term]:
    """Words that tell something of a cause: no numbers, names of services or words of every incident."""
    names = frozenset[Term]().union(*map(term_set, services))
    return frozenset(word for word in words - COMMON - TROUBLE_TERMS - names if not word.startswith("n:"))


def _is_contradicted(match: Match, matches: Sequence[Match], scene: Scene) -> bool:
    """Another cause's own telltales were seen, and earlier."""
    first = first_time(hit.event for hit in telltales(match, scene))
    rivals = (other for other in matches if not other.is_excluded and not same_cause(other.candidate, match.candidate))
    return first is not None and any(_shown_first(rival, scene, first) for rival in rivals)


def _shown_first(rival: Match, scene: Scene, before: datetime) -> bool:
    own = [hit for hit in telltales(rival, scene) if hit.is_own and not hit.event.is_row]
    begun = first_time(hit.event for hit in own)
    return sum(hit.worth for hit in own) >= TELLTALE_MIN and begun is not None and begun < before


def _needs_longer_window(candidate: Candidate, scene: Scene) -> bool:
    """The document's sign takes days to see, and the searches covered less."""
    text = _TICKED.sub(" ", f"{candidate.phrase}\n{candidate.body}")
    return _OVER_DAYS.search(" ".join(text.split())) is not None and scene.searched_span < LONG_SPAN


def _is_belied(match: Match, scene: Scene) -> bool:
    """A metric that the document says moves was read and did not, or moved the other way."""
    return any(is_belied_by(marker, scene) for marker in match.candidate.markers if marker.trend in {UP, DOWN})


def is_belied_by(marker: Marker, scene: Scene) -> bool:
    """True if series of that name were read, and none of the incident's own goes the way the document says."""
    read = [e for e in scene.events if e.is_series and scene.concerns(e) and found_words(marker, e)]
    against = [e for e in read if e.measure.trend in {UP, DOWN, FLAT} and e.measure.trend != marker.trend]
    is_borne = any(event.measure.trend == marker.trend for event in read)
    return not is_borne and (bool(against) or any(names_metric(marker.text, Measure(m)) for m in scene.vain_metrics))


def _ignores_main_failure(match: Match, scene: Scene, asked: Sequence[str]) -> bool:
    """The most frequent new failure of the asked service has nothing to do with the cause."""
    names = {name.lower() for name in asked} or ({scene.symptom.service} if scene.symptom is not None else set())
    counts = Counter[str]()
    for event in _new_failures(scene, names):
        counts[kind_of(event)] = max(counts[kind_of(event)], scene.times(event))
    main = counts.most_common(1)
    if not main or main[0][1] < _MAIN:
        return False
    events = [event for event in _new_failures(scene, names) if kind_of(event) == main[0][0]]
    return not any(_is_related(event, match, scene) for event in events)


def _new_failures(scene: Scene, names: set[str]) -> Iterator[Event]:
    return (e for e in scene.events if e.is_error and e.service in names and not scene.is_usual(e))


def _is_related(event: Event, match: Match, scene: Scene) -> bool:
    """Carries a telltale, shares a word with what the document says, or names the service that shows the telltales."""
    candidate = match.candidate
    if any(found_words(marker, event) for marker in candidate.markers):
        return True
    shown = {hit.event.service for hit in telltales(match, scene)} - {"", event.service}
    if any(name in event.text.lower() for name in shown):
        return True
    services = {other.service for other in scene.events if other.service}
    said = candidate.phrase_terms | candidate.body_terms | term_set(candidate.title)
    return bool(_plain(said & term_set(event.text), services))
