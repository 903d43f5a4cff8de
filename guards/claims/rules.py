"""The rules by which words of a text become claims: a table, the first matching row of a word wins.

Add a row (and its examples, which a test runs) to recognise a new kind. A rule sees one word of the folded text,
after points in time and paths have been taken out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from guards.claims import names
from guards.claims.catalogued import is_meant
from guards.claims.claim import Certainty, Claim, ClaimKind
from guards.claims.folding import fold_case
from guards.claims.numbers import read_number
from guards.claims.vocabulary import Vocabulary

Token = re.Match[str]


@dataclass(frozen=True)
class Reading:
    """One folded text while it is read."""

    text: str
    vocabulary: Vocabulary


@dataclass(frozen=True)
class ClaimRule:
    """One way in which a word claims something."""

    name: str
    explanation: str
    """Why such a word must come from evidence."""
    examples: tuple[tuple[str, str], ...]
    """(sentence, the words of it that this rule finds); the second is empty where it must find nothing."""
    read: Callable[[Reading, Token], Claim | None]


def _name_if(
    rule: str,
    is_such: Callable[[str], bool],
    *,
    happened: bool = True,
    certainty: Certainty = Certainty.SURE,
) -> Callable[[Reading, Token], Claim | None]:
    def read(_: Reading, token: Token) -> Claim | None:
        if not is_such(token.group()):
            return None
        span = token.span()
        return Claim(ClaimKind.NAME, rule, token.group(), *span, happened=happened, certainty=certainty)

    return read


def _number(reading: Reading, token: Token) -> Claim | None:
    number = read_number(reading.text, token)
    if number is None:
        return None
    words = reading.text[token.start() : number.end]
    return Claim(ClaimKind.NUMBER, "number", words, token.start(), number.end, number.readings)


def _catalogued(reading: Reading, token: Token) -> Claim | None:
    """A name of the catalogue: one that is no ordinary word, or an ordinary one used as a name."""
    word = fold_case(token.group())
    if word not in reading.vocabulary.terms:
        return None
    meant = is_meant(reading.text, *token.span(), reading.vocabulary)
    return Claim(ClaimKind.NAME, "catalogued name", token.group(), *token.span()) if meant else None


_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]*")
"""Most words: no rule but that of the catalogue can find anything in them."""
RULES: tuple[ClaimRule, ...] = (
    ClaimRule(
        "number",
        "A count, share, duration or size is a measurement; only evidence or a derived value can give it.",
        (
            ("it took 4213 ms", "4213 ms"),
            ("reached 92% of the pool", "92%"),
            ("共 812 次超时", "812 次"),
            ("耗时约 1.2万毫秒", "1.2万"),
            ("about 1m30s", "1m30s"),
            ("many 503s", "503s"),
            ("pool exhausted", ""),
        ),
        _number,
    ),
    ClaimRule(
        "catalogued name",
        "A configured source, service, table or metric: swapping it for another one changes who is blamed.",
        (
            ("the inventory service failed", "inventory"),
            ("errors of payment-api", "payment-api"),
            ("inventory was low", ""),
        ),
        _catalogued,
    ),
    ClaimRule(
        "status class",
        "A class of HTTP statuses holds only if a status of that class was seen.",
        (("a burst of 5xx", "5xx"),),
        _name_if("status class", names.is_http_class),
    ),
    ClaimRule(
        "identifier",
        "A word with digits names one thing: an instance, an address, a version, an error code.",
        (("HikariPool-1 is full", "HikariPool-1"), ("ORA-12519 on 10.0.3.17", "ORA-12519"), ("pool is full", "")),
        _name_if("identifier", names.has_digit),
    ),
    ClaimRule(
        "code",
        "A word in capitals is a code that a program printed.",
        (("status DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"), ("ECONNREFUSED again", "ECONNREFUSED"), ("the API", "")),
        _name_if("code", names.is_code),
    ),
    ClaimRule(
        "fault class",
        "An exception class says which fault happened.",
        (("java.net.SocketTimeoutException", "java.net.SocketTimeoutException"), ("an Error", "")),
        _name_if("fault class", names.is_fault),
    ),
    ClaimRule(
        "service or host",
        "A hyphenated word that ends like a service says who was involved.",
        (("order-router-svc failed", "order-router-svc"), ("a cross-service call", ""), ("end-to-end", "")),
        _name_if("service or host", names.is_service_like),
    ),
    ClaimRule(
        "dotted name",
        "A host name, a package or a table column.",
        (("orders.total", "orders.total"), ("e.g. this", ""), ("it failed.The pool", "")),
        _name_if("dotted name", names.is_dotted),
    ),
    ClaimRule(
        "joined name",
        "A setting, column or class; a measure of it (``_gb``) carries it too, because it names no occurrence.",
        (("raise maxLifetime", "maxLifetime"), ("max_connections", "max_connections"), ("raise it", "")),
        _name_if("joined name", names.is_joined, happened=False),
    ),
    ClaimRule(
        "hyphenated word",
        "Mostly ordinary; a claim only where a known name is one edit away.",
        (("paymant-edge", "paymant-edge"), ("pool", "")),
        _name_if("hyphenated word", names.is_hyphenated, certainty=Certainty.IF_NEAR),
    ),
)
"""In order of precedence. Times and paths are taken out before (see ``guards.claims.extract``)."""


def read_token(reading: Reading, token: Token) -> Claim | None:
    """The claim of one word, or None if it claims nothing."""
    word = token.group()
    is_plain = _PLAIN_WORD.fullmatch(word) and word.lower() not in reading.vocabulary.terms
    if is_plain or names.is_ordinary(word):
        return None
    return next((claim for rule in RULES if (claim := rule.read(reading, token))), None)
