Refused by every dialect. `=== category CODE` opens a category; cases are separated by blank lines (see reading.py).

=== stacked NOT_READ_ONLY
SELECT id FROM orders; DELETE FROM orders

SELECT id FROM orders;DELETE FROM orders;

SELECT id FROM orders ; ; UPDATE orders SET status = 'x'

SELECT id FROM orders WHERE status = 'a;b'; DROP TABLE customers

SELECT id FROM orders WHERE status = ';'; TRUNCATE TABLE orders

SELECT id FROM orders;
INSERT INTO orders (id) VALUES (77)

SELECT id FROM orders; COMMIT; INSERT INTO orders (id) VALUES (77)

SELECT id FROM orders; ROLLBACK; BEGIN; DELETE FROM orders; COMMIT

SELECT id FROM orders; SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM orders

DELETE FROM orders; SELECT id FROM orders

;DROP TABLE orders

;;;DELETE FROM orders

SELECT id FROM orders LIMIT 1; EXPLAIN DELETE FROM orders

SELECT id FROM orders LIMIT 1;⟦U+000A⟧⟦U+000A⟧DROP TABLE orders

=== stacked-reads INVALID_REQUEST
SELECT id FROM orders; SELECT id FROM customers

SELECT id FROM orders;;

SELECT id FROM orders; ;

;SELECT id FROM orders

SELECT id FROM orders; SELECT who FROM hidden_audit

SELECT id FROM orders;(SELECT who FROM hidden_audit)

SELECT id FROM orders; WITH x AS (SELECT 1) SELECT * FROM x

;

;;;

=== comment-line INVALID_REQUEST
SELECT id FROM orders --

SELECT id FROM orders -- DROP TABLE orders

SELECT id -- all of them
FROM orders

SELECT id FROM orders WHERE status = 'PAID' -- ' AND total > 5

-- SELECT
SELECT id FROM orders

SELECT id FROM orders ---

SELECT id FROM orders --⟦U+0009⟧x

SELECT id FROM orders WHERE id = 1 --⟦U+000A⟧OR id = 2

=== comment-block INVALID_REQUEST
SELECT id /**/ FROM orders

SELECT/**/id/**/FROM/**/orders

SELECT id FROM orders /* ; DELETE FROM orders */

SELECT id FROM orders /* outer /* inner */ still outer */

SELECT id FROM orders /* outer /* inner */ WHERE id = 1

/* first */ SELECT id FROM orders

SELECT id FROM orders WHERE status = 'x'/**/OR/**/id = 1

SELECT id FROM orders WHERE status = '/*' /* ' */

SELECT id /*! , email */ FROM orders

SELECT id /*!50000 , email */ FROM orders

SELECT /*!99999 who, */ id FROM orders

SELECT id FROM /*!orders*/ orders

SELECT /*M!100100 id */ id FROM orders

SELECT /*+ SET_VAR(max_execution_time=0) */ id FROM orders

SELECT /*+ FULL(orders) */ id FROM orders

SELECT id FROM orders /*/ */

SELECT id FROM orders /***/

SELECT id FROM ord/**/ers

=== comment-unterminated INVALID_REQUEST
SELECT id FROM orders /*

SELECT id FROM orders /* DELETE FROM orders

SELECT id FROM orders /*! DELETE FROM orders

SELECT id FROM orders WHERE status = 'a /* b' /*

SELECT id FROM orders /*/

SELECT id FROM orders */

=== quote-unterminated INVALID_REQUEST
SELECT id FROM orders WHERE status = 'PAID

SELECT id FROM orders WHERE status = 'PAID''

