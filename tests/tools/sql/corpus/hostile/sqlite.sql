Refused by SQLite's grammar, beside what `common.sql` holds.

=== statement NOT_READ_ONLY
PRAGMA query_only = OFF

PRAGMA query_only(0)

PRAGMA main.journal_mode = WAL

PRAGMA writable_schema = ON

PRAGMA table_info(orders)

PRAGMA table_xinfo('orders')

PRAGMA database_list

PRAGMA temp_store_directory = '/tmp'

PRAGMA mmap_size = 268435456

PRAGMA user_version = 7

PRAGMA wal_checkpoint(TRUNCATE)

PRAGMA optimize

PRAGMA case_sensitive_like = ON

PRAGMA trusted_schema = 1

PRAGMA hard_heap_limit = 1

PRAGMA foreign_keys

ATTACH DATABASE '/tmp/evil.db' AS evil

ATTACH ':memory:' AS m

ATTACH 'file:/etc/passwd?mode=ro' AS p

ATTACH DATABASE '' AS t

DETACH DATABASE main

VACUUM INTO '/tmp/copy.db'

VACUUM main

REINDEX

REINDEX NOCASE

ANALYZE sqlite_master

CREATE VIRTUAL TABLE f USING fts5(a)

CREATE VIRTUAL TABLE d USING dbstat

CREATE TABLE temp.t (a)

CREATE TABLE sqlite_x (a)

CREATE TRIGGER t INSTEAD OF UPDATE ON orders BEGIN DELETE FROM customers; END

DROP TRIGGER IF EXISTS t

ALTER TABLE orders RENAME COLUMN status TO s

UPDATE sqlite_master SET sql = 'x'

UPDATE OR ROLLBACK orders SET status = 'x'

UPDATE orders SET status = 'x' FROM customers RETURNING id

DELETE FROM orders RETURNING email

DELETE FROM orders ORDER BY id LIMIT 1

INSERT OR ABORT INTO orders (id) VALUES (1)

INSERT INTO orders (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET status = excluded.status

BEGIN EXCLUSIVE

BEGIN DEFERRED TRANSACTION

END TRANSACTION

EXPLAIN QUERY PLAN SELECT id FROM orders

.tables

.read /etc/passwd

.shell id

.load ./evil

.output /tmp/x

=== schema-table INVALID_REQUEST
SELECT sql FROM sqlite_master

SELECT sql FROM main.sqlite_master

SELECT sql FROM "sqlite_master"

SELECT sql FROM [sqlite_schema]

SELECT sql FROM `sqlite_temp_schema`

SELECT name FROM temp.sqlite_master

SELECT seq FROM sqlite_sequence

SELECT stat FROM sqlite_stat1

SELECT name FROM dbstat

SELECT data FROM sqlite_dbpage

SELECT sql FROM sqlite_stmt

SELECT name FROM bytecode

SELECT name FROM pragma_table_info

SELECT name FROM pragma_table_info('orders')

SELECT file FROM pragma_database_list

SELECT name FROM pragma_function_list

SELECT name FROM pragma_module_list()

SELECT compile_options FROM pragma_compile_options

SELECT o.id FROM orders o JOIN pragma_table_info('orders') p ON p.cid = o.id

SELECT value FROM json_each('[1,2]')

SELECT atom FROM json_tree('{}')

SELECT value FROM generate_series(1, 1000000000)

SELECT id FROM temp.orders

SELECT id FROM orders AS sqlite_master WHERE sqlite_master.sql = 'x'

SELECT data FROM fsdir('/')

SELECT data FROM readfile('/etc/passwd')

SELECT data FROM zipfile('/tmp/x.zip')

SELECT id FROM csv

SELECT rank FROM orders_fts

=== hidden-column INVALID_REQUEST
SELECT ROWID FROM orders

SELECT "rowid" FROM orders

SELECT _ROWID_ FROM orders

SELECT [oid] FROM orders

SELECT id FROM orders WHERE rowid = 1

SELECT id FROM orders ORDER BY rowid

SELECT COUNT(rowid) FROM orders

SELECT "forged" FROM orders

SELECT "PAID" FROM orders

SELECT id FROM orders WHERE status = "PAID"

SELECT id FROM orders WHERE "1" = "1"

SELECT `x` FROM orders

SELECT [id], [x y] FROM orders

SELECT "i""d" FROM orders

SELECT "" FROM orders

SELECT id FROM ""

SELECT [] FROM orders

SELECT "id"";" FROM orders

SELECT [id]]] FROM orders

