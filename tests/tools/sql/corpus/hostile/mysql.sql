Refused by MySQL's grammar, MariaDB's own words included, beside what `common.sql` holds.

=== statement NOT_READ_ONLY
LOAD DATA INFILE '/etc/passwd' INTO TABLE orders

LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders

LOAD XML INFILE '/tmp/x' INTO TABLE orders

LOAD INDEX INTO CACHE orders

HANDLER orders OPEN

HANDLER orders READ FIRST

HANDLER hidden_audit READ NEXT LIMIT 10

DO SLEEP(5)

DO RELEASE_ALL_LOCKS()

CALL mysql.rds_kill(1)

KILL 1

KILL QUERY 1

KILL HARD CONNECTION 1

FLUSH TABLES WITH READ LOCK

FLUSH PRIVILEGES

RESET MASTER

PURGE BINARY LOGS TO 'x'

LOCK TABLES orders WRITE

LOCK TABLES orders READ LOCAL

UNLOCK TABLES

SET GLOBAL general_log = ON

SET GLOBAL general_log_file = '/tmp/x.php'

SET SESSION sql_mode = 'ANSI_QUOTES'

SET SESSION transaction_read_only = 0

SET SESSION tx_read_only = 0

SET SESSION max_statement_time = 0

SET @x = 1

SET @@session.max_execution_time = 0

SET NAMES gbk

SET CHARACTER SET latin1

SET PASSWORD = PASSWORD('x')

SET PASSWORD FOR 'rootproof'@'%' = PASSWORD('x')

SET DEFAULT ROLE NONE

SET STATEMENT max_statement_time = 0 FOR SELECT SLEEP(3)

SET STATEMENT max_statement_time = 0 FOR SELECT id FROM orders

SHOW VARIABLES

SHOW GRANTS

SHOW PROCESSLIST

SHOW CREATE TABLE orders

SHOW DATABASES

SHOW COLUMNS FROM hidden_audit

SHOW MASTER STATUS

DESCRIBE hidden_audit

EXPLAIN EXTENDED SELECT id FROM orders

EXPLAIN FORMAT = JSON SELECT id FROM orders

EXPLAIN FOR CONNECTION 1

ANALYZE FORMAT = JSON SELECT id FROM orders

ANALYZE SELECT SLEEP(3)

PREPARE s FROM 'DELETE FROM app.orders'

EXECUTE s USING @x

DEALLOCATE PREPARE s

EXECUTE IMMEDIATE 'DELETE FROM app.orders'

EXECUTE IMMEDIATE 'SET PASSWORD = PASSWORD(''x'')'

EXECUTE IMMEDIATE CONCAT('DROP TABLE ', 'app.orders')

BEGIN NOT ATOMIC DELETE FROM app.orders; END

BEGIN NOT ATOMIC COMMIT; SET SESSION tx_read_only = 0; UPDATE app.orders SET status = 'x'; COMMIT; END

BEGIN NOT ATOMIC COMMIT; SET SESSION tx_read_only = 0; SET PASSWORD = PASSWORD('x'); END

BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; LOOP DO SLEEP(1); END LOOP; END

BEGIN NOT ATOMIC SET SESSION max_statement_time = 0; WHILE 1 DO DO SLEEP(1); END WHILE; END

XA START 'x'

XA RECOVER

SAVEPOINT a

START SLAVE

CHANGE MASTER TO MASTER_HOST = 'evil'

INSTALL PLUGIN x SONAME 'x.so'

INSTALL SONAME 'ha_connect'

UNINSTALL PLUGIN x

CREATE FUNCTION sys_exec RETURNS INT SONAME 'lib_mysqludf_sys.so'

CREATE AGGREGATE FUNCTION f RETURNS INT SONAME 'x.so'

CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO DELETE FROM app.orders

CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'x')

CREATE DEFINER = root@localhost PROCEDURE p() DELETE FROM app.orders

CREATE OR REPLACE TABLE app.orders (a INT)

CREATE TEMPORARY TABLE app.t (a INT)

CREATE TABLE app.t ENGINE = CONNECT

CREATE SEQUENCE app.s

ALTER EVENT e DISABLE

