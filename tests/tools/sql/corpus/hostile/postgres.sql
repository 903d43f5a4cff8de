Refused by PostgreSQL's grammar, beside what `common.sql` holds.

=== statement NOT_READ_ONLY
COPY orders TO '/tmp/x'

COPY orders FROM '/etc/passwd'

COPY (SELECT who FROM app.hidden_audit) TO STDOUT

COPY app.orders (id) FROM STDIN

COPY orders TO PROGRAM 'id > /tmp/x'

COPY orders FROM PROGRAM 'id'

DO $$ BEGIN DELETE FROM app.orders; END $$

DO $$ BEGIN PERFORM pg_sleep(30); END $$

DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', false); UPDATE app.orders SET status = 'x'; END $$

DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(30); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$

DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '0', false); LOOP BEGIN PERFORM pg_sleep(30); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$

DO $$ BEGIN EXECUTE 'COPY app.orders TO PROGRAM ''id'''; END $$

DO LANGUAGE plpgsql $x$ BEGIN PERFORM pg_advisory_lock(7); END $x$

DO LANGUAGE plpython3u $$ import os $$

CALL pg_catalog.x()

LISTEN evil

NOTIFY evil, 'x'

UNLISTEN *

LOCK TABLE orders IN ACCESS EXCLUSIVE MODE

LOCK TABLE app.orders IN ACCESS SHARE MODE

LOCK orders NOWAIT

SET transaction_read_only = off

SET LOCAL statement_timeout = 0

SET SESSION AUTHORIZATION postgres

SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE

SET search_path = app

SET CONSTRAINTS ALL DEFERRED

SET TIME ZONE 'PST8PDT'

SET NAMES 'SQL_ASCII'

SET default_transaction_read_only = off

SET client_connection_check_interval = 0

RESET ALL

RESET SESSION AUTHORIZATION

DISCARD ALL

DISCARD TEMP

SHOW ALL

SHOW data_directory

LOAD 'auto_explain'

CHECKPOINT

CLUSTER app.orders

REFRESH MATERIALIZED VIEW x

REASSIGN OWNED BY rootproof TO postgres

DROP OWNED BY rootproof

SECURITY LABEL ON TABLE app.orders IS 'x'

IMPORT FOREIGN SCHEMA x FROM SERVER y INTO z

CREATE EXTENSION dblink

CREATE EXTENSION IF NOT EXISTS file_fdw

CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'

CREATE OR REPLACE FUNCTION app.f() RETURNS int LANGUAGE c AS '/lib/x.so', 'f'

CREATE AGGREGATE app.a (int) (SFUNC = int4pl, STYPE = int)

CREATE OPERATOR app.+ (LEFTARG = int, FUNCTION = int4um)

CREATE CAST (text AS int) WITH INOUT

CREATE RULE r AS ON SELECT TO app.orders DO INSTEAD SELECT 1

CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION f()

CREATE PUBLICATION p FOR ALL TABLES

CREATE SUBSCRIPTION s CONNECTION 'host=evil' PUBLICATION p

CREATE SERVER s FOREIGN DATA WRAPPER dblink_fdw

CREATE MATERIALIZED VIEW app.m AS SELECT 1

CREATE SEQUENCE app.s

CREATE TEMP SEQUENCE s

CREATE TYPE app.t AS (a int)

CREATE DOMAIN app.d AS int

CREATE STATISTICS app.st ON id, status FROM app.orders

CREATE TABLESPACE t LOCATION '/tmp'

CREATE UNLOGGED TABLE app.u (a int)

CREATE LOCAL TEMP TABLE t (a int) ON COMMIT PRESERVE ROWS

CREATE TABLE pg_temp.t (a int)

CREATE SCHEMA evil CREATE TABLE t (a int)

ALTER SYSTEM SET shared_preload_libraries = 'x'

ALTER ROLE rootproof PASSWORD 'x'

ALTER ROLE rootproof SET statement_timeout = 0

ALTER ROLE CURRENT_USER SUPERUSER

ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC

ALTER DATABASE shop SET default_transaction_read_only = off

ALTER TABLE app.orders DISABLE ROW LEVEL SECURITY

ALTER SEQUENCE app.counter RESTART

ALTER FUNCTION pg_catalog.pg_sleep(float8) OWNER TO rootproof

ALTER LARGE OBJECT 1 OWNER TO rootproof

COMMENT ON COLUMN app.orders.id IS 'x'

GRANT pg_read_all_data TO rootproof

GRANT pg_execute_server_program TO CURRENT_USER

REVOKE ALL ON app.orders FROM rootproof

PREPARE s (int) AS SELECT $1