SELECT `i``d` FROM orders

SELECT "e" || "mail" FROM orders

SELECT 'email' FROM orders

SELECT id FROM orders WHERE 'email' LIKE 'a%'

=== function INVALID_REQUEST
SELECT load_extension('evil') FROM orders

SELECT load_extension('/tmp/evil.so', 'entry') FROM orders

SELECT readfile('/etc/passwd') FROM orders

SELECT writefile('/tmp/x', note) FROM orders

SELECT edit(note, 'vi') FROM orders

SELECT fts3_tokenizer('x', x'41') FROM orders

SELECT randomblob(1000000000) FROM orders

SELECT zeroblob(2000000000) FROM orders

SELECT hex(zeroblob(500000000)) FROM orders

SELECT printf('%.*c', 1000000000, 'x') FROM orders

SELECT format('%9999999999d', 1) FROM orders

SELECT replace(hex(zeroblob(9999)), '0', hex(zeroblob(9999))) FROM orders

SELECT changes() FROM orders

SELECT last_insert_rowid() FROM orders

SELECT total_changes() FROM orders

SELECT sqlite_source_id() FROM orders

SELECT sqlite_compileoption_get(0) FROM orders

SELECT sqlite_offset(id) FROM orders

SELECT sqlite_log(1, 'x') FROM orders

SELECT likely(id) FROM orders

SELECT typeof(email) FROM orders

SELECT quote(email) FROM orders

SELECT unicode(email) FROM orders

SELECT instr(email, 'a') FROM orders

SELECT glob('*', note) FROM orders

SELECT like('a%', email) FROM orders

