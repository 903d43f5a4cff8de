"""Asks PostgreSQL what the account may do beyond reading, through every role it could take on. Only reads."""

from tools.sql.session import Session
from tools.sql.write_rights import MAX_FINDINGS, Finding, Right

_ME = """
WITH me AS (SELECT oid, rolname, quote_ident(rolname) AS name FROM pg_catalog.pg_roles
  WHERE pg_has_role(current_user, oid, 'MEMBER'))
"""
_OURS = "!~ '^(pg_catalog|information_schema|pg_toast|pg_temp_.*|pg_toast_temp_.*)$'"

_ATTRIBUTES = """
SELECT attribute || ' of the role ' || rolname, format('ALTER ROLE %I NO%s', rolname, attribute)
FROM pg_catalog.pg_roles CROSS JOIN LATERAL (VALUES ('SUPERUSER', rolsuper), ('CREATEROLE', rolcreaterole),
  ('CREATEDB', rolcreatedb), ('REPLICATION', rolreplication), ('BYPASSRLS', rolbypassrls)) AS held (attribute, has)
WHERE has AND (rolname = current_user OR pg_has_role(current_user, oid, 'MEMBER')
  AND NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user))
"""
# Roles of the server that only read; one it will have in future counts as doing more until it is listed here.
_MEMBERSHIPS = """
SELECT rolname, format('REVOKE %I FROM %I', rolname, current_user) FROM me
WHERE rolname ~ '^pg_' AND rolname NOT IN
  ('pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables', 'pg_read_all_data')
"""
_OWNERSHIPS = """
SELECT CASE WHEN d.dbid IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
    THEN pg_describe_object(d.classid, d.objid, d.objsubid) ELSE 'objects in another database' END,
  format('REASSIGN OWNED BY %I TO postgres', me.rolname)
FROM pg_catalog.pg_shdepend d JOIN me ON me.oid = d.refobjid
WHERE d.refclassid = 'pg_catalog.pg_authid'::regclass AND d.deptype = 'o'
"""
_TABLES = f"""
SELECT privilege || ' on ' || n.nspname || '.' || c.relname,
  format('REVOKE %s ON %I.%I FROM %s', privilege, n.nspname, c.relname, CASE WHEN EXISTS (
    SELECT FROM aclexplode(c.relacl) x WHERE x.grantee = 0 AND x.privilege_type = privilege)
    THEN 'PUBLIC, ' || me.name ELSE me.name END)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN me CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname {_OURS} AND c.relowner <> me.oid
  AND (has_table_privilege(me.oid, c.oid, privilege) OR (privilege IN ('INSERT', 'UPDATE', 'REFERENCES')
    AND has_any_column_privilege(me.oid, c.oid, privilege)))
"""
_SEQUENCES = f"""
SELECT privilege || ' on the sequence ' || n.nspname || '.' || c.relname,
  format('REVOKE %s ON SEQUENCE %I.%I FROM %s', privilege, n.nspname, c.relname, CASE WHEN EXISTS (
    SELECT FROM aclexplode(c.relacl) x WHERE x.grantee = 0 AND x.privilege_type = privilege)
    THEN 'PUBLIC, ' || me.name ELSE me.name END)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN me CROSS JOIN unnest(ARRAY['USAGE', 'UPDATE']) privilege
WHERE c.relkind = 'S' AND n.nspname {_OURS} AND c.relowner <> me.oid
  AND has_sequence_privilege(me.oid, c.oid, privilege)
"""
_SCHEMAS = """
SELECT 'CREATE on the schema ' || n.nspname, format('REVOKE CREATE ON SCHEMA %I FROM %s', n.nspname,
  CASE WHEN EXISTS (SELECT FROM aclexplode(n.nspacl) x WHERE x.grantee = 0 AND x.privilege_type = 'CREATE')
    THEN 'PUBLIC, ' || me.name ELSE me.name END)
FROM pg_catalog.pg_namespace n CROSS JOIN me
WHERE n.nspowner <> me.oid AND has_schema_privilege(me.oid, n.oid, 'CREATE')
"""
_DATABASES = """
SELECT privilege || ' on the database ' || d.datname, format('REVOKE %s ON DATABASE %I FROM %s', privilege, d.datname,
  CASE WHEN d.datacl IS NULL OR EXISTS (SELECT FROM aclexplode(d.datacl) x
    WHERE x.grantee = 0 AND x.privilege_type = privilege) THEN 'PUBLIC, ' || me.name ELSE me.name END)
FROM pg_catalog.pg_database d CROSS JOIN me CROSS JOIN unnest(ARRAY['CREATE', 'TEMPORARY']) privilege
WHERE d.datname = current_database() AND d.datdba <> me.oid AND has_database_privilege(me.oid, d.oid, privilege)
"""
# Those that write although the transaction is read-only, act outside it, or run with the rights of somebody else.
_FUNCTIONS = f"""
SELECT p.oid::regprocedure::text, format('REVOKE EXECUTE ON FUNCTION %s FROM %s', p.oid::regprocedure,
  CASE WHEN p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) x WHERE x.grantee = 0)
    THEN 'PUBLIC, ' || me.name ELSE me.name END)
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang CROSS JOIN me
WHERE has_function_privilege(me.oid, p.oid, 'EXECUTE') AND (
  p.proname ~ '^(lo_(creat|create|from_bytea|import|export|put|unlink|open|truncate|truncate64)|lowrite|lo_write)$'
  OR p.proname ~ '^(dblink.*|pg_file_.*|pg_read_file|pg_read_binary_file|pg_ls_dir|pg_stat_file|pg_current_logfile_.*)$'
  OR p.proname ~ '^pg_(reload_conf|rotate_logfile|promote|switch_wal|create_restore_point|wal_replay_(pause|resume))$'
  OR p.proname ~ '^pg_(backup_(start|stop)|start_backup|stop_backup|logical_emit_message|stat_reset.*)$'
  OR p.proname ~ '^pg_replication_origin_.*$'
  OR (n.nspname {_OURS} AND (p.prosecdef AND p.proowner <> me.oid
    OR NOT l.lanpltrusted AND l.lanname NOT IN ('c', 'internal', 'sql'))))
"""
_TABLESPACES = """
SELECT 'CREATE on the tablespace ' || t.spcname, format('REVOKE CREATE ON TABLESPACE %I FROM %s', t.spcname, me.name)
FROM pg_catalog.pg_tablespace t CROSS JOIN me
WHERE t.spcowner <> me.oid AND has_tablespace_privilege(me.oid, t.oid, 'CREATE')
"""
_PARAMETERS = """
SELECT privilege || ' on the parameter ' || p.parname,
  format('REVOKE %s ON PARAMETER %s FROM %s', privilege, p.parname, me.name)
FROM pg_catalog.pg_parameter_acl p CROSS JOIN me CROSS JOIN unnest(ARRAY['SET', 'ALTER SYSTEM']) privilege
WHERE has_parameter_privilege(me.oid, p.parname, privilege)
"""
_QUESTIONS = (
    (Right.MEMBERSHIP, _MEMBERSHIPS),
    (Right.OWNERSHIP, _OWNERSHIPS),
    (Right.TABLE, _TABLES),
    (Right.SEQUENCE, _SEQUENCES),
    (Right.SCHEMA, _SCHEMAS),
    (Right.DATABASE, _DATABASES),
    (Right.FUNCTION, _FUNCTIONS),
    (Right.TABLESPACE, _TABLESPACES),
)


def read_findings(session: Session) -> tuple[Finding, ...]:
    """Each right too many; empty if the account can only read. Of a superuser only that it is one."""
    found = _ask(session, Right.ROLE_ATTRIBUTE, _ATTRIBUTES)
    if any(finding.subject.startswith("SUPERUSER") for finding in found):
        return found
    for right, question in _QUESTIONS:
        found += _ask(session, right, _ME + question)
    ((version,),) = tuple(session.ask("SELECT current_setting('server_version_num')::int"))
    if isinstance(version, int) and version >= 150000:
        found += _ask(session, Right.PARAMETER, _ME + _PARAMETERS)
    return tuple(dict.fromkeys(found))


def _ask(session: Session, right: Right, question: str) -> tuple[Finding, ...]:
    rows = session.ask(f"{question} ORDER BY 1 LIMIT {MAX_FINDINGS}")
    return tuple(Finding(right, str(row[0])[:300], str(row[1])[:600]) for row in rows)
