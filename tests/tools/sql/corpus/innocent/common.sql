Accepted by every dialect, and answered as the database itself answers them. Format: see reading.py.

=== plain
SELECT id FROM orders

SELECT id, status FROM orders

select id, status from orders

SELECT ID, Status FROM orders WHERE Total > 10

SELECT  id ,⟦U+0009⟧status
FROM orders

SELECT id FROM orders;

SELECT id FROM orders ;⟦U+000A⟧

SELECT orders.id, orders.status FROM orders

SELECT o.id, o.status FROM orders AS o

SELECT o.id FROM orders o

SELECT id AS order_id, total AS amount FROM orders

SELECT id order_id, total amount FROM orders

SELECT 编号, 状态 FROM 订单

SELECT o.状态 AS 情况 FROM 订单 AS o

SELECT pool, taken_at, active, waiting FROM pool_samples

SELECT created_at, booked_on FROM orders WHERE id = 1

SELECT id, email FROM orders WHERE id <= 4

SELECT c.api_key, c.tier FROM customers c

SELECT customers.id FROM orders customers WHERE customers.status = 'PAID'

=== compare
SELECT id FROM orders WHERE status = 'FAILED'

SELECT id FROM orders WHERE 'FAILED' = status

SELECT id FROM orders WHERE status <> 'PAID'

SELECT id FROM orders WHERE status != 'PAID'

SELECT id FROM orders WHERE total > 10

SELECT id FROM orders WHERE total >= 9.90

SELECT id FROM orders WHERE total < .5

SELECT id FROM orders WHERE total <= 1e1

SELECT id FROM orders WHERE 50 < total

SELECT id FROM orders WHERE id = -1

SELECT id FROM orders WHERE id > - 1

SELECT id FROM orders WHERE id = +5

SELECT id FROM orders WHERE total = 0.01

SELECT id FROM orders WHERE id = 9223372036854775807

SELECT id FROM orders WHERE id = customer_id

SELECT id FROM orders WHERE id > customer_id

SELECT id FROM orders WHERE total = 100

SELECT pool FROM pool_samples WHERE waiting > 7.2

SELECT pool FROM pool_samples WHERE active >= 20 AND waiting >= 31.5

SELECT id FROM orders WHERE id = 3 AND status = 'FAILED'

SELECT id FROM orders WHERE id = 3 OR status = 'PAID'

SELECT id FROM orders WHERE id = 1 OR id = 2 AND status = 'PAID'

SELECT id FROM orders WHERE (id = 1 OR id = 2) AND status = 'PAID'

SELECT id FROM orders WHERE NOT status = 'PAID'

SELECT id FROM orders WHERE NOT status = 'PAID' AND id < 5

SELECT id FROM orders WHERE NOT (status = 'PAID' OR total > 10)

SELECT id FROM orders WHERE NOT NOT status = 'PAID'

SELECT id FROM orders WHERE ((((id = 1))))

SELECT id FROM orders WHERE id = 1 OR (id = 2 AND (status = 'PAID' OR (total < 10 AND NOT note IS NULL)))

=== in-between-like-null
SELECT id FROM orders WHERE status IN ('PAID', 'REFUNDED')

SELECT id FROM orders WHERE status NOT IN ('PAID')

SELECT id FROM orders WHERE id IN (1, 3, 5, 77)

SELECT id FROM orders WHERE id IN (-1, +2, 3)

SELECT id FROM orders WHERE NOT id IN (1, 2)

SELECT id FROM orders WHERE total BETWEEN 9.9 AND 40

SELECT id FROM orders WHERE total NOT BETWEEN 1 AND 50

SELECT id FROM orders WHERE id BETWEEN 2 AND 4 AND status = 'FAILED'

SELECT id FROM orders WHERE id BETWEEN customer_id AND 4

SELECT id FROM orders WHERE note LIKE '%refused%'

SELECT id FROM orders WHERE note LIKE 'connection refused, host db-_'

SELECT id FROM orders WHERE note NOT LIKE '%host%'

SELECT id FROM orders WHERE NOT note LIKE '%host%'

SELECT id FROM orders WHERE note LIKE '支付%'

SELECT id FROM orders WHERE note LIKE ''

SELECT id FROM orders WHERE note IS NULL

SELECT id FROM orders WHERE note IS NOT NULL

SELECT id FROM orders WHERE NOT customer_id IS NULL

SELECT id FROM orders WHERE customer_id IS NULL OR total IS NULL

SELECT id FROM orders WHERE note = ''

SELECT id FROM orders WHERE total IS NULL AND created_at IS NULL