SELECT id FROM orders WHERE status = '''

SELECT id FROM "orders

SELECT "id FROM orders

SELECT id FROM orders WHERE status = 'PAID' AND note = '

=== literal-breakout NOT_READ_ONLY
SELECT id FROM orders WHERE status = 'x'; DELETE FROM orders WHERE status = 'y'

SELECT id FROM orders WHERE status = ''; DROP TABLE orders; SELECT ''

SELECT id FROM orders WHERE status = '''''; DROP TABLE orders; SELECT id FROM orders WHERE status = '''''; DROP TABLE orders

SELECT id FROM orders WHERE note LIKE '%'; DELETE FROM orders WHERE note LIKE '%'

=== literal-breakout-read INVALID_REQUEST
SELECT id FROM orders WHERE status = '' OR '1' = '1'

SELECT id FROM orders WHERE status = '' OR 1 = 1

SELECT id FROM orders WHERE status = 'x' UNION SELECT id FROM customers WHERE tier = 'y'

SELECT id FROM orders WHERE status = 'a' 'b'

SELECT id FROM orders WHERE status = 'a'
'b'

SELECT id FROM orders WHERE status = 'a'b'

SELECT id FROM orders WHERE status = 'a'||'b'

SELECT id FROM orders WHERE status = 'x' AND (SELECT 1) = 1

=== encoding-blank INVALID_REQUEST
SELECT⟦U+00A0⟧id FROM orders

SELECT id⟦U+3000⟧FROM orders

SELECT id FROM⟦U+2003⟧orders

SELECT⟦U+2028⟧id FROM orders

SELECT id FROM orders⟦U+2029⟧WHERE id = 1

SELECT id FROM orders⟦U+205F⟧

SELECT id⟦U+1680⟧FROM orders

SELECT id FROM orders WHERE id⟦U+202F⟧= 1

SELECT id⟦U+0085⟧FROM orders

SELECT id⟦U+000B⟧FROM orders

SELECT id⟦U+000C⟧FROM orders

SELECT id⟦U+001C⟧FROM orders

=== encoding-control INVALID_REQUEST
SELECT id FROM orders⟦U+0000⟧

SELECT id FROM ord⟦U+0000⟧ers

SELECT id FROM orders WHERE status = 'PA⟦U+0000⟧ID'

SELECT id FROM orders WHERE status = 'PA⟦U+0007⟧ID'

SELECT id FROM orders WHERE status = 'PA⟦U+001B⟧[31mID'

SELECT id FROM orders⟦U+001A⟧

SELECT id FROM orders⟦U+007F⟧

SELECT id FROM orders WHERE status = 'PA⟦U+009F⟧ID'

SELECT id FROM orders⟦U+0008⟧⟦U+0008⟧ WHERE id = 1

=== encoding-surrogate INVALID_REQUEST
SELECT id FROM orders WHERE status = '⟦U+D800⟧'

SELECT id FROM orders WHERE status = '⟦U+DFFF⟧⟦U+D800⟧'

SELECT id FROM orders⟦U+DC00⟧

SELECT "⟦U+D83D⟧" FROM orders

=== encoding-invisible INVALID_REQUEST
SELECT id FROM ord⟦U+200B⟧ers

SELECT id FROM orders⟦U+200B⟧

SELECT id⟦U+200D⟧ FROM orders

SELECT id FROM orders WHERE sta⟦U+00AD⟧tus = 'PAID'

SELECT ⟦U+202E⟧id FROM orders

SELECT id FROM orders WHERE ⟦U+2060⟧id = 1

SELECT i⟦U+0301⟧d FROM orders

SELECT id FROM ⟦U+E0001⟧orders

SELECT id FROM orders⟦U+FE0F⟧

=== encoding-homoglyph
SELECT id FROM оrders

SELECT іd FROM orders

SELECT id FROM ｏｒｄｅｒｓ

ＳＥＬＥＣＴ id FROM orders

SELECT id ＦＲＯＭ orders

SELECT id FROM orders WHERE status ＝ 'PAID'

SELECT id FROM orders WHERE status = ＇PAID＇

SELECT id FROM orders WHERE status = ‘PAID’

SELECT id FROM orders WHERE status = ʼPAIDʼ

SELECT id FROM orders；DELETE FROM orders

SELECT id FROM orders WHERE id ＞ 1

SELECT id FROM orders WHERE id = １

SELECT id FROM orders WHERE id = ١

SELECT id， status FROM orders

SELECT ＊ FROM orders

SELECT id FROM orders WHERE note = “x”

SELECT ıd FROM orders

SELECT id FROM orderſ

ſELECT id FROM orders

SELECT COUNT（id） FROM orders

SELECT id FROM orders LIMIT ５

SELECT id FROM orders LIMIT ²

SELECT id FROM orders WHERE id ≠ 1

SELECT id FROM orders WHERE id ≤ 1

SELECT id FROM orders WHERE emaıl = 'x'

SELECT EMAİL FROM orders

SELECT id FROM orders WHERE id = ①

=== encoding-escapes
SELECT id FROM orders%00

SELECT%20id%20FROM%20orders

SELECT id FROM orders WHERE status = %27PAID%27

SELECT id FROM orders %3B DELETE FROM orders

SELECT id FROM orders\u003b DELETE FROM orders

SELECT id FROM orders &#59; DELETE FROM orders

SELECT id FROM orders WHERE id = \x31

SELECT id FROM orders \g

SELECT id FROM orders \! id

\copy orders TO '/tmp/x'

\d orders

SELECT id FROM orders WHERE status = \'PAID\'

SELECT id FROM {{ orders }}

SELECT id FROM {% if x %} orders {% endif %}

SELECT id FROM orders {# hidden #}

SELECT id FROM ${orders}

SELECT id FROM orders WHERE id = ${id}

SELECT id FROM orders WHERE id = $(id)

SELECT id FROM `orders;

=== with INVALID_REQUEST
WITH x AS (SELECT id FROM orders) SELECT id FROM x

WITH x (a) AS (SELECT id FROM orders) SELECT a FROM x

WITH orders AS (SELECT who AS id FROM hidden_audit) SELECT id FROM orders

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT a.i FROM n a, n b) SELECT COUNT(*) FROM n

WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a), c AS (SELECT x FROM b) SELECT x FROM c

SELECT id FROM orders WHERE id IN (WITH x AS (SELECT 1 AS i) SELECT i FROM x)

SELECT id FROM (WITH x AS (SELECT id FROM orders) SELECT id FROM x) AS y

WITH x AS (SELECT id FROM orders), x AS (SELECT id FROM customers) SELECT id FROM x

WITH x AS (VALUES (1)) SELECT id FROM orders

=== with-writing
WITH x AS (SELECT 1 AS id) DELETE FROM orders WHERE id IN (SELECT id FROM x)

WITH x AS (SELECT 1 AS id) INSERT INTO orders (id) SELECT id FROM x

WITH x AS (SELECT 1 AS id) UPDATE orders SET status = 'x'

WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x

WITH x AS (INSERT INTO orders (id) VALUES (1) RETURNING id) SELECT id FROM x

WITH x AS (UPDATE orders SET status = 'x' RETURNING id) SELECT id FROM orders

=== subquery INVALID_REQUEST
SELECT id FROM (SELECT id FROM orders) AS s

SELECT id FROM (orders)

SELECT id FROM ((orders))

SELECT id FROM (orders) AS o

SELECT o.id FROM (orders o JOIN customers c ON o.customer_id = c.id)

SELECT o.id FROM (orders o)

SELECT (SELECT MAX(id) FROM orders) FROM customers

SELECT (SELECT who FROM hidden_audit) AS w FROM orders

SELECT id FROM orders WHERE id = (SELECT MAX(id) FROM orders)

SELECT id FROM orders WHERE id > ALL (SELECT id FROM customers)

SELECT id FROM orders WHERE id = ANY (SELECT id FROM customers)

SELECT id FROM orders WHERE id = SOME (SELECT id FROM customers)

SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM hidden_audit)

SELECT id FROM orders WHERE NOT EXISTS (SELECT 1 FROM hidden_audit)

SELECT id FROM orders WHERE id IN (SELECT id FROM hidden_audit)

SELECT id FROM orders WHERE id NOT IN (SELECT id FROM hidden_audit)

SELECT id FROM orders WHERE id IN ((SELECT 1))

SELECT id FROM orders WHERE (SELECT COUNT(*) FROM hidden_audit) > 0

SELECT id FROM orders WHERE id BETWEEN (SELECT 1) AND 5

SELECT id FROM orders WHERE id BETWEEN 1 AND (SELECT MAX(id) FROM customers)

SELECT id FROM orders WHERE note LIKE (SELECT who FROM hidden_audit)

SELECT id FROM orders WHERE (SELECT who FROM hidden_audit) IS NULL

SELECT status FROM orders GROUP BY (SELECT 1), status

SELECT status FROM orders GROUP BY status HAVING COUNT(*) > (SELECT 1)

SELECT id FROM orders ORDER BY (SELECT who FROM hidden_audit)

SELECT id FROM orders LIMIT (SELECT 5)

SELECT o.id FROM orders o JOIN customers c ON o.customer_id = (SELECT c.id)

SELECT o.id FROM orders o JOIN (SELECT id FROM customers) c ON o.customer_id = c.id

SELECT COUNT((SELECT 1)) FROM orders

SELECT MAX((SELECT who FROM hidden_audit)) FROM orders

(SELECT id FROM orders)

((SELECT id FROM orders))

(SELECT id FROM orders) LIMIT 5

(SELECT id FROM orders) ORDER BY id

=== set-operation INVALID_REQUEST
SELECT id FROM orders UNION SELECT id FROM hidden_audit

SELECT id FROM orders UNION ALL SELECT id FROM hidden_audit

SELECT id FROM orders UNION DISTINCT SELECT id FROM customers

SELECT id FROM orders INTERSECT SELECT id FROM customers

SELECT id FROM orders EXCEPT SELECT id FROM customers

SELECT id FROM orders MINUS SELECT id FROM customers

SELECT id FROM orders WHERE status = 'x' UNION SELECT who FROM hidden_audit ORDER BY 1

SELECT id FROM orders UNION (SELECT id FROM customers)

(SELECT id FROM orders) UNION (SELECT id FROM customers)

SELECT id FROM orders UNION VALUES (1)

SELECT id FROM orders UNION TABLE hidden_audit

SELECT id FROM orders UNION SELECT NULL FROM orders UNION SELECT who FROM hidden_audit

SELECT id FROM orders UNION ALL SELECT 1 WHERE 1 = 2

SELECT id FROM orders UNION

=== window INVALID_REQUEST
SELECT id, ROW_NUMBER() OVER () FROM orders

SELECT id, RANK() OVER (PARTITION BY status ORDER BY total) FROM orders

SELECT SUM(total) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM orders

SELECT COUNT(*) OVER w FROM orders WINDOW w AS (PARTITION BY status)

SELECT MAX(total) OVER w FROM orders WINDOW w AS (ORDER BY id)

SELECT id FROM orders WINDOW w AS (ORDER BY id)

SELECT LAG(email) OVER (ORDER BY id) FROM orders

SELECT id FROM orders ORDER BY COUNT(*) OVER ()

SELECT NTILE(4) OVER (ORDER BY total) AS q FROM orders

SELECT FIRST_VALUE(who) OVER () FROM hidden_audit

SELECT id FROM orders QUALIFY ROW_NUMBER() OVER () = 1

SELECT COUNT(*) FILTER (WHERE status = 'PAID') FROM orders

=== case INVALID_REQUEST
SELECT CASE WHEN id = 1 THEN status END FROM orders

SELECT CASE status WHEN 'PAID' THEN email ELSE note END FROM orders

SELECT id FROM orders WHERE CASE WHEN email LIKE 'a%' THEN 1 ELSE 0 END = 1

SELECT SUM(CASE WHEN status = 'PAID' THEN 1 ELSE 0 END) FROM orders

SELECT id FROM orders ORDER BY CASE WHEN api_key > 'k' THEN 1 END

SELECT status FROM orders GROUP BY CASE WHEN id = 1 THEN 1 END, status

SELECT status FROM orders GROUP BY status HAVING CASE WHEN COUNT(*) > 1 THEN TRUE END

SELECT id FROM orders WHERE id IN (CASE WHEN 1 = 1 THEN 1 END)

SELECT IF(id = 1, status, note) FROM orders

SELECT IIF(id = 1, status, note) FROM orders

SELECT NULLIF(status, 'PAID') FROM orders

SELECT COALESCE(note, email) FROM orders

SELECT IFNULL(note, email) FROM orders

SELECT DECODE(status, 'PAID', 1) FROM orders

=== function INVALID_REQUEST
SELECT UPPER(status) FROM orders

SELECT id FROM orders WHERE LOWER(status) = 'paid'

SELECT SUBSTR(email, 1, 1) FROM orders

SELECT SUBSTRING(email FROM 1 FOR 1) FROM orders

SELECT TRIM(BOTH ' ' FROM note) FROM orders

SELECT LENGTH(note) FROM orders

SELECT REPLACE(note, 'a', 'b') FROM orders

SELECT CONCAT(id, email) FROM orders

SELECT HEX(note) FROM orders

SELECT ABS(total) FROM orders

SELECT ROUND(total) FROM orders

SELECT ROUND(AVG(total), 2) FROM orders

SELECT COUNT(LOWER(status)) FROM orders

SELECT id FROM orders ORDER BY RANDOM()

SELECT CURRENT_USER FROM orders

SELECT CURRENT_DATE FROM orders

SELECT NOW() FROM orders

SELECT id FROM orders WHERE created_at > NOW()

SELECT id FROM orders WHERE created_at > CURRENT_TIMESTAMP

SELECT EXTRACT(YEAR FROM created_at) FROM orders

SELECT DATE(created_at) FROM orders

SELECT VERSION() FROM orders

SELECT DATABASE() FROM orders

SELECT sqlite_version() FROM orders

SELECT GROUP_CONCAT(email) FROM orders

SELECT STRING_AGG(email, ',') FROM orders

SELECT ARRAY_AGG(id) FROM orders

SELECT JSON_OBJECT('a', email) FROM orders

SELECT MAX(total, id) FROM orders

SELECT MIN(1) FROM orders

SELECT SUM(id) + 1 FROM orders

SELECT STDDEV(total) FROM orders

SELECT VARIANCE(total) FROM orders

SELECT TOTAL(total) FROM orders

SELECT no_such_function(id) FROM orders

SELECT count (DISTINCT id, status) FROM orders

SELECT COUNT(ALL id) FROM orders

SELECT COUNT(DISTINCT email) FROM orders

SELECT COUNT(orders.*) FROM orders

SELECT COUNT(*, *) FROM orders

SELECT SUM(DISTINCT total) FROM orders

SELECT AVG(DISTINCT total) FROM orders

SELECT MAX(DISTINCT total) FROM orders

SELECT COUNT(id ORDER BY id) FROM orders

SELECT SUM(status) FROM orders WHERE id = pg_sleep(9)

SELECT GREATEST(id, 5) FROM orders

SELECT app.count(id) FROM orders

SELECT COUNT(id = 1) FROM orders

SELECT COUNT(NULL) FROM orders

SELECT COUNT(?) FROM orders
⟦params⟧ [1]

=== star INVALID_REQUEST
SELECT * FROM orders

SELECT orders.* FROM orders

SELECT o.* FROM orders o

SELECT id, * FROM orders

SELECT *, id FROM orders

SELECT main.orders.* FROM orders

SELECT * FROM hidden_audit

SELECT ** FROM orders

SELECT * EXCEPT (email) FROM orders

SELECT * EXCLUDE (email) FROM orders

SELECT COUNT(DISTINCT *) FROM orders

SELECT id FROM orders GROUP BY *

SELECT id FROM orders ORDER BY *

=== dml NOT_READ_ONLY
INSERT INTO orders (id) VALUES (77)

INSERT INTO orders SELECT * FROM orders

INSERT INTO orders DEFAULT VALUES

INSERT OR REPLACE INTO orders (id) VALUES (1)

INSERT IGNORE INTO orders (id) VALUES (1)

INSERT INTO orders (id) VALUES (1) ON CONFLICT DO NOTHING

UPDATE orders SET status = 'x' WHERE id = 1

UPDATE orders SET status = (SELECT api_key FROM customers)

DELETE FROM orders WHERE id = 1

REPLACE INTO orders (id) VALUES (1)

MERGE INTO orders USING customers ON orders.id = customers.id WHEN MATCHED THEN DELETE

TRUNCATE orders

TRUNCATE TABLE orders CASCADE

  delete from orders

(DELETE FROM orders)

DeLeTe⟦U+000A⟧FrOm orders

=== ddl NOT_READ_ONLY
CREATE TABLE t (a INT)

CREATE TABLE t AS SELECT id FROM orders

CREATE TEMPORARY TABLE t (a INT)

CREATE TEMP TABLE t AS SELECT id FROM orders

CREATE VIEW v AS SELECT email FROM orders

CREATE TEMP VIEW v AS SELECT email FROM orders

CREATE INDEX i ON orders (status)

CREATE UNIQUE INDEX i ON orders (id)

CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END

CREATE FUNCTION f() RETURNS INT RETURN 1

CREATE SCHEMA s

CREATE DATABASE d

DROP TABLE orders

DROP TABLE IF EXISTS orders

DROP VIEW v

DROP INDEX i

DROP SCHEMA app CASCADE

DROP DATABASE shop

ALTER TABLE orders ADD COLUMN x INT

ALTER TABLE orders DROP COLUMN status

ALTER TABLE orders RENAME TO gone

RENAME TABLE orders TO gone

COMMENT ON TABLE orders IS 'x'

=== dcl NOT_READ_ONLY
GRANT ALL ON orders TO PUBLIC

GRANT SELECT ON hidden_audit TO rootproof

REVOKE SELECT ON orders FROM rootproof

CREATE USER evil IDENTIFIED BY 'x'

CREATE ROLE evil SUPERUSER

DROP USER rootproof

ALTER USER rootproof IDENTIFIED BY 'x'

SET ROLE postgres

SET PASSWORD = 'x'

=== tcl NOT_READ_ONLY
BEGIN

BEGIN TRANSACTION

BEGIN IMMEDIATE

START TRANSACTION READ WRITE

COMMIT

COMMIT AND CHAIN

END

ROLLBACK

ABORT

SAVEPOINT s

RELEASE SAVEPOINT s

ROLLBACK TO SAVEPOINT s

SET TRANSACTION READ WRITE

SET TRANSACTION ISOLATION LEVEL SERIALIZABLE

PREPARE TRANSACTION 'x'

=== utility NOT_READ_ONLY
EXPLAIN SELECT id FROM orders

EXPLAIN ANALYZE SELECT id FROM orders

EXPLAIN ANALYZE DELETE FROM orders

DESCRIBE orders

DESC orders

SHOW TABLES

ANALYZE

ANALYZE orders

ANALYZE TABLE orders

VACUUM

VACUUM FULL orders

REINDEX TABLE orders

PREPARE s AS SELECT 1

EXECUTE s

DEALLOCATE ALL

CALL f()

USE other

VALUES (1)

TABLE orders

FROM orders SELECT id

SELEC id FROM orders

SELECTid FROM orders

please list the orders

{"sql": "SELECT id FROM orders"}

```sql⟦U+000A⟧SELECT id FROM orders⟦U+000A⟧```

1

'SELECT id FROM orders'

=== into
SELECT id INTO t FROM orders

SELECT id INTO TEMP t FROM orders

SELECT id INTO TEMPORARY TABLE t FROM orders

SELECT id INTO UNLOGGED t FROM orders

SELECT id INTO @x FROM orders

SELECT id INTO OUTFILE '/tmp/x' FROM orders

SELECT id FROM orders INTO OUTFILE '/tmp/x'

SELECT id FROM orders INTO DUMPFILE '/tmp/x'

SELECT id INTO STRICT x FROM orders

SELECT INTO t FROM orders

=== lock
SELECT id FROM orders FOR UPDATE

SELECT id FROM orders FOR SHARE

SELECT id FROM orders FOR UPDATE NOWAIT

SELECT id FROM orders FOR UPDATE SKIP LOCKED

SELECT id FROM orders FOR UPDATE OF orders

SELECT id FROM orders WHERE id = 1 LIMIT 1 FOR UPDATE

SELECT id FROM orders LOCK IN SHARE MODE

SELECT id FROM orders FOR READ ONLY

SELECT id FROM orders WITH (NOLOCK)

SELECT id FROM orders WITH UR

=== table-unlisted INVALID_REQUEST
SELECT who FROM hidden_audit

SELECT id FROM main.hidden_audit

SELECT id FROM app.hidden_audit

SELECT o.id FROM orders o JOIN hidden_audit h ON h.id = o.id

SELECT o.id FROM orders o LEFT JOIN hidden_audit ON hidden_audit.id = o.id

SELECT orders.who FROM hidden_audit orders

SELECT id FROM orders.orders

SELECT id FROM nowhere.orders

SELECT id FROM shop.app.orders

SELECT id FROM a.b.c.orders

SELECT id FROM .orders

SELECT id FROM orders.

SELECT table_name FROM information_schema.tables

SELECT column_name FROM information_schema.columns

SELECT grantee FROM information_schema.table_privileges

SELECT name FROM sqlite_master

SELECT name FROM sqlite_schema

SELECT name FROM sqlite_temp_master

SELECT usename FROM pg_catalog.pg_shadow

SELECT usename FROM pg_user

SELECT query FROM pg_stat_activity

SELECT user FROM mysql.user

SELECT variable_name FROM performance_schema.global_variables

SELECT id FROM ordersx

SELECT id FROM order

SELECT id FROM customers_orders

SELECT 1 FROM dual

SELECT id FROM 5

SELECT id FROM NULL

SELECT id FROM ?
⟦params⟧ ["orders"]

=== column-unlisted INVALID_REQUEST
SELECT receipt FROM orders

SELECT orders.receipt FROM orders

SELECT id FROM orders WHERE receipt IS NULL

SELECT id FROM orders WHERE internal_note = 'x'

SELECT COUNT(receipt) FROM orders

SELECT COUNT(DISTINCT internal_note) FROM orders

SELECT MIN(internal_note) FROM orders

SELECT internal_note FROM orders GROUP BY internal_note

SELECT status FROM orders GROUP BY status HAVING MAX(internal_note) > 'a'

SELECT status FROM orders GROUP BY status, internal_note

SELECT id FROM orders ORDER BY internal_note

SELECT o.id FROM orders o JOIN customers c ON o.internal_note = c.tier

SELECT id FROM orders WHERE id BETWEEN receipt AND 5

SELECT id FROM orders WHERE status = internal_note

SELECT c.region FROM customers c

SELECT id FROM customers WHERE region LIKE 'e%'

SELECT id FROM customers WHERE region IN ('eu')

SELECT id FROM orders WHERE NOT (internal_note IS NOT NULL)

SELECT rowid FROM orders

SELECT oid FROM orders

SELECT _rowid_ FROM orders

SELECT ctid FROM orders

SELECT xmin FROM orders

SELECT tableoid FROM orders

SELECT orders FROM orders

SELECT o FROM orders o

SELECT id FROM orders WHERE orders IS NOT NULL

SELECT app.orders.id FROM orders

SELECT main.orders.id FROM orders

SELECT id.id FROM orders

SELECT id.x.y FROM orders

=== masked INVALID_REQUEST
SELECT id FROM orders WHERE email = 'ann@example.org'

SELECT id FROM orders WHERE email LIKE 'a%'

SELECT id FROM orders WHERE email IN ('ann@example.org')

SELECT id FROM orders WHERE email IS NOT NULL

SELECT id FROM orders WHERE email BETWEEN 'a' AND 'b'

SELECT id FROM orders WHERE 'ann@example.org' = email

SELECT id FROM orders WHERE NOT (email <> 'x')

SELECT id FROM orders WHERE status = email

SELECT id FROM orders WHERE id BETWEEN 1 AND email

SELECT COUNT(email) FROM orders

SELECT MAX(email) FROM orders

SELECT email, COUNT(*) FROM orders GROUP BY email

SELECT status FROM orders GROUP BY status, email

SELECT id FROM orders ORDER BY email DESC

SELECT email AS e FROM orders ORDER BY e

SELECT email AS e FROM orders GROUP BY e

SELECT email AS status FROM orders ORDER BY status

SELECT status FROM orders GROUP BY status HAVING MIN(email) < 'b'

SELECT o.id FROM orders o JOIN customers c ON o.email = c.api_key

SELECT o.id FROM orders o JOIN customers c ON o.customer_id = c.id AND o.email = c.tier

SELECT id FROM customers WHERE api_key LIKE 'k-1%'

SELECT EMAIL FROM orders ORDER BY EMAIL

SELECT id FROM orders WHERE orders.email > ?
⟦params⟧ ["a"]

SELECT email || 'x' FROM orders

=== ambiguous INVALID_REQUEST
SELECT id FROM orders JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders JOIN customers ON customer_id = id

SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id WHERE id = 1

SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id ORDER BY customers.id, id.id

SELECT COUNT(id) FROM orders JOIN customers ON orders.customer_id = customers.id

SELECT a.id FROM orders a JOIN orders b ON a.id = b.id WHERE status = 'x'

SELECT orders.id FROM orders JOIN orders ON orders.id = orders.id

SELECT o.id FROM orders o JOIN customers o ON o.customer_id = o.id

SELECT o.id FROM orders o JOIN customers O ON o.customer_id = O.id

=== alias-shadow INVALID_REQUEST
SELECT status AS note, note AS x FROM orders ORDER BY note

SELECT note AS status FROM orders ORDER BY status

SELECT COUNT(*) AS status FROM orders GROUP BY status ORDER BY status

SELECT status AS s FROM orders WHERE s = 'PAID'

SELECT email AS id FROM orders ORDER BY id

SELECT id AS a, status AS a FROM orders

SELECT id AS a, status AS A FROM orders

SELECT orders.id FROM orders o

SELECT o.who FROM orders o

SELECT hidden_audit.who FROM orders hidden_audit

SELECT o.tier FROM orders o JOIN customers c ON o.customer_id = c.id

SELECT orders.tier FROM customers orders JOIN orders customers ON customers.customer_id = orders.email

SELECT COUNT(*) AS n FROM orders GROUP BY n

SELECT status FROM orders GROUP BY status HAVING m > 1

SELECT o.id FROM orders o (a, b)

SELECT a FROM orders AS o (a)

=== ordinal INVALID_REQUEST
SELECT id FROM orders ORDER BY 1

SELECT id FROM orders ORDER BY 1 DESC

SELECT status FROM orders GROUP BY 1

SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY 2

SELECT id FROM orders ORDER BY 99

SELECT id FROM orders ORDER BY -1

SELECT id FROM orders ORDER BY 1.0

SELECT id FROM orders ORDER BY 'id'

SELECT status FROM orders GROUP BY 'status'

SELECT id FROM orders ORDER BY NULL

SELECT id FROM orders ORDER BY ?
⟦params⟧ [1]

SELECT id FROM orders GROUP BY (id)

SELECT id FROM orders GROUP BY ()

=== limit INVALID_REQUEST
SELECT id FROM orders LIMIT 0

SELECT id FROM orders LIMIT -1

SELECT id FROM orders LIMIT 101

SELECT id FROM orders LIMIT 1e1

SELECT id FROM orders LIMIT 1.0

SELECT id FROM orders LIMIT '5'

SELECT id FROM orders LIMIT NULL

SELECT id FROM orders LIMIT 5 + 5

SELECT id FROM orders LIMIT 5, 5

SELECT id FROM orders LIMIT 5 OFFSET 0

SELECT id FROM orders OFFSET 5

SELECT id FROM orders LIMIT id

SELECT id FROM orders LIMIT COUNT(*)

SELECT id FROM orders LIMIT 18446744073709551615

SELECT id FROM orders LIMIT 00000000000000000000005

SELECT id FROM orders LIMIT ?
⟦params⟧ [5]

SELECT id FROM orders FETCH FIRST 5 ROWS ONLY

SELECT TOP 5 id FROM orders

SELECT id FROM orders LIMIT 5 PERCENT

SELECT id FROM orders LIMIT 5 LIMIT 6

SELECT id FROM orders LIMIT 5 WHERE id = 1

=== arithmetic INVALID_REQUEST
SELECT id + 1 FROM orders

SELECT -id FROM orders

SELECT total * 2 AS t FROM orders

SELECT id FROM orders WHERE id + 1 = 2

SELECT id FROM orders WHERE id = 1 + 1

SELECT id FROM orders WHERE id = 2 - 1

SELECT id FROM orders WHERE total / 0 > 1

SELECT id FROM orders WHERE id % 2 = 1

SELECT id FROM orders WHERE id & 1 = 1

SELECT id FROM orders WHERE id | 1 = 1

SELECT id FROM orders WHERE id << 60 > 0

SELECT id FROM orders WHERE id >> 1 = 1

SELECT id FROM orders WHERE ~id = 1

SELECT id FROM orders WHERE - - 1 = id

SELECT id FROM orders WHERE id = -(1)

SELECT id FROM orders WHERE id = -'1'

SELECT id FROM orders WHERE id = - id

SELECT SUM(total * 2) FROM orders

SELECT SUM(total) / COUNT(*) FROM orders

SELECT status FROM orders GROUP BY status HAVING COUNT(*) * 2 > 4

SELECT id FROM orders ORDER BY id + 0

SELECT id FROM orders ORDER BY -id

=== interval INVALID_REQUEST
SELECT id FROM orders WHERE created_at > INTERVAL '1' DAY

SELECT id FROM orders WHERE created_at > NOW() - INTERVAL 1 HOUR

SELECT id FROM orders WHERE created_at > '2026-03-01' - INTERVAL '1 day'

SELECT id FROM orders WHERE created_at > DATE '2026-03-01'

SELECT id FROM orders WHERE created_at > TIMESTAMP '2026-03-01 10:00:00'

SELECT created_at AT TIME ZONE 'UTC' FROM orders

SELECT INTERVAL '1' DAY FROM orders

=== variable INVALID_REQUEST
SELECT id FROM orders WHERE id = @x

SELECT id FROM orders WHERE id = :id

SELECT id FROM orders WHERE id = $1

SELECT id FROM orders WHERE id = @@version

SELECT @@global.read_only FROM orders

SELECT @x := id FROM orders

SELECT id FROM orders WHERE id = %s

SELECT id FROM orders WHERE id = %(id)s

SELECT id FROM orders WHERE id = {id}

SELECT id FROM orders WHERE id = ?1

SELECT id FROM orders WHERE id = #id

SELECT id FROM orders WHERE id = :1

SELECT id FROM orders WHERE id = @@x.y

SELECT id FROM orders WHERE id = $id

=== placeholder-count INVALID_REQUEST
SELECT id FROM orders WHERE id = ?

SELECT id FROM orders WHERE id = ? AND status = ?
⟦params⟧ [1]

SELECT id FROM orders
⟦params⟧ [1]

SELECT id FROM orders WHERE id = ?
⟦params⟧ [1, 2]

SELECT id FROM orders WHERE note = '?'
⟦params⟧ [1]

SELECT id FROM orders WHERE note LIKE '?' AND id = ?
⟦params⟧ [1, 2]

SELECT id FROM orders WHERE id = ?
⟦params⟧ [null]

SELECT id FROM orders WHERE id = ?
⟦params⟧ [9223372036854775808]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["nul\u0000"]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["lone \ud800"]

SELECT id FROM orders WHERE ? = ?
⟦params⟧ [1, 1]

SELECT ? FROM orders
⟦params⟧ ["forged"]

SELECT id AS ? FROM orders
⟦params⟧ ["x"]

SELECT id FROM orders WHERE ? IS NULL
⟦params⟧ ["x"]

SELECT id FROM orders WHERE ?
⟦params⟧ [1]

SELECT id FROM orders WHERE id ? 1
⟦params⟧ ["="]

SELECT id FROM orders WHERE ? IN (id)
⟦params⟧ [1]

SELECT id FROM orders WHERE id IN ?
⟦params⟧ [1]

SELECT id FROM orders WHERE ??
⟦params⟧ [1, 2]

=== join INVALID_REQUEST
SELECT orders.id FROM orders, customers

SELECT orders.id FROM orders, customers WHERE orders.customer_id = customers.id

SELECT orders.id FROM orders CROSS JOIN customers

SELECT a.id FROM orders a CROSS JOIN orders b CROSS JOIN orders c CROSS JOIN orders d CROSS JOIN orders e

SELECT orders.id FROM orders JOIN customers

SELECT orders.id FROM orders INNER JOIN customers

SELECT orders.id FROM orders JOIN customers ON 1 = 1

SELECT orders.id FROM orders JOIN customers ON TRUE

SELECT orders.id FROM orders JOIN customers ON orders.id

SELECT orders.id FROM orders JOIN customers ON orders.id = orders.id

SELECT orders.id FROM orders JOIN customers ON customers.id = customers.id

SELECT orders.id FROM orders JOIN customers ON orders.id = orders.customer_id

SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id OR 1 = 1

SELECT orders.id FROM orders JOIN customers ON NOT (orders.customer_id = customers.id)

SELECT orders.id FROM orders JOIN customers ON orders.customer_id <> customers.id

SELECT orders.id FROM orders JOIN customers ON orders.customer_id >= customers.id

SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id AND orders.id > 1

SELECT orders.id FROM orders JOIN customers ON orders.customer_id = customers.id AND customers.tier = 'gold'

SELECT orders.id FROM orders JOIN customers ON customers.id IN (1, 2)

SELECT orders.id FROM orders JOIN customers ON orders.customer_id BETWEEN customers.id AND customers.id

SELECT orders.id FROM orders NATURAL JOIN customers

SELECT orders.id FROM orders NATURAL LEFT JOIN customers

SELECT orders.id FROM orders JOIN customers USING (id)

SELECT orders.id FROM orders LEFT JOIN customers USING (id)

SELECT orders.id FROM orders RIGHT JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders FULL JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders LEFT SEMI JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders ANTI JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders ASOF JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders STRAIGHT_JOIN customers ON orders.customer_id = customers.id

SELECT orders.id FROM orders CROSS APPLY customers

SELECT orders.id FROM orders JOIN LATERAL (SELECT 1) x ON TRUE

SELECT a.id FROM orders a JOIN orders b JOIN orders c ON a.id = c.id ON a.id = b.id

SELECT a.id FROM orders a JOIN (orders b JOIN orders c ON b.id = c.id) ON a.id = b.id

SELECT a.id FROM orders a JOIN orders b ON a.id = c.id JOIN orders c ON c.id = a.id

SELECT a.id FROM orders a JOIN orders b ON a.id = b.id JOIN orders c ON a.id = c.id JOIN orders d ON a.id = d.id JOIN orders e ON a.id = e.id JOIN orders f ON a.id = f.id

=== table-modifier INVALID_REQUEST
SELECT id FROM orders TABLESAMPLE SYSTEM (1)

SELECT id FROM orders TABLESAMPLE BERNOULLI (10) REPEATABLE (1)

SELECT id FROM ONLY (orders)

SELECT id FROM orders PARTITION (p0)

SELECT id FROM orders USE INDEX (i)

SELECT id FROM orders FORCE INDEX (PRIMARY)

SELECT id FROM orders IGNORE INDEX FOR JOIN (i)

SELECT id FROM orders INDEXED BY i

SELECT id FROM orders NOT INDEXED

SELECT id FROM orders FOR SYSTEM_TIME ALL

SELECT id FROM orders FOR SYSTEM_TIME AS OF '2026-01-01'

SELECT id FROM orders AS OF TIMESTAMP '2026-01-01'

SELECT id FROM orders PIVOT (COUNT(id) FOR status IN ('PAID'))

SELECT id FROM orders UNPIVOT (x FOR y IN (id))

SELECT id FROM orders MATCH_RECOGNIZE (PATTERN (a))

SELECT id FROM orders LATERAL VIEW explode(note) t AS x

SELECT id FROM generate_series(1, 1000000000)

SELECT value FROM json_each('[1]')

SELECT id FROM unnest(ARRAY[1])

SELECT id FROM json_table('[1]', '$[*]' COLUMNS (id INT PATH '$')) AS t

SELECT id FROM (VALUES (1), (2)) AS t (id)

SELECT id FROM TABLE(orders)

SELECT id FROM orders@remote

SELECT id FROM orders*

=== cast-collate INVALID_REQUEST
SELECT CAST(id AS CHAR) FROM orders

SELECT CAST(email AS INTEGER) FROM orders

SELECT id FROM orders WHERE CAST(email AS INTEGER) = 0

SELECT CONVERT(id, CHAR) FROM orders

SELECT CONVERT(note USING latin1) FROM orders

SELECT id::text FROM orders

SELECT id FROM orders WHERE status COLLATE NOCASE = 'paid'

SELECT id FROM orders WHERE status = 'paid' COLLATE utf8mb4_bin

SELECT id FROM orders ORDER BY status COLLATE "C"

SELECT BINARY status FROM orders

SELECT TRY_CAST(id AS TEXT) FROM orders

=== operator INVALID_REQUEST
SELECT id FROM orders WHERE note ~ 'x'

SELECT id FROM orders WHERE note !~* 'x'

SELECT id FROM orders WHERE note ->> '$.a' = 'x'

SELECT note -> 'a' FROM orders

SELECT note #>> '{a}' FROM orders

SELECT id FROM orders WHERE note @> 'x'

SELECT id FROM orders WHERE note <@ 'x'

SELECT id FROM orders WHERE note ?| 'x'

SELECT id FROM orders WHERE note ILIKE 'x'

SELECT id FROM orders WHERE note SIMILAR TO 'x'

SELECT id FROM orders WHERE note REGEXP 'x'

SELECT id FROM orders WHERE note RLIKE 'x'

SELECT id FROM orders WHERE note GLOB 'x*'

SELECT id FROM orders WHERE note MATCH 'x'

SELECT id FROM orders WHERE note LIKE 'x' ESCAPE '!'

SELECT id FROM orders WHERE note LIKE ANY ('x', 'y')

SELECT id FROM orders WHERE note LIKE note

SELECT id FROM orders WHERE note LIKE 'a' || 'b'

SELECT id FROM orders WHERE 'x' LIKE note

SELECT id FROM orders WHERE note LIKE 5

SELECT id FROM orders WHERE note IS TRUE

SELECT id FROM orders WHERE note IS NOT FALSE

SELECT id FROM orders WHERE note IS 'x'

SELECT id FROM orders WHERE note IS NOT DISTINCT FROM 'x'

SELECT id FROM orders WHERE (note IS NULL) IS NULL

SELECT id FROM orders WHERE (id = 1) = (id = 2)

SELECT id FROM orders WHERE id = 1 = 1

SELECT id FROM orders WHERE id < 5 < 6

SELECT id FROM orders WHERE (id, status) = (1, 'x')

SELECT id FROM orders WHERE ROW(id, status) = ROW(1, 'x')

SELECT id FROM orders WHERE (id) IN ((1, 2))

SELECT id FROM orders WHERE id IN (1, NULL)

SELECT id FROM orders WHERE id IN ()

SELECT id FROM orders WHERE id IN (customer_id, 2)

SELECT id FROM orders WHERE 1 IN (id)

SELECT id FROM orders WHERE NULL IS NULL

SELECT id FROM orders WHERE note = NULL

SELECT id FROM orders WHERE status || note = 'x'

SELECT id FROM orders WHERE (status, note) OVERLAPS (note, status)

SELECT id FROM orders WHERE id = 1 XOR id = 2

SELECT id FROM orders WHERE EXISTS id

SELECT id FROM orders WHERE UNIQUE (SELECT 1)

SELECT id FROM orders WHERE id BETWEEN 1

SELECT id FROM orders WHERE id BETWEEN 1 AND 2 AND

=== constant INVALID_REQUEST
SELECT 1

SELECT 'forged row' AS note FROM orders

SELECT NULL FROM orders

SELECT TRUE FROM orders

SELECT id, 'PAID' AS status FROM orders

SELECT id FROM orders WHERE 1

SELECT id FROM orders WHERE 1 = 1

SELECT id FROM orders WHERE 'a' = 'a'

SELECT id FROM orders WHERE TRUE

SELECT id FROM orders WHERE NOT FALSE

SELECT id FROM orders WHERE id = 1 OR TRUE

SELECT id FROM orders WHERE id

SELECT id FROM orders WHERE NOT id

SELECT id FROM orders WHERE (id)

SELECT COUNT(1) FROM orders

SELECT COUNT('x') FROM orders

SELECT id FROM orders WHERE 1 BETWEEN 0 AND 2

SELECT id FROM orders WHERE 'x' IS NOT NULL

SELECT id FROM orders WHERE 1 IN (1)

SELECT id FROM orders WHERE id = 1 AND 1

SELECT id FROM orders HAVING 1 = 1

=== select-shape INVALID_REQUEST
SELECT

SELECT FROM orders

SELECT id

SELECT id FROM

SELECT id FROM orders WHERE

SELECT id FROM orders GROUP BY

SELECT id FROM orders ORDER BY

SELECT id FROM orders LIMIT

SELECT id,, status FROM orders

SELECT id, FROM orders

SELECT , id FROM orders

SELECT id FROM orders,

SELECT id FROM orders GROUP BY id,

SELECT id FROM orders ORDER BY id,

SELECT id FROM orders WHERE id IN (1,)

SELECT id FROM orders WHERE id IN (,1)

SELECT DISTINCT id FROM orders

SELECT DISTINCT ON (status) id FROM orders

SELECT ALL id FROM orders

SELECT UNIQUE id FROM orders

SELECT id id id FROM orders

SELECT id FROM orders extra words

SELECT id FROM orders WHERE id = 1 id

SELECT id FROM orders )

SELECT (id FROM orders

SELECT id FROM orders WHERE (id = 1

SELECT id FROM orders WHERE id = 1)

SELECT SELECT id FROM orders

SELECT id FROM FROM orders

SELECT id FROM orders WHERE WHERE id = 1

SELECT id FROM orders ORDER BY id GROUP BY id

SELECT id FROM orders GROUP BY id WHERE id = 1

SELECT id FROM orders HAVING COUNT(*) > 1

SELECT status, COUNT(*) FROM orders

SELECT id, status FROM orders GROUP BY status

SELECT status FROM orders GROUP BY ROLLUP (status)

SELECT status FROM orders GROUP BY CUBE (status)

SELECT status FROM orders GROUP BY GROUPING SETS ((status), ())

SELECT status FROM orders GROUP BY ALL

SELECT status FROM orders GROUP BY DISTINCT status

SELECT status FROM orders GROUP BY status HAVING status

SELECT status FROM orders GROUP BY status HAVING id > 1

SELECT status FROM orders GROUP BY status HAVING COUNT(*) > 1 AND note IS NULL

SELECT status FROM orders GROUP BY status HAVING MAX(total) > total

SELECT status FROM orders GROUP BY status HAVING NOT (note LIKE 'x%')

SELECT id FROM orders WHERE COUNT(*) > 1

SELECT id FROM orders ORDER BY COUNT(*)

SELECT status FROM orders GROUP BY status ORDER BY MAX(total)

SELECT id FROM orders ORDER BY id USING >

SELECT id FROM orders ORDER BY id ASC DESC

SELECT id FROM orders CLUSTER BY id

SELECT id FROM orders SORT BY id

SELECT id FROM orders DISTRIBUTE BY id

SELECT id FROM orders CONNECT BY id = id

SELECT id FROM orders START WITH id = 1 CONNECT BY PRIOR id = id

SELECT id FROM orders PREWHERE id = 1

SELECT id FROM orders SETTINGS x = 1

SELECT id FROM orders FORMAT JSON

SELECT id FROM orders FOR JSON AUTO

SELECT id FROM orders FOR XML PATH

SELECT id FROM orders OPTION (RECOMPILE)

SELECT AS STRUCT id FROM orders

SELECT id AS (a, b) FROM orders

=== number INVALID_REQUEST
SELECT id FROM orders WHERE id = 9223372036854775808

SELECT id FROM orders WHERE id = -9223372036854775809

SELECT id FROM orders WHERE id = 1e309

SELECT id FROM orders WHERE id = ⟦9×400⟧

SELECT id FROM orders WHERE id = 0.⟦0×100⟧1

SELECT id FROM orders WHERE id = 1__0

SELECT id FROM orders WHERE id = 1.2.3

SELECT id FROM orders WHERE id = 1e

SELECT id FROM orders WHERE id = 1e+

SELECT id FROM orders WHERE id = 0b101

SELECT id FROM orders WHERE id = 0o17

SELECT id FROM orders WHERE id = 12abc

SELECT id FROM orders WHERE id = .

SELECT id FROM orders WHERE id = Infinity

SELECT id FROM orders WHERE id = NaN

SELECT id FROM orders WHERE id = 'abc'

SELECT id FROM orders WHERE id = '1; DROP TABLE orders'

=== size INVALID_REQUEST
SELECT id FROM orders WHERE note = '⟦x×9000⟧'

SELECT id FROM orders WHERE note = '⟦支×1500⟧⟦x×4000⟧'

SELECT id FROM orders WHERE note = '⟦x×2001⟧'

SELECT id FROM orders WHERE id IN (1⟦, 1×9999⟧)

SELECT id FROM orders WHERE id IN (1⟦, 1×300⟧)

SELECT id FROM orders WHERE id = 1⟦ OR id = 2×101⟧

SELECT id FROM orders WHERE id = 1⟦ AND id = 2×500⟧

SELECT id⟦, id×60⟧ FROM orders

SELECT ⟦a×9000⟧ FROM orders

SELECT id FROM orders⟦ ×9000⟧WHERE id = 1

SELECT id FROM orders WHERE note LIKE '⟦%a×9⟧'

SELECT id FROM orders WHERE note LIKE '⟦_%×100⟧'

SELECT id FROM orders WHERE note LIKE '⟦x×201⟧'

⟦SELECT ×1000⟧

⟦;×5000⟧

SELECT id FROM orders WHERE note = '⟦''×4000⟧'

⟦ ×8000⟧

SELECT id FROM ⟦orders.×1000⟧orders

=== nesting INVALID_REQUEST
SELECT id FROM orders WHERE ⟦(×33⟧id = 1⟦)×33⟧

SELECT id FROM orders WHERE ⟦(×3000⟧id = 1⟦)×3000⟧

SELECT id FROM orders WHERE ⟦(×8000⟧

SELECT id FROM orders WHERE ⟦NOT ×33⟧id = 1

SELECT id FROM orders WHERE ⟦NOT ×1900⟧id = 1

SELECT id FROM orders WHERE id = ⟦- ×3000⟧1

SELECT id FROM orders WHERE id = ⟦~×3000⟧1

SELECT id FROM orders WHERE id = ⟦+×3000⟧1 + 1

SELECT id FROM orders WHERE id ⟦IN (×1000⟧1⟦)×1000⟧

SELECT id FROM ⟦(SELECT id FROM ×300⟧orders⟦)×300⟧

SELECT ⟦MAX(×1500⟧id⟦)×1500⟧ FROM orders

SELECT ⟦CASE WHEN 1 THEN ×300⟧1⟦ END×300⟧ FROM orders

SELECT id FROM orders WHERE id = 1⟦ UNION SELECT id FROM orders×200⟧

SELECT id FROM orders WHERE ⟦id = 1 AND (id = 2 OR (×40⟧id = 1⟦))×40⟧

SELECT id⟦[1]×2000⟧ FROM orders

SELECT ⟦[×2000⟧id⟦]×2000⟧ FROM orders

SELECT ⟦{×2000⟧id⟦}×2000⟧ FROM orders

SELECT id FROM orders WHERE id = 1⟦::int×1000⟧

SELECT id FROM orders WHERE id⟦ COLLATE x×700⟧ = 1

SELECT id FROM orders⟦ JOIN customers×500⟧

SELECT id FROM orders WHERE id = 1⟦ + 1×1900⟧ = 5

SELECT id FROM orders WHERE id⟦ IS NULL×900⟧

SELECT id FROM orders WHERE id⟦ BETWEEN 1 AND 2×500⟧

SELECT id FROM orders WHERE note⟦ LIKE 'x'×700⟧

SELECT id⟦.id×2500⟧ FROM orders

SELECT id⟦->'a'×1400⟧ FROM orders

SELECT id FROM orders ⟦ORDER BY id ×600⟧

⟦WITH x AS (×700⟧SELECT 1⟦)×700⟧

⟦(×8000⟧

⟦(SELECT 1 FROM ×400⟧

SELECT id FROM orders WHERE id⟦ NOT×1500⟧ IN (1)

SELECT id FROM orders WHERE ⟦EXISTS (×30⟧SELECT 1⟦)×30⟧

SELECT ⟦a(b).×1500⟧c FROM orders

SELECT ⟦a(b)×1900⟧ FROM orders

SELECT id FROM orders⟦ JOIN customers ON id JOIN deploys×200⟧

SELECT id FROM ⟦IS JOIN TIMESTAMP ×300⟧a

SELECT id FROM orders⟦,(orders)×700⟧

SELECT ⟦INTERVAL ×800⟧ 1 FROM orders

SELECT ⟦DISTINCT ×800⟧ id FROM orders

SELECT id FROM orders WHERE id = ⟦CAST(×30⟧1⟦ AS INT)×30⟧