ALTER USER CURRENT_USER() IDENTIFIED BY 'x'

ALTER USER USER() IDENTIFIED BY 'x'

ALTER INSTANCE ROTATE INNODB MASTER KEY

ALTER DATABASE app CHARACTER SET latin1

OPTIMIZE TABLE app.orders

REPAIR TABLE app.orders

CHECK TABLE app.orders

CHECKSUM TABLE app.orders

CACHE INDEX app.orders IN x

BACKUP STAGE START

BINLOG 'x'

SHUTDOWN

RESTART

CLONE LOCAL DATA DIRECTORY = '/tmp/x'

USE mysql

HELP 'x'

SIGNAL SQLSTATE '45000'

GET DIAGNOSTICS @x = NUMBER

VALUES ROW(1, 2)

TABLE hidden_audit

INSERT INTO app.orders SET id = 77

INSERT DELAYED INTO orders VALUES (1)

REPLACE DELAYED INTO orders VALUES (1)

UPDATE LOW_PRIORITY IGNORE orders SET status = 'x'

DELETE QUICK FROM orders

DELETE o FROM orders o JOIN customers c ON o.customer_id = c.id

TRUNCATE app.orders

\! id

\. /etc/passwd

delimiter //

source /etc/passwd

=== modifier INVALID_REQUEST
SELECT SQL_NO_CACHE id FROM orders

SELECT SQL_CACHE id FROM orders

SELECT SQL_CALC_FOUND_ROWS id FROM orders

SELECT SQL_BUFFER_RESULT id FROM orders

SELECT SQL_BIG_RESULT id FROM orders

SELECT SQL_SMALL_RESULT id FROM orders

SELECT HIGH_PRIORITY id FROM orders

SELECT STRAIGHT_JOIN id FROM orders

SELECT DISTINCTROW id FROM orders

SELECT id FROM orders USE INDEX ()

SELECT id FROM orders FORCE KEY FOR ORDER BY (PRIMARY)

SELECT id FROM orders IGNORE INDEX (i)

SELECT id FROM orders PARTITION (p0, p1)

SELECT id FROM orders FOR SYSTEM_TIME BETWEEN '2026-01-01' AND NOW()

SELECT id FROM orders PROCEDURE ANALYSE()

SELECT id FROM orders PROCEDURE analyse(extractvalue(rand(), concat(0x3a, version())), 1)

SELECT id FROM orders LIMIT 1 ROWS EXAMINED 5

SELECT status FROM orders GROUP BY status WITH ROLLUP

SELECT status FROM orders GROUP BY status ASC WITH ROLLUP

SELECT id FROM orders WAIT 5

SELECT o.id FROM { OJ orders o LEFT JOIN customers c ON o.customer_id = c.id }

=== lock NOT_READ_ONLY
SELECT id FROM orders LOCK IN SHARE MODE NOWAIT

SELECT id FROM orders FOR UPDATE WAIT 5

SELECT id FROM orders LIMIT 1 FOR SHARE OF orders SKIP LOCKED

=== into
SELECT id FROM orders INTO OUTFILE '/tmp/x' FIELDS TERMINATED BY ','

SELECT id FROM orders WHERE id = 1 INTO OUTFILE '/var/www/x.php' LINES TERMINATED BY '<?php ?>'

SELECT id INTO DUMPFILE '/tmp/x' FROM orders LIMIT 1

SELECT id, status INTO @a, @b FROM orders LIMIT 1

SELECT id FROM orders LIMIT 1 INTO @a

SELECT id FROM orders INTO @a FOR UPDATE

=== comment INVALID_REQUEST
SELECT id FROM orders # DROP TABLE orders

SELECT id FROM orders #

SELECT id#
FROM orders

# first
SELECT id FROM orders

SELECT id FROM orders --⟦U+0009⟧

SELECT id FROM orders WHERE id = 1 --1

SELECT id FROM orders WHERE id = 1--1

SELECT id /*!12345 , who */ FROM orders

SELECT id FROM orders /*!50000 UNION SELECT who FROM hidden_audit */

SELECT id FROM orders /*!99999 x */

