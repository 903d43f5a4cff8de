Accepted of MySQL and MariaDB, beside what `common.sql` holds.

=== names
SELECT id FROM app.orders

SELECT o.id FROM app.orders AS o WHERE o.status = 'PAID'

SELECT `id`, `status` FROM `orders`

SELECT `o`.`id` FROM `app`.`orders` `o`

SELECT Entry, `order`, `group` FROM Ledger

SELECT `group`, SUM(Amount) FROM `Ledger` GROUP BY `group`

SELECT Entry FROM Ledger ORDER BY `order`

SELECT `编号` FROM `订单` WHERE `状态` = '失败'

SELECT id AS `the id` FROM orders ORDER BY `the id`

SELECT id AS 'text alias' FROM orders

SELECT id AS "text alias" FROM orders

SELECT EMAIL FROM orders WHERE ID = 1

=== literals
SELECT id FROM orders WHERE status = "FAILED"

SELECT id FROM orders WHERE note = "it's -- not /* a */ comment; # really"

SELECT id FROM orders WHERE note = 'it\'s -- not /* a */ comment; # really'

SELECT id FROM orders WHERE note LIKE "%\"case\"%"

SELECT id FROM orders WHERE note = "lower ""case"" `paid` [x] ? %s :a @b $1"

SELECT id FROM orders WHERE note LIKE '100\% sure\_thing'

SELECT id FROM orders WHERE note LIKE '%\_thing'

SELECT id FROM orders WHERE note = 'a\\b' OR id = 3

SELECT id FROM orders WHERE note = 'tab\tnewline\n' OR id = 2

SELECT id FROM orders WHERE note = "\\" OR id = 1

SELECT id FROM orders WHERE note <> "' OR '1'='1" AND id < 4

=== operators
SELECT id FROM orders WHERE id = 1 && status = 'PAID'

SELECT id FROM orders WHERE id = 1 || id = 2

SELECT id FROM orders WHERE id = 1 || id = 2 && status = 'PAID'

SELECT id FROM orders WHERE !(id = 1)

SELECT id FROM orders WHERE status = 'failed'

SELECT id FROM orders WHERE status = 'FAILED '

SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING n > 1

SELECT id, total AS amount FROM orders WHERE id < 6 ORDER BY amount

SELECT id FROM orders WHERE total = '9.90'

SELECT id FROM orders WHERE id = '3'