PREPARE d AS DELETE FROM app.orders

EXECUTE s (1)

DEALLOCATE s

DECLARE c CURSOR WITH HOLD FOR SELECT id FROM app.orders

DECLARE c BINARY CURSOR FOR SELECT 1

FETCH ALL FROM c

MOVE 5 IN c

CLOSE ALL

START TRANSACTION ISOLATION LEVEL SERIALIZABLE READ WRITE

BEGIN ISOLATION LEVEL REPEATABLE READ, READ WRITE

COMMIT PREPARED 'x'

ROLLBACK PREPARED 'x'

SET TRANSACTION SNAPSHOT '00000003-0000001B-1'

EXPLAIN (ANALYZE, BUFFERS) SELECT id FROM orders

EXPLAIN (ANALYZE) CREATE TABLE app.t AS SELECT 1

EXPLAIN VERBOSE DELETE FROM app.orders

ANALYZE VERBOSE app.orders

VACUUM (FULL, FREEZE) app.orders

REINDEX DATABASE shop

INSERT INTO app.orders (id) VALUES (77) RETURNING email

INSERT INTO app.orders AS o (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET status = o.email

UPDATE ONLY app.orders SET status = 'x' RETURNING *

DELETE FROM ONLY app.orders USING app.customers c WHERE c.id = 1

MERGE INTO app.orders o USING app.customers c ON c.id = o.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1)

TRUNCATE app.orders RESTART IDENTITY CASCADE

TABLE app.hidden_audit

VALUES (1), (2)

=== with
WITH d AS (DELETE FROM app.orders RETURNING *) SELECT id FROM d

WITH u AS (UPDATE app.orders SET status = 'x' RETURNING id), i AS (INSERT INTO app.customers (id) SELECT id FROM u RETURNING id) SELECT id FROM i

WITH m AS MATERIALIZED (SELECT id FROM orders) SELECT id FROM m

WITH n AS NOT MATERIALIZED (SELECT pg_sleep(5)) SELECT id FROM orders

WITH RECURSIVE r(a) AS (SELECT 1 UNION SELECT a + 1 FROM r) SEARCH DEPTH FIRST BY a SET o SELECT a FROM r

WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a FROM r) CYCLE a SET c USING p SELECT a FROM r

WITH x AS (SELECT pg_terminate_backend(1)) SELECT id FROM orders

WITH x AS (MERGE INTO app.orders o USING app.customers c ON c.id = o.id WHEN MATCHED THEN DELETE RETURNING 1) SELECT id FROM orders

WITH x AS (COPY app.orders TO STDOUT) SELECT id FROM orders

=== lock NOT_READ_ONLY
SELECT id FROM orders FOR NO KEY UPDATE

SELECT id FROM orders FOR KEY SHARE

SELECT id FROM orders FOR UPDATE OF orders NOWAIT

SELECT id FROM orders FOR SHARE FOR UPDATE

SELECT id FROM orders LIMIT 1 FOR KEY SHARE SKIP LOCKED

=== into NOT_READ_ONLY
SELECT id INTO app.t FROM orders

SELECT id INTO pg_temp.t FROM orders

=== literal INVALID_REQUEST
SELECT id FROM orders WHERE note = E'x'

SELECT id FROM orders WHERE note = e'\x27 OR 1=1 --'

SELECT id FROM orders WHERE note = E'\''

SELECT id FROM orders WHERE note = E'\u0027'

SELECT id FROM orders WHERE note = E'\000'

SELECT id FROM orders WHERE note = U&'\0027'

SELECT id FROM orders WHERE note = U&'d!0061t' UESCAPE '!'

SELECT U&"\0069d" FROM orders

SELECT U&"e!006dail" UESCAPE '!' FROM orders

SELECT id FROM U&"hidden\005faudit"

SELECT id FROM orders WHERE note = $$x$$

SELECT id FROM orders WHERE note = $tag$x$tag$

SELECT id FROM orders WHERE note = $a$ $$ $a$

SELECT id FROM orders WHERE note = $$unterminated

SELECT id FROM orders WHERE note = $数$x$数$

SELECT id FROM orders WHERE note = B'101'

SELECT id FROM orders WHERE note = X'1F'

SELECT id FROM orders WHERE note = N'x'

SELECT id FROM orders WHERE note = 'a'
'b'

SELECT id FROM orders WHERE note = 'a\' OR 1 = 1 --'

SELECT id FROM orders WHERE note = 'a\'' OR 1 = 1

SELECT id FROM orders WHERE note = "x"

SELECT id FROM orders WHERE note = 'x'::text

SELECT id FROM orders WHERE note = text 'x'

