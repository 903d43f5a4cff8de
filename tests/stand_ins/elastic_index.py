"""Indices in memory: mappings, dynamic mapping, analysis, and documents as an index holds them.

Written from the public documentation of Elasticsearch and OpenSearch. A field is indexed as its mapping says:
``keyword`` whole and only up to ``ignore_above``, ``text`` word by word, ``date`` to the millisecond.
"""

import fnmatch
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NUMBERS = frozenset({"long", "integer", "short", "byte", "double", "float", "half_float", "scaled_float"})
TEXTS = frozenset({"text", "match_only_text"})
KEYWORDS = frozenset({"keyword", "wildcard", "constant_keyword"})
METADATA = ("_id", "_index", "_source", "_ignored", "_seq_no", "_version")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
_MAX_TOKEN = 255


class Malformed(ValueError):
    """The document does not fit the mapping."""


@dataclass
class Doc:
    id: str
    shard: int
    source: dict[str, Any]
    terms: dict[str, list[Any]] = field(default_factory=dict)
    """What the index holds of each field: words, whole values, numbers, milliseconds or nanoseconds."""
    ignored: set[str] = field(default_factory=set)


@dataclass
class Index:
    name: str
    fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Leaf fields and multi-fields by full name."""
    parts: dict[str, list[str]] = field(default_factory=dict)
    """Multi-fields of a leaf field."""
    objects: set[str] = field(default_factory=set)
    nested: set[str] = field(default_factory=set)
    """Objects that are documents of their own, which only ``nested`` queries (not known here) look into."""
    settings: dict[str, str] = field(default_factory=dict)
    """Flat."""
    n_shards: int = 2
    docs: dict[str, Doc] = field(default_factory=dict)

    def map(self, properties: Mapping[str, Any], prefix: str = "") -> None:
        for name, mapping in properties.items():
            full = f"{prefix}{name}"
            if mapping.get("type") == "nested":
                self.nested.add(full)
            if "properties" in mapping:
                self.map(mapping["properties"], f"{full}.")
                continue
            self.fields[full] = {key: value for key, value in mapping.items() if key != "fields"}
            for sub, its in mapping.get("fields", {}).items():
                self.fields[f"{full}.{sub}"] = dict(its)
                self.parts.setdefault(full, []).append(f"{full}.{sub}")
            self._note_objects(full)

    def put(self, id_: str, source: dict[str, Any]) -> None:
        """Index a document, as through ``_doc/{id}``."""
        source = json.loads(json.dumps(source))
        doc = Doc(id_, sum(id_.encode()) % self.n_shards, source)
        for name, mapping in self.fields.items():
            if mapping["type"] == "constant_keyword":
                doc.terms[name] = [mapping["value"]]
        for name, value in leaves(source):
            self._map_dynamically(name, value)
            if any(name.startswith(f"{one}.") for one in self.nested):
                continue
            for full in (name, *self.parts.get(name, ())):
                if full in self.fields:
                    self._add(doc, full, value)
        self.docs[id_] = doc

    def _map_dynamically(self, name: str, value: Any) -> None:
        if name in self.fields or value is None:
            return
        if name in self.objects:
            raise Malformed(
                f"object mapping for [{name}] tried to parse field [{name}] as object, but found a concrete value"
            )
        if isinstance(value, bool):
            self.fields[name] = {"type": "boolean"}
        elif isinstance(value, int | float):
            self.fields[name] = {"type": "long" if isinstance(value, int) else "float"}
        elif _ISO.fullmatch(value):
            self.fields[name] = {"type": "date"}
        else:
            self.fields[name] = {"type": "text"}
            self.fields[f"{name}.keyword"] = {"type": "keyword", "ignore_above": 256}
            self.parts.setdefault(name, []).append(f"{name}.keyword")
        self._note_objects(name)

    def _note_objects(self, name: str) -> None:
        self.objects |= {name[:at] for at, char in enumerate(name) if char == "."}

    def _add(self, doc: Doc, name: str, value: Any) -> None:
        mapping = self.fields[name]
        if value is None or mapping.get("index") is False:
            return
        try:
            doc.terms.setdefault(name, []).extend(self._indexed(mapping, value))
        except (ValueError, TypeError, OverflowError) as error:
            if not mapping.get("ignore_malformed"):
                raise Malformed(f"failed to parse field [{name}] of type [{mapping['type']}]") from error
            doc.ignored.add(name)
        if len(_as_text(value)) > mapping.get("ignore_above", 2**31 - 1):
            doc.ignored.add(name)
        if not doc.terms.get(name):
            doc.terms.pop(name, None)

    def _indexed(self, mapping: Mapping[str, Any], value: Any) -> list[Any]:
        kind = mapping["type"]
        if kind in KEYWORDS:
            text = _as_text(value)
            return [text] if len(text) <= mapping.get("ignore_above", 2**31 - 1) else []
        if kind in TEXTS:
            return analyze(_as_text(value), self.analyzer(mapping))
        if kind in NUMBERS:
            if isinstance(value, bool):
                raise TypeError(value)
            return [float(value)]
        if kind == "boolean":
            if value not in (True, False, "true", "false"):
                raise ValueError(value)
            return [value in (True, "true")]
        if kind == "date":
            return [date_ns(value, mapping) // 10**6]
        if kind == "date_nanos":
            return [date_ns(value, mapping)]
        return [_as_text(value)]

    def analyzer(self, mapping: Mapping[str, Any]) -> str:
        default = self.settings.get("index.analysis.analyzer.default.type", "standard")
        return str(mapping.get("analyzer", default))


def leaves(node: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its full name; arrays are several values of one field."""
    if isinstance(node, list):
        for one in node:
            yield from leaves(one, prefix)
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from leaves(value, f"{prefix}.{name}" if prefix else name)
    else:
        yield prefix, node


