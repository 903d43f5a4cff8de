"""Asks MySQL or MariaDB what the account may do beyond reading, by its own list of grants."""

import re
from collections.abc import Iterator

from tools.sql.mysql_link import MySQLError
from tools.sql.session import Session
from tools.sql.write_rights import MAX_FINDINGS, Finding, Right

_READING = frozenset({"USAGE", "SELECT", "SHOW VIEW"})
_GRANT = re.compile(
    r"GRANT (?P<rights>.+?) ON (?P<object>(?:TABLE |FUNCTION |PROCEDURE |PACKAGE |PACKAGE BODY )?"
    r"(?:\*|`(?:[^`]|``)*`(?:@`(?:[^`]|``)*`)?|'[^']*'@'[^']*')(?:\.(?:\*|`(?:[^`]|``)+`))?)"
    r" TO (?P<who>\S+)(?P<rest>.*)",
    re.DOTALL,
)
_ROLE = re.compile(r"GRANT (?P<role>\S+) TO (?P<who>\S+)(?P<rest>.*)", re.DOTALL)
_DATABASE = re.compile(r"(?:TABLE )?`((?:[^`]|``)+)`")
_EFFECTIVE = """
SELECT DISTINCT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME), PRIVILEGES FROM information_schema.COLUMNS
WHERE PRIVILEGES LIKE '%insert%' OR PRIVILEGES LIKE '%update%' OR PRIVILEGES LIKE '%references%' ORDER BY 1 LIMIT 50
"""
_SYSTEM = frozenset({"information_schema", "performance_schema"})


def read_findings(session: Session) -> tuple[Finding, ...]:
    """Each right too many; empty if the account can only read. Roles count: what they may do can change."""
    grants = [str(row[0]) for row in session.ask("SHOW GRANTS")]
    grants += _grants_of_everybody(session)
    schemas = [str(row[0]) for row in session.ask("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA")]
    found = [finding for grant in grants for finding in findings_of(grant)]
    found += [_open_to_all(name) for name in schemas if not _is_granted(name, grants)]
    # Last, what the server itself says of each column: it counts every way to a right, known here or not.
    found += [_effective(str(row[0]), str(row[1])) for row in session.ask(_EFFECTIVE)] if not found else []
    return tuple(dict.fromkeys(found))[:MAX_FINDINGS]


def _grants_of_everybody(session: Session) -> list[str]:
    """MariaDB 10.11 knows grants to PUBLIC; every other server says that there is no such account."""
    try:
        return [str(row[0]) for row in session.ask("SHOW GRANTS FOR PUBLIC")]
    except MySQLError:
        return []


def findings_of(grant: str) -> Iterator[Finding]:
    """What a line of SHOW GRANTS gives beyond reading. Pure. A line that is not understood is a finding itself."""
    if not grant.startswith("GRANT "):
        return
    match = _GRANT.fullmatch(grant)
    if match is None:
        role = _ROLE.fullmatch(grant)
        name = role["role"] if role else "a right that this check does not know"
        who = role["who"] if role else "the account"
        yield Finding(Right.MEMBERSHIP, name[:300], f"REVOKE {name} FROM {who}"[:300])
        return
    for right in _split(match["rights"]):
        kind = right.partition("(")[0].strip().upper()
        if kind not in _READING or (kind == "USAGE" and "(" in right):
            yield _too_much(right, match["object"], match["who"])
    if "GRANT OPTION" in match["rest"]:
        yield _too_much("GRANT OPTION", match["object"], match["who"])


def _too_much(right: str, target: str, who: str) -> Finding:
    return Finding(Right.GRANT, f"{right} on {target}"[:300], f"REVOKE {right} ON {target} FROM {who}"[:600])


def _split(rights: str) -> list[str]:
    """Between commas that are in no brackets."""
    return [part.strip() for part in re.findall(r"(?:[^,(]|\([^)]*\))+", rights)]


def _is_granted(schema: str, grants: list[str]) -> bool:
    """True if some grant names the database; what is visible without one is open to everybody."""
    if schema.lower() in _SYSTEM:
        return True
    matches = (match for grant in grants if (match := _GRANT.fullmatch(grant)))
    return any(_covers(match["object"], schema) for match in matches if "SELECT" in match["rights"].upper())


def _covers(target: str, schema: str) -> bool:
    if target == "*.*":
        return True
    named = _DATABASE.match(target)
    if named is None:
        return False
    pattern = re.escape(named[1].replace("``", "`").replace("\\_", "\0")).replace("%", ".*").replace("_", ".")
    return re.fullmatch(pattern.replace("\0", "_"), schema, re.IGNORECASE) is not None


def _effective(table: str, rights: str) -> Finding:
    return Finding(Right.TABLE, f"{rights} on {table}"[:300], "SHOW GRANTS and mysql.db name the grant to revoke")


def _open_to_all(name: str) -> Finding:
    quoted = "`" + name.replace("`", "``") + "`"
    repair = f"DELETE FROM mysql.db WHERE User = '' AND '{name.replace(chr(39), '')}' LIKE Db; FLUSH PRIVILEGES"
    return Finding(Right.FOR_EVERYBODY, quoted[:300], repair[:600])