SELECT id FROM orders WHERE id = int4 '1'

SELECT id FROM orders WHERE id = int '1' + 1

SELECT id FROM orders WHERE created_at > timestamptz 'now'

SELECT id FROM orders WHERE created_at > 'now'

SELECT id FROM orders WHERE created_at > 'yesterday'

SELECT id FROM orders WHERE created_at > '2026-03-01 10:00:00'

SELECT id FROM orders WHERE booked_on > '2026-03-01T10:00:00Z'

SELECT id FROM orders WHERE created_at > 1772359200

SELECT id FROM orders WHERE id = 0x1F

SELECT id FROM orders WHERE id = 0b11

SELECT id FROM orders WHERE id = 1_000

SELECT id FROM orders WHERE id = 'NaN'

SELECT id FROM orders WHERE total = 'Infinity'

SELECT id FROM orders WHERE id = 'x'

SELECT id FROM orders LIMIT 0x5

=== identifier INVALID_REQUEST
SELECT "ID" FROM orders

SELECT id FROM "ORDERS"

SELECT id FROM "Orders"

SELECT "entry" FROM "Ledger"

SELECT "id"" FROM orders

SELECT "i""d" FROM orders

SELECT "" FROM orders

SELECT "email" FROM orders ORDER BY "email"

SELECT "Email" FROM orders

SELECT id FROM app."orders;DROP"

SELECT id FROM "app.orders"

SELECT id FROM pg_catalog.pg_class

SELECT rolpassword FROM pg_authid

SELECT passwd FROM pg_shadow

SELECT setting FROM pg_settings

SELECT prosrc FROM pg_proc

SELECT lomid FROM pg_largeobject_metadata

SELECT relname FROM pg_catalog."pg_class"

SELECT id FROM pg_temp.orders

SELECT id FROM pg_toast.pg_toast_1

SELECT id FROM information_schema.columns

SELECT id FROM postgres.app.orders

SELECT (orders).id FROM orders

SELECT (o).* FROM orders o

SELECT (o).email FROM orders o

SELECT (o.*)::text FROM orders o

SELECT ROW(o.*) FROM orders o

SELECT o IS NULL FROM orders o

SELECT id FROM orders o WHERE o = o

SELECT ctid, xmin, cmax, tableoid FROM orders

SELECT id FROM orders WHERE ctid = '(0,1)'

SELECT "ctid" FROM orders

SELECT id AS "a"";--" FROM orders WHERE x = 1

SELECT id[1] FROM orders

SELECT note[1:2] FROM orders

SELECT `id` FROM orders

SELECT [id] FROM orders

SELECT id FROM orders WHERE $1

SELECT id FROM orders WHERE id = $0

SELECT id FROM orders WHERE id = $1$2

=== function INVALID_REQUEST
SELECT pg_sleep(10) FROM orders

SELECT pg_sleep_for('5 minutes') FROM orders

SELECT pg_sleep_until('tomorrow') FROM orders

SELECT id FROM orders WHERE pg_sleep(5) IS NULL

SELECT id FROM orders ORDER BY pg_sleep(5)

SELECT pg_read_file('/etc/passwd') FROM orders

SELECT pg_read_binary_file('pg_hba.conf') FROM orders

SELECT pg_ls_dir('.') FROM orders

SELECT pg_stat_file('postgresql.conf') FROM orders

SELECT lo_import('/etc/passwd') FROM orders

SELECT lo_export(1, '/tmp/x') FROM orders

SELECT lo_create(0) FROM orders

SELECT lo_from_bytea(0, 'x') FROM orders

SELECT lo_put(1, 0, 'x') FROM orders

SELECT lo_unlink(1) FROM orders

SELECT lowrite(lo_open(1, 131072), 'x') FROM orders

SELECT dblink('host=evil', 'select 1') FROM orders

SELECT dblink_exec('dbname=shop', 'DELETE FROM app.orders') FROM orders

SELECT nextval('app.counter') FROM orders

SELECT setval('app.counter', 1) FROM orders

SELECT currval('app.counter') FROM orders

SELECT lastval() FROM orders

SELECT set_config('transaction_read_only', 'off', false) FROM orders

SELECT current_setting('data_directory') FROM orders

SELECT pg_advisory_lock(1) FROM orders

SELECT pg_try_advisory_lock(1, 2) FROM orders

SELECT pg_advisory_xact_lock_shared(1) FROM orders

SELECT pg_advisory_unlock_all() FROM orders

SELECT pg_terminate_backend(1) FROM orders

SELECT pg_cancel_backend(1) FROM orders

SELECT pg_reload_conf() FROM orders

