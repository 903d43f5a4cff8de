Accepted of SQLite, beside what `common.sql` holds.

=== names
SELECT id FROM main.orders

SELECT o.id FROM main.orders AS o

SELECT "id", "status" FROM "orders"

SELECT [id] FROM [orders] WHERE [status] = 'PAID'

SELECT `id` FROM `orders` WHERE `id` = 2

SELECT "o"."id" FROM "orders" AS "o"

SELECT ID FROM ORDERS

SELECT "Entry", "Amount" FROM "Ledger"

SELECT Entry, "order", "group" FROM Ledger

SELECT "group", SUM(Amount) FROM Ledger GROUP BY "group"

SELECT Entry FROM Ledger ORDER BY "order"

SELECT "编号" FROM "订单" WHERE "状态" = '失败'

SELECT id AS "the id" FROM orders ORDER BY "the id"

SELECT id AS 'text alias' FROM orders

=== operators
SELECT id FROM orders WHERE id == 3

SELECT id FROM orders WHERE note NOTNULL

SELECT id FROM orders WHERE note ISNULL

SELECT id FROM orders WHERE note NOT NULL

SELECT id FROM orders WHERE note = 'back\slash' OR id = 1

SELECT id FROM orders WHERE note = 'ends with \' OR id = 4

SELECT id FROM orders WHERE id = 0x3

SELECT id FROM orders WHERE created_at LIKE '2026-03-01T10:0%'

SELECT "count"(id) FROM orders