SELECT 编号 FROM 订单 WHERE 状态 IN ('失败')

SELECT service, version FROM deploys WHERE succeeded = 0

SELECT service FROM deploys WHERE version LIKE '1.4.%' AND succeeded <> 1

=== literal
SELECT id FROM orders WHERE note = 'DROP TABLE orders; SELECT 1'

SELECT id FROM orders WHERE note = 'it''s -- not /* a */ comment; # really'

SELECT id FROM orders WHERE note LIKE '%--%'

SELECT id FROM orders WHERE note LIKE '%/*%*/%'

SELECT id FROM orders WHERE note LIKE '%;%'

SELECT id FROM orders WHERE note LIKE '%#%'

SELECT id FROM orders WHERE note = '支付超时'

SELECT id FROM orders WHERE note = 'UNION SELECT who FROM hidden_audit'

SELECT id FROM orders WHERE note IN ('FROM', 'WHERE', 'DELETE FROM orders', '支付超时')

SELECT id FROM orders WHERE note = ''''

SELECT id FROM orders WHERE note <> '''' AND id < 4

SELECT id FROM orders WHERE note = '" OR "1"="1'

SELECT id FROM orders WHERE note = '` OR `1`=`1'

SELECT id FROM orders WHERE note LIKE '%"case"%'

SELECT id FROM orders WHERE note LIKE '%`paid`%'

SELECT id FROM orders WHERE note LIKE '%[x]%'

SELECT id FROM orders WHERE note LIKE '% :a @b $1'

SELECT id FROM orders WHERE note = '（全角）；“引号”'

SELECT id FROM orders WHERE note <> '​zero width' AND id = 2

SELECT id FROM orders WHERE note = '😀' OR id = 5

SELECT id FROM orders WHERE note = 'a
b' OR id = 6

SELECT id FROM orders WHERE status = 'paid'

SELECT id FROM orders WHERE note = 'NULL'

SELECT id FROM orders WHERE note = '$$x$$'

SELECT id FROM orders WHERE note = '%00%27%3B' OR id = 10

=== parameter
SELECT id FROM orders WHERE status = ?
⟦params⟧ ["FAILED"]

SELECT id FROM orders WHERE id = ? AND status = ?
⟦params⟧ [3, "FAILED"]

SELECT id FROM orders WHERE total > ?
⟦params⟧ [9.9]

SELECT id FROM orders WHERE id IN (?, ?, ?)
⟦params⟧ [1, 2, 99]

SELECT id FROM orders WHERE note LIKE ?
⟦params⟧ ["%refused%"]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["it's -- not /* a */ comment; # really"]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["' OR '1'='1"]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["支付超时"]

SELECT id FROM orders WHERE total BETWEEN ? AND ?
⟦params⟧ [1, 50]

SELECT id FROM orders WHERE ? = status
⟦params⟧ ["PAID"]

SELECT id FROM orders WHERE (status = ? OR status = ?) AND id < ?
⟦params⟧ ["PAID", "REFUNDED", 6]

SELECT status, COUNT(*) FROM orders WHERE id > ? GROUP BY status HAVING COUNT(*) >= ?
⟦params⟧ [1, 2]

SELECT o.id FROM orders o JOIN customers c ON o.customer_id = c.id WHERE c.tier = ? AND o.total > ?
⟦params⟧ ["gold", 5]

SELECT id FROM orders WHERE note = ?
⟦params⟧ ["back\\slash %s ? :x"]

=== time
SELECT id FROM orders WHERE created_at >= '2026-03-01T10:05:00Z'

SELECT id FROM orders WHERE created_at >= '2026-03-01T10:05:00Z' AND created_at < '2026-03-01T11:00:00Z'

SELECT id FROM orders WHERE created_at BETWEEN '2026-03-01T10:05:00Z' AND '2026-03-01T10:07:00Z'

SELECT id FROM orders WHERE created_at = '2026-03-01T10:06:30Z'

SELECT id FROM orders WHERE created_at IS NULL

SELECT id FROM orders WHERE booked_on > '2026-03-01 19:00:00'

SELECT id FROM orders WHERE booked_on = '2026-03-01 18:05:00'

SELECT id FROM orders WHERE booked_on IN ('2026-03-01 18:05:00', '2026-03-02 08:00:00')

SELECT service, version FROM deploys WHERE deployed_at < '2026-03-01T10:00:00Z'

SELECT MIN(created_at), MAX(created_at) FROM orders

SELECT status, MAX(created_at) FROM orders GROUP BY status

SELECT id FROM orders WHERE created_at > ?
⟦params⟧ ["2026-03-01T11:30:00Z"]