SELECT like(note, note, '\') FROM orders

SELECT json_extract(note, '$.a') FROM orders

SELECT json_group_array(email) FROM orders

SELECT group_concat(email, ',' ORDER BY id) FROM orders

SELECT string_agg(email, ',') FROM orders

SELECT strftime('%s', 'now') FROM orders

SELECT datetime('now', 'localtime') FROM orders

SELECT julianday(created_at) FROM orders

SELECT unixepoch() FROM orders

SELECT iif(email > 'a', 1, 0) FROM orders

SELECT max(id, 2) FROM orders

SELECT min('x', email) FROM orders

SELECT median(total) FROM orders

SELECT percentile(total, 50) FROM orders

SELECT raise(IGNORE) FROM orders

SELECT id FROM orders WHERE abs(id) = 1

SELECT id FROM orders WHERE id = abs(-9223372036854775808)

SELECT id FROM orders WHERE note = char(39)

SELECT id FROM orders WHERE note IN (char(65))

SELECT id FROM orders ORDER BY random()

SELECT id FROM orders LIMIT abs(5)

SELECT id FROM orders LIMIT CAST(5 AS INTEGER)

=== operator INVALID_REQUEST
SELECT id FROM orders WHERE note GLOB '[a-z]*'

SELECT id FROM orders WHERE note NOT GLOB '*'

SELECT id FROM orders WHERE note REGEXP '(a+)+$'

SELECT id FROM orders WHERE note NOT MATCH 'x'

SELECT id FROM orders WHERE orders MATCH 'x'

SELECT id FROM orders WHERE id IS 1

SELECT id FROM orders WHERE id IS NOT 1

SELECT id FROM orders WHERE id IS id

SELECT id FROM orders WHERE note -> '$' = 'x'

SELECT note ->> 'a' ->> 'b' FROM orders

SELECT id FROM orders WHERE id IN customers

SELECT id FROM orders WHERE id IN main.customers

SELECT id FROM orders WHERE id NOT IN hidden_audit

SELECT id FROM orders WHERE id IN pragma_table_info('orders')

SELECT id FROM orders WHERE note COLLATE BINARY = 'x'

SELECT id FROM orders ORDER BY note COLLATE RTRIM DESC

SELECT id FROM orders ORDER BY note NULLS LAST

SELECT id FROM orders ORDER BY note DESC NULLS FIRST

SELECT id FROM orders WHERE note LIKE 'a!%' ESCAPE '!'

SELECT id FROM orders WHERE note LIKE x'25'

SELECT id FROM orders WHERE note = x'41'

SELECT id FROM orders WHERE note = X'4G'

SELECT id FROM orders WHERE note = x''

SELECT id FROM orders WHERE id = 0x7fffffffffffffffff

SELECT id FROM orders WHERE (id, note) = (1, 'x')

SELECT id FROM orders WHERE (id, note) IN (VALUES (1, 'x'))

SELECT id FROM orders WHERE id BETWEEN 1 AND 2 BETWEEN 0 AND 1

SELECT id FROM orders WHERE id NOT BETWEEN SYMMETRIC 2 AND 1

SELECT id FROM orders WHERE id = ~1

SELECT id FROM orders WHERE note ISNULL ISNULL

SELECT id FROM orders WHERE id = ?001

SELECT id FROM orders WHERE id = $id::x(y)

SELECT id FROM orders WHERE id = :a AND id = :b

SELECT id FROM orders WHERE id = #1

SELECT id FROM orders WHERE created_at > '2026-03-01 10:00:00'

SELECT id FROM orders WHERE created_at = '2026-03-01'

SELECT id FROM orders WHERE created_at > 1772359200

SELECT id FROM orders WHERE created_at > 'now'

SELECT id FROM orders WHERE created_at IN ('2026-03-01')

SELECT id FROM orders WHERE total = 'a lot'

=== table INVALID_REQUEST
SELECT id FROM orders INDEXED BY sqlite_autoindex_orders_1

SELECT o.id FROM orders o NOT INDEXED

SELECT id FROM orders AS o INDEXED BY i

SELECT id FROM main.main.orders

SELECT id FROM 'main'.'nope'

SELECT id FROM orders o, orders p

SELECT o.id FROM orders o LEFT NATURAL JOIN customers c

SELECT o.id FROM orders o NATURAL INNER JOIN customers c

SELECT o.id FROM orders o CROSS JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o LEFT CROSS JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o RIGHT OUTER JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o FULL OUTER JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o, customers c ON o.customer_id = c.id

SELECT o.id FROM orders o JOIN customers c ON o.customer_id == c.id OR 1

SELECT o.id FROM orders o JOIN customers c ON o.customer_id IS c.id

SELECT o.id FROM orders o JOIN main.hidden_audit h ON h.id = o.id

SELECT id FROM (VALUES (1))

SELECT column1 FROM (VALUES (1))

SELECT id FROM orders LIMIT -1 OFFSET 0

SELECT id FROM orders LIMIT 5, 100

SELECT id FROM orders LIMIT ?1

SELECT id FROM orders LIMIT 1 LIMIT 2

SELECT id FROM orders ORDER BY id LIMIT 1 RETURNING id

SELECT id FROM orders WINDOW w AS (PARTITION BY email)

SELECT count(*) FILTER (WHERE email LIKE 'a%') FROM orders

SELECT id FROM orders WHERE id = 1 -- ⟦U+000A⟧

SELECT id FROM orders /* unterminated is legal here

=== literal INVALID_REQUEST
SELECT id FROM orders WHERE note = 'a\' OR 1 = 1 --'

SELECT id FROM orders WHERE note = 'a\'' AND id = 1

SELECT id FROM orders WHERE note = "a" OR "b"

SELECT id FROM orders WHERE note = N'x'

SELECT id FROM orders WHERE note = E'\x41'

SELECT id FROM orders WHERE note = q'[x]'

SELECT id FROM orders WHERE note = $$x$$

SELECT id FROM orders WHERE note = _utf8'x'

SELECT id FROM orders WHERE note = U&'\0041'

SELECT id FROM orders WHERE note = b'01'

SELECT id FROM orders WHERE note = DATE '2026-01-01'

SELECT id FROM orders WHERE note = TRUE

SELECT id FROM orders WHERE id = CURRENT_TIME