SELECT pg_rotate_logfile() FROM orders

SELECT pg_switch_wal() FROM orders

SELECT pg_create_restore_point('x') FROM orders

SELECT pg_logical_emit_message(true, 'x', 'y') FROM orders

SELECT pg_create_logical_replication_slot('x', 'pgoutput') FROM orders

SELECT pg_export_snapshot() FROM orders

SELECT txid_current() FROM orders

SELECT pg_current_xact_id() FROM orders

SELECT pg_notify('x', 'y') FROM orders

SELECT pg_stat_reset() FROM orders

SELECT pg_backup_start('x') FROM orders

SELECT pg_promote() FROM orders

SELECT pg_size_pretty(1) FROM orders

SELECT query_to_xml('DELETE FROM app.orders RETURNING 1', true, true, '') FROM orders

SELECT table_to_xml('app.hidden_audit', true, true, '') FROM orders

SELECT database_to_xml(true, true, '') FROM orders

SELECT cursor_to_xml('c', 1, true, true, '') FROM orders

SELECT ts_stat('SELECT 1') FROM orders

SELECT xpath('//x', '<x/>') FROM orders

SELECT XMLPARSE(DOCUMENT '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>') FROM orders

SELECT to_json(o) FROM orders o

SELECT row_to_json(o) FROM orders o

SELECT jsonb_agg(o) FROM orders o

SELECT array_agg(email) FROM orders

SELECT string_agg(email, ',' ORDER BY id) FROM orders

SELECT unnest(ARRAY[1, 2]) FROM orders

SELECT generate_series(1, 1000000000) FROM orders

SELECT regexp_matches(note, '(a+)+$') FROM orders

SELECT repeat('x', 1000000000) FROM orders

SELECT encode(email::bytea, 'hex') FROM orders

SELECT convert_from('\x41', 'UTF8') FROM orders

SELECT ascii(email) FROM orders

SELECT left(email, 1) FROM orders

SELECT position('a' IN email) FROM orders

SELECT overlay(note PLACING 'x' FROM 1) FROM orders

SELECT date_trunc('day', created_at) FROM orders

SELECT to_char(created_at, 'YYYY') FROM orders

SELECT age(created_at) FROM orders

SELECT clock_timestamp() FROM orders

SELECT current_database(), session_user FROM orders

SELECT current_schema FROM orders

SELECT inet_server_addr() FROM orders

SELECT has_table_privilege('app.orders', 'SELECT') FROM orders

SELECT to_regclass('app.hidden_audit') FROM orders

SELECT obj_description(1) FROM orders

SELECT pg_get_viewdef(1) FROM orders

SELECT gen_random_uuid() FROM orders

SELECT random() FROM orders

SELECT setseed(0.5) FROM orders

SELECT pg_catalog.count(id) FROM orders

SELECT app.max(id) FROM orders

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders

SELECT mode() WITHIN GROUP (ORDER BY email) FROM orders

SELECT count(*) FILTER (WHERE email LIKE 'a%') FROM orders

SELECT bool_or(email LIKE 'a%') FROM orders

SELECT max(email COLLATE "C") FROM orders

SELECT count(VARIADIC ARRAY[1]) FROM orders

SELECT max(id => 1) FROM orders

SELECT ARRAY(SELECT who FROM app.hidden_audit) FROM orders

SELECT GROUPING(status) FROM orders GROUP BY status

SELECT NULLIF(email, 'x') FROM orders

SELECT num_nulls(email) FROM orders

SELECT CAST(email AS int) FROM orders

SELECT hashtext(email) FROM orders

SELECT pg_column_size(email) FROM orders

=== operator INVALID_REQUEST
SELECT id FROM orders WHERE note ~ '^(a+)+$'

SELECT id FROM orders WHERE note ~* 'x'

SELECT id FROM orders WHERE note !~ 'x'

SELECT id FROM orders WHERE note ~~* 'x%'

SELECT id FROM orders WHERE note ^@ 'x'

SELECT id FROM orders WHERE note NOT ILIKE 'x'

SELECT id FROM orders WHERE note SIMILAR TO '(a|b)*'

SELECT id FROM orders WHERE note OPERATOR(pg_catalog.=) 'x'

SELECT id FROM orders WHERE id OPERATOR(pg_catalog.+) 1 = 2

SELECT id FROM orders WHERE note LIKE ANY (ARRAY['x'])

SELECT id FROM orders WHERE note LIKE ALL (ARRAY['x'])

SELECT id FROM orders WHERE id = ANY ('{1,2}')

SELECT id FROM orders WHERE id = ANY (ARRAY[1, 2])

SELECT id FROM orders WHERE id <> ALL (ARRAY[1, 2])