=== aggregate
SELECT COUNT(*) FROM orders

SELECT count(*) FROM orders WHERE status = 'FAILED'

SELECT COUNT(note), COUNT(*), COUNT(DISTINCT status) FROM orders

SELECT SUM(total), AVG(id), MIN(total), MAX(total) FROM orders

SELECT SUM(total) AS revenue FROM orders WHERE status = 'PAID'

SELECT SUM(total) FROM orders WHERE id > 100

SELECT MIN(note), MAX(status) FROM orders WHERE id < 4

SELECT status, COUNT(*) FROM orders GROUP BY status

SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC, status

SELECT status, COUNT(*) FROM orders GROUP BY status ORDER BY COUNT(*) DESC, status

SELECT status, SUM(total) FROM orders GROUP BY status HAVING SUM(total) > 20

SELECT status, COUNT(*) AS n FROM orders GROUP BY status HAVING COUNT(*) > 1 ORDER BY status

SELECT status FROM orders GROUP BY status HAVING COUNT(*) > 1 AND MAX(total) < 60

SELECT status FROM orders GROUP BY status HAVING NOT COUNT(*) = 1

SELECT status FROM orders GROUP BY status HAVING COUNT(*) IN (1, 4) OR status = 'paid'

SELECT status FROM orders GROUP BY status HAVING COUNT(*) BETWEEN 2 AND 3

SELECT status FROM orders GROUP BY status HAVING MIN(total) IS NULL

SELECT customer_id, status, COUNT(*) FROM orders GROUP BY customer_id, status

SELECT COUNT(*) FROM orders GROUP BY status

SELECT status FROM orders GROUP BY status

SELECT status AS s, COUNT(*) FROM orders WHERE total > 1 GROUP BY status

SELECT 状态, COUNT(*) AS 次数 FROM 订单 GROUP BY 状态 ORDER BY 次数 DESC, 状态

SELECT pool, MAX(waiting), AVG(active) FROM pool_samples GROUP BY pool ORDER BY pool

SELECT service, COUNT(DISTINCT version) FROM deploys GROUP BY service

=== join
SELECT o.id, c.tier FROM orders o JOIN customers c ON o.customer_id = c.id

SELECT o.id, c.tier FROM orders o INNER JOIN customers c ON c.id = o.customer_id

SELECT o.id, c.tier FROM orders o LEFT JOIN customers c ON o.customer_id = c.id

SELECT o.id FROM orders o LEFT OUTER JOIN customers c ON o.customer_id = c.id WHERE c.id IS NULL

SELECT o.id, tier FROM orders o JOIN customers ON customer_id = customers.id

SELECT orders.id, customers.tier FROM orders JOIN customers ON (orders.customer_id = customers.id)

SELECT c.tier, COUNT(*) AS n, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.tier

SELECT c.id, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY c.id

SELECT a.id, b.id FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.status = b.status

SELECT a.id, b.id, c.tier FROM orders a JOIN orders b ON a.total = b.total JOIN customers c ON c.id = b.customer_id

SELECT a.id FROM orders a JOIN orders b ON a.id = b.id JOIN orders c ON b.id = c.id JOIN orders d ON c.id = d.id JOIN customers e ON e.id = d.id

SELECT c.tier, o.email FROM orders o JOIN customers c ON o.customer_id = c.id WHERE o.id = 2

SELECT o.id FROM orders o JOIN customers c ON o.customer_id = c.id WHERE c.tier IN ('gold', 'trial') AND o.status <> 'PAID'

SELECT c.tier FROM orders o JOIN customers c ON o.customer_id = c.id GROUP BY c.tier HAVING COUNT(*) > 2

=== order-limit
SELECT id FROM orders ORDER BY id

SELECT id FROM orders ORDER BY id DESC

SELECT id, status FROM orders WHERE note IS NOT NULL ORDER BY status DESC, id ASC

SELECT id FROM orders WHERE total IS NOT NULL ORDER BY total, id

SELECT id, total AS amount FROM orders WHERE id < 6 ORDER BY amount DESC

SELECT id FROM orders ORDER BY id LIMIT 3

SELECT id FROM orders ORDER BY id DESC LIMIT 1

SELECT id FROM orders ORDER BY id LIMIT 100

SELECT o.id FROM orders o JOIN customers c ON o.customer_id = c.id ORDER BY c.tier, o.id DESC LIMIT 4

SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC, status LIMIT 2

SELECT id FROM orders WHERE created_at IS NOT NULL ORDER BY created_at DESC, id LIMIT 2