SELECT id FROM orders /*M! UNION SELECT who FROM hidden_audit */

SELECT id FROM orders /*M!999999 x */

SELECT id FROM orders /*! INTO OUTFILE '/tmp/x' */

SELECT id FROM orders /*!*/

SELECT /*!50000 1,*/ id FROM orders

SELECT/*!id*/FROM/*!orders*/

/*!50000 SELECT id FROM orders */

SELECT id FROM orders WHERE note = '/*!' OR note = '*/' /*!*/

SELECT id /*+ MAX_EXECUTION_TIME(0) */ FROM orders

SELECT /*+ BKA(orders) NO_BNL() */ id FROM orders

SELECT id FROM orders /* a /*! b */ c */

=== literal INVALID_REQUEST
SELECT id FROM orders WHERE note = 'a\\' OR 1 = 1 -- '

SELECT id FROM orders WHERE note = 'a\\' OR '1' = '1'

SELECT id FROM orders WHERE note = "a\\" OR "1" = "1"

SELECT id FROM orders WHERE note = "a"" OR 1 = 1

SELECT id FROM orders WHERE note = 'a\

SELECT id FROM orders WHERE note = 'a\'

SELECT id FROM orders WHERE note = 'nul\0'

SELECT id FROM orders WHERE note = 'esc\Z'

SELECT id FROM orders WHERE note = 'bell\b'

SELECT id FROM orders WHERE note = 0x41

SELECT id FROM orders WHERE id = 0x1F

SELECT id FROM orders LIMIT 0x5

SELECT id FROM orders WHERE note = x'41'

SELECT id FROM orders WHERE note = X'4'

SELECT id FROM orders WHERE note = 0b01

SELECT id FROM orders WHERE note = b'01'

SELECT id FROM orders WHERE note = B''

SELECT id FROM orders WHERE note = _utf8'x'

SELECT id FROM orders WHERE note = _utf8mb4 0x27

SELECT id FROM orders WHERE note = _latin1 X'27'

SELECT id FROM orders WHERE note = _gbk'¿'' OR 1 = 1 -- '

SELECT id FROM orders WHERE note = _binary 'x'

SELECT id FROM orders WHERE note = N'x'

SELECT id FROM orders WHERE note = n"x"

SELECT id FROM orders WHERE note = 'a' 'b' 'c'

SELECT id FROM orders WHERE note = 'a' "b"

SELECT id FROM orders WHERE note = 'x' COLLATE utf8mb4_bin

SELECT id FROM orders WHERE note = DATE'2026-01-01'

SELECT id FROM orders WHERE note = {d '2026-01-01'}

SELECT id FROM orders WHERE note = {ts '2026-01-01 00:00:00'}

SELECT id FROM orders WHERE note = \N

SELECT id FROM orders WHERE note = NULL OR \N IS NULL

SELECT id FROM orders WHERE note = TRUE

SELECT "id" FROM orders

SELECT "email" FROM orders

SELECT id FROM orders WHERE "id" = 1 AND "email" LIKE 'a%'

SELECT id FROM "hidden_audit"

SELECT id FROM orders WHERE note = "x" UNION SELECT "y"

SELECT [id] FROM orders

SELECT id FROM orders WHERE note = $$x$$

SELECT id FROM orders WHERE note = 'x'y'

SELECT id FROM orders WHERE id = 1e400

SELECT id FROM orders WHERE total = 'a lot'

SELECT id FROM orders WHERE id = 'x'

=== identifier INVALID_REQUEST
SELECT `email` FROM orders ORDER BY `email`