def date_ns(value: Any, mapping: Mapping[str, Any]) -> int:
    """Nanoseconds; without offset UTC, numbers and digits as the format says, by default milliseconds."""
    formats = str(mapping.get("format", "strict_date_optional_time||epoch_millis")).split("||")
    text = str(value)
    if re.fullmatch(r"-?\d+(?:\.\d+)?", text) and ("epoch_millis" in formats or "epoch_second" in formats):
        scale = 10**9 if "epoch_second" in formats and "epoch_millis" not in formats else 10**6
        return int(float(text) * scale) if "." in text else int(text) * scale
    if not _ISO.fullmatch(text):
        raise ValueError(text)
    whole, _, rest = text.replace(",", ".").partition(".")
    digits = re.match(r"\d*", rest)[0] if rest else ""
    at = datetime.fromisoformat(whole + rest[len(digits) :])
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return (at - EPOCH) // timedelta(microseconds=1) * 1000 + int(digits.ljust(9, "0") or 0)


def analyze(text: str, analyzer: str = "standard") -> list[str]:
    """Words as the analyzer makes them: ``standard`` (Unicode word breaks, lower case), ``whitespace``, ``english``."""
    if analyzer == "whitespace":
        return text.split()
    words = [word for word in _words(text)]
    if analyzer == "english":
        return [_stem(word) for word in words if word not in {"a", "an", "and", "the", "is", "of", "to", "not"}]
    return words


_WORD = re.compile(
    r"[\u3040-\u309f\u3400-\u9fff\U00020000-\U0002ffff]|[^\W\u3040-\u309f\u3400-\u9fff\U00020000-\U0002ffff]+",
    re.UNICODE,
)


def _words(text: str) -> Iterator[str]:
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        joins = found and start - found[-1][1] == 1 and _joins(text, start - 1)
        found = [*found[:-1], (found[-1][0], end)] if joins else [*found, (start, end)]
    for start, end in found:
        word = text[start:end]
        if any(char.isalnum() for char in word):
            for at in range(0, len(word), _MAX_TOKEN):
                # Lucene lowers one code point at a time.
                yield "".join(char.lower()[0] if char == "İ" else char.lower() for char in word[at : at + _MAX_TOKEN])


def _joins(text: str, at: int) -> bool:
    before, mark, after = text[at - 1], text[at], text[at + 1]
    letters = before.isalpha() and after.isalpha() and before.isascii() and after.isascii()
    return (letters and mark in ".'") or (before.isdigit() and after.isdigit() and mark in ".,")


def _stem(word: str) -> str:
    for ending, instead in (("ies", "i"), ("ing", ""), ("ed", ""), ("s", ""), ("y", "i")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + instead
    return word


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def matching_names(names: Mapping[str, object], pattern: str) -> list[str]:
    return [name for name in sorted(names) if fnmatch.fnmatchcase(name, pattern)]