SELECT id FROM orders WHERE id = SOME (SELECT 1)

SELECT id FROM orders WHERE note @@ 'x'

SELECT id FROM orders WHERE note @> '{}'

SELECT id FROM orders WHERE note <@ '{}'

SELECT id FROM orders WHERE note && '{}'

SELECT id FROM orders WHERE note ? 'a'
⟦params⟧ ["x"]

SELECT id FROM orders WHERE note ?& '{a}'

SELECT id FROM orders WHERE note #> '{a}' IS NULL

SELECT id FROM orders WHERE note @? '$.a'

SELECT note #- '{a}' FROM orders

SELECT |/ id FROM orders

SELECT @ id FROM orders

SELECT id ! FROM orders

SELECT id ^ 2 FROM orders

SELECT id # 1 FROM orders

SELECT id FROM orders WHERE id IS OF (int)

SELECT id FROM orders WHERE note IS NORMALIZED

SELECT id FROM orders WHERE note IS DOCUMENT

SELECT id FROM orders WHERE note IS JSON

SELECT id FROM orders WHERE note IS NOT DISTINCT FROM NULL

SELECT id FROM orders WHERE id BETWEEN SYMMETRIC 5 AND 1

SELECT id FROM orders WHERE note NOTNULL NOTNULL

SELECT id FROM orders WHERE note COLLATE "C" < 'x'

SELECT id FROM orders WHERE created_at AT TIME ZONE 'UTC' > '2026-01-01'

SELECT id FROM orders WHERE created_at AT LOCAL > '2026-01-01'

SELECT id FROM orders WHERE (created_at, created_at) OVERLAPS (created_at, created_at)

SELECT id FROM orders WHERE ROW(id, note) < ROW(1, 'x')

SELECT id FROM orders WHERE (id, note) IN (VALUES (1, 'x'))

SELECT id FROM orders WHERE CURRENT OF c

=== clause INVALID_REQUEST
SELECT DISTINCT ON (status) status, id FROM orders

SELECT id FROM ONLY orders

SELECT id FROM ONLY app.orders AS o

SELECT id FROM orders TABLESAMPLE SYSTEM_ROWS (1)

SELECT o.id FROM orders AS o TABLESAMPLE BERNOULLI (50)

SELECT id FROM orders WITH ORDINALITY

SELECT id FROM ROWS FROM (generate_series(1, 2)) AS t (id)

SELECT id FROM generate_series(1, 5) WITH ORDINALITY AS t (id, n)

SELECT id FROM unnest(ARRAY[1]) id

SELECT x FROM json_to_recordset('[{"x":1}]') AS t (x int)

SELECT x FROM XMLTABLE('/' PASSING '<a/>' COLUMNS x int) t

SELECT id FROM pg_ls_dir('.') id

SELECT o.id FROM orders o, LATERAL (SELECT o.email) l

SELECT o.id FROM orders o CROSS JOIN LATERAL pg_sleep(5)

SELECT o.id FROM orders o LEFT JOIN LATERAL (SELECT 1) l ON true

SELECT o.id FROM orders o JOIN customers c USING (id) AS u

SELECT j.id FROM (orders o JOIN customers c ON o.customer_id = c.id) AS j

SELECT id FROM orders GROUP BY id WINDOW w AS (ORDER BY id)

SELECT status FROM orders GROUP BY DISTINCT ROLLUP (status)

SELECT status FROM orders GROUP BY GROUPING SETS (status, ())

SELECT status FROM orders GROUP BY status, ()

SELECT id FROM orders ORDER BY id USING <

SELECT id FROM orders ORDER BY id NULLS FIRST

SELECT id FROM orders ORDER BY id DESC NULLS LAST

SELECT id FROM orders LIMIT ALL

SELECT id FROM orders LIMIT NULL OFFSET NULL

SELECT id FROM orders OFFSET 1 ROW FETCH NEXT 5 ROWS ONLY

SELECT id FROM orders ORDER BY id FETCH FIRST 5 ROWS WITH TIES

SELECT id FROM orders FETCH FIRST ROW ONLY

SELECT id FROM orders LIMIT 5::int

SELECT id FROM orders LIMIT (5)

SELECT id FROM orders EXCEPT ALL SELECT id FROM customers

SELECT id FROM orders INTERSECT ALL TABLE customers

SELECT WHERE TRUE

SELECT id FROM orders *

SELECT id FROM orders ;; SELECT 1

SELECT id FROM orders /* nested /* comment */ is one here */

SELECT id FROM orders /* nested /* comment */

SELECT id FROM orders --⟦U+000D⟧, customers
