Accepted of PostgreSQL, beside what `common.sql` holds.

=== names
SELECT id FROM app.orders

SELECT o.id FROM app.orders AS o WHERE o.status = 'PAID'

SELECT ID, STATUS FROM ORDERS

SELECT Id FROM App.Orders

SELECT "id", "status" FROM "orders"

SELECT "o"."id" FROM "app"."orders" AS "o"

SELECT "Entry", "order", "group" FROM "Ledger"

SELECT l."Entry" FROM app."Ledger" l WHERE l."Amount" < 0

SELECT "group", SUM("Amount") FROM "Ledger" GROUP BY "group"

SELECT "Entry" FROM "Ledger" ORDER BY "order"

SELECT "编号" FROM "订单" WHERE "状态" = '失败'

SELECT id AS "the id" FROM orders ORDER BY "the id"

SELECT id AS "ID" FROM orders

SELECT "count"(id) FROM orders

=== literals
SELECT id FROM orders WHERE note = 'back\slash' OR id = 1

SELECT id FROM orders WHERE note = 'ends with \' OR id = 4

SELECT id FROM orders WHERE note LIKE '100\% sure\_thing'

SELECT id FROM orders WHERE note = 'E''x' OR id = 2

SELECT id FROM orders WHERE total = '9.90'

SELECT id FROM orders WHERE id = '3'

=== operators
SELECT id FROM orders WHERE note ISNULL

SELECT id FROM orders WHERE note NOTNULL

SELECT id FROM orders WHERE note ~~ '%refused%'

SELECT id FROM orders WHERE note !~~ '%host%'

SELECT id FROM orders WHERE status = 'failed'

SELECT status FROM orders GROUP BY status HAVING MAX(created_at) > '2026-03-01T12:00:00Z'

SELECT id FROM orders WHERE created_at >= '2026-03-01T18:05:00+08:00'

SELECT id FROM orders WHERE created_at = '2026-03-01T18:06:30+08:00'