SELECT `id`` FROM orders

SELECT ` id` FROM orders

SELECT `id ` FROM orders

SELECT `` FROM orders

SELECT `orders.id` FROM orders

SELECT id FROM `app.orders`

SELECT id FROM `mysql`.`user`

SELECT id FROM `orders``; DROP TABLE orders`

SELECT `app`.`orders`.`id` FROM orders

SELECT id FROM orders WHERE `1` = `1`

SELECT .id FROM orders

SELECT o.`receipt` FROM orders o

SELECT ID FROM `ORDERS` o WHERE o.`INTERNAL_NOTE` = 'x'

SELECT @`x` FROM orders

SELECT 1e.id FROM orders

SELECT id FROM 1e.orders

SELECT id FROM 0.orders

SELECT 1.e(id) FROM orders

SELECT id FROM mysql.user

SELECT id FROM mysql.global_priv

SELECT id FROM mysql.general_log

SELECT id FROM information_schema.PROCESSLIST

SELECT id FROM INFORMATION_SCHEMA.`TABLES`

SELECT id FROM performance_schema.threads

SELECT id FROM sys.session

SELECT id FROM dual

SELECT nextval FROM app.s

SELECT id FROM seq_1_to_1000000000

=== function INVALID_REQUEST
SELECT SLEEP(5) FROM orders

SELECT id FROM orders WHERE SLEEP(5)

SELECT id FROM orders WHERE id = 1 AND SLEEP(5) = 0

SELECT id FROM orders ORDER BY SLEEP(5)

SELECT BENCHMARK(100000000, SHA2('x', 512)) FROM orders

SELECT GET_LOCK('x', 10) FROM orders

SELECT RELEASE_LOCK('x') FROM orders

SELECT IS_FREE_LOCK('x') FROM orders

SELECT MASTER_POS_WAIT('x', 1) FROM orders

SELECT MASTER_GTID_WAIT('0-1-1', 10) FROM orders

SELECT LOAD_FILE('/etc/passwd') FROM orders

SELECT LOAD_FILE(0x2f6574632f706173737764) FROM orders

SELECT USER(), CURRENT_USER(), SESSION_USER() FROM orders

SELECT SCHEMA() FROM orders

SELECT CONNECTION_ID() FROM orders

SELECT LAST_INSERT_ID(5) FROM orders

SELECT FOUND_ROWS() FROM orders

SELECT UUID() FROM orders

SELECT UUID_SHORT() FROM orders

SELECT SYS_GUID() FROM orders

SELECT RAND(5) FROM orders

SELECT NEXTVAL(app.s) FROM orders

SELECT NEXT VALUE FOR app.s FROM orders

SELECT SETVAL(app.s, 5) FROM orders

SELECT LASTVAL(app.s) FROM orders

SELECT EXTRACTVALUE(1, CONCAT(0x7e, VERSION())) FROM orders

SELECT UPDATEXML(1, CONCAT(0x7e, USER()), 1) FROM orders

SELECT GTID_SUBSET('a', 'b') FROM orders

SELECT ST_LATFROMGEOHASH(VERSION()) FROM orders

SELECT NAME_CONST('x', 1) FROM orders

SELECT VALUES(id) FROM orders

SELECT DEFAULT(id) FROM orders

SELECT ELT(1, email) FROM orders

SELECT FIELD(email, 'a') FROM orders

SELECT MAKE_SET(1, email) FROM orders

SELECT EXPORT_SET(5, 'Y', 'N') FROM orders

SELECT REPEAT('x', 1000000000) FROM orders

SELECT SPACE(1000000000) FROM orders

SELECT LPAD('x', 1000000000, 'y') FROM orders

SELECT ASCII(SUBSTRING(email, 1, 1)) FROM orders

SELECT MID(email, 1, 1) FROM orders

SELECT email REGEXP 'a' FROM orders

SELECT REGEXP_REPLACE(note, '(a+)+', 'x') FROM orders

SELECT CONCAT_WS(',', id, email) FROM orders

SELECT GROUP_CONCAT(email ORDER BY id SEPARATOR ',') FROM orders

SELECT JSON_ARRAYAGG(email) FROM orders

SELECT JSON_EXTRACT(note, '$.a') FROM orders

SELECT note->'$.a' FROM orders

SELECT note->>'$.a' FROM orders

SELECT JSON_VALUE(note, '$') FROM orders

SELECT COLUMN_GET(note, 'a' AS CHAR) FROM orders

SELECT COMPRESS(note) FROM orders

SELECT AES_DECRYPT(note, 'k') FROM orders

SELECT ENCRYPT('x') FROM orders

SELECT PASSWORD('x') FROM orders

SELECT DATE_SUB(NOW(), INTERVAL 1 HOUR) FROM orders

SELECT UNIX_TIMESTAMP(created_at) FROM orders

SELECT FROM_UNIXTIME(0) FROM orders

SELECT STR_TO_DATE('x', '%Y') FROM orders

SELECT CURDATE() FROM orders

SELECT UTC_TIMESTAMP FROM orders

SELECT LOCALTIME FROM orders

SELECT CAST(note AS BINARY) FROM orders

SELECT CONVERT(email USING ascii) FROM orders

SELECT CHAR(97 USING utf8mb4) FROM orders

SELECT WEIGHT_STRING(email) FROM orders

SELECT COERCIBILITY(email) FROM orders

SELECT COUNT(DISTINCT id, status) FROM orders

SELECT STD(total), VAR_POP(total) FROM orders

SELECT BIT_AND(id) FROM orders

SELECT BIT_COUNT(id) FROM orders

SELECT ANY_VALUE(email) FROM orders

SELECT IF(email LIKE 'a%', 1, 0) FROM orders

SELECT GROUPING(status) FROM orders GROUP BY status

SELECT sys_eval('id') FROM orders

SELECT JSON_TABLE(note, '$' COLUMNS (a INT PATH '$')) FROM orders

=== operator INVALID_REQUEST
SELECT id FROM orders WHERE ! id = 1

SELECT id FROM orders WHERE id := 1

SELECT id FROM orders WHERE @x := id

SELECT id FROM orders WHERE id <=> 1

SELECT id FROM orders WHERE id <=> NULL

SELECT id FROM orders WHERE id DIV 2 = 1

SELECT id FROM orders WHERE id MOD 2 = 1

SELECT id FROM orders WHERE id ^ 1 = 1

SELECT id FROM orders WHERE note SOUNDS LIKE 'x'

SELECT id FROM orders WHERE note REGEXP '^(a+)+$'

SELECT id FROM orders WHERE note NOT RLIKE 'x'

SELECT id FROM orders WHERE BINARY note = 'x'

SELECT id FROM orders WHERE MATCH (note) AGAINST ('x' IN BOOLEAN MODE)

SELECT id FROM orders WHERE id MEMBER OF ('[1]')

SELECT id FROM orders WHERE note COLLATE utf8mb4_bin = 'x'

SELECT id FROM orders WHERE id && 1

SELECT id FROM orders WHERE note || 'x'

SELECT id FROM orders WHERE status = 'A' || 'B'

SELECT id FROM orders WHERE ROW(id, note) = (1, 'x')

SELECT id FROM orders WHERE (id, note) IN ((1, 'x'))

SELECT id FROM orders WHERE id = 1 XOR 1

SELECT id FROM orders WHERE note LIKE 'a' ESCAPE '|'

SELECT id FROM orders WHERE note IS NOT TRUE

SELECT id FROM orders WHERE id IN (1) IS TRUE

SELECT id FROM orders WHERE created_at > NOW() - INTERVAL 1 DAY

SELECT id FROM orders WHERE created_at > '2026-03-01 10:00:00'

SELECT id FROM orders WHERE created_at > 20260301100000

SELECT id FROM orders WHERE booked_on > '2026-03-01T10:00:00Z'

SELECT id FROM orders WHERE created_at BETWEEN 0 AND 1

SELECT id FROM orders LIMIT 5 OFFSET 5

SELECT id FROM orders LIMIT @x

SELECT id FROM orders LIMIT 5 FOR SYSTEM_TIME ALL

SELECT o.id FROM orders o STRAIGHT_JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o JOIN (customers c, deploys d) ON o.customer_id = c.id

SELECT o.id FROM orders o LEFT JOIN customers c USING (id)

SELECT o.id FROM orders o JOIN LATERAL (SELECT SLEEP(5)) l ON TRUE

SELECT o.id FROM orders o JOIN customers c ON o.customer_id <=> c.id

SELECT @@datadir FROM orders

SELECT @@secure_file_priv FROM orders

SELECT @@session.sql_mode FROM orders

SELECT @@GLOBAL.`max_connections` FROM orders

SELECT @a, @`b`, @'c' FROM orders

SELECT id FROM orders WHERE id = @@identity
