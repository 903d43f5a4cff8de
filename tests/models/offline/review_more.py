"""Further drafts for the reviewer, in longer and looser wording: other incidents, two languages, evidence of either."""

from tests.models.offline.review_set import Incident, doc, line, row

FD = Incident(
    "What made the image-resizer reject uploads around 07:30?",
    (
        line("07:12:00", "image-resizer", "WARN", "open descriptors 61012 of 65536, growing 300/min"),
        line("07:29:58", "image-resizer", "ERROR", "accept4() failed (24: Too many open files)"),
        line(
            "07:30:02",
            "upload-gw",
            "ERROR",
            "connect() to image-resizer failed (111: Connection refused), client 10.1.4.7",
        ),
        line("06:58:00", "image-resizer", "INFO", "thumbnail cache switched to on-disk mode"),
        doc(
            "File descriptors > Cause: descriptors are not closed",
            "### Cause: descriptors are not closed\n\nA code path opens files or sockets and does not close them; the count rises steadily until the limit is reached and the process can accept no connection.\n\n**Signature.** `Too many open files`, with a steadily growing number of descriptors.\n\n**Rules out.** A sudden burst of clients (`connection burst`).",
        ),
        doc("File descriptors > Symptoms", "## Symptoms\n\nUploads are refused; clients see connection refused."),
    ),
)
DEADLOCK = Incident(
    "为什么 16:40 起库存扣减大量失败？",
    (
        line(
            "16:39:50",
            "stock-db",
            "ERROR",
            "deadlock detected. Process 771 waits for ShareLock on transaction 9001; blocked by process 772.",
        ),
        line("16:40:03", "stock-service", "ERROR", "扣减库存失败：could not serialize access, SQLState 40P01"),
        line("16:40:20", "order-api", "ERROR", "下单失败：stock-service 返回 500"),
        row(
            "service=stock-service, version=2.11.0, deployed_at=2026-05-06T16:32:00Z",
            service="stock-service",
            version="2.11.0",
            deployed_at="2026-05-06T16:32:00Z",
        ),
        doc(
            "死锁 > 原因：新版本改变了加锁顺序",
            "### 原因：新版本改变了加锁顺序\n\n两条代码路径以相反的顺序更新同样的行，事务相互等待，数据库回滚其中一个，业务操作失败。\n\n**特征：** `deadlock detected`，且出现在某次发布之后。\n\n**排除：** 发布之前就有同样的死锁。",
        ),
    ),
)
REPLICA = Incident(
    "Why do customers see stale balances since the morning?",
    (
        line("09:00:00", "bulk-loader", "INFO", "import of 40 million ledger rows started"),
        line(
            "09:04:30",
            "ledger-replica",
            "WARN",
            "replication delay 240 s and growing, applying transaction of bulk-loader",
        ),
        line("09:10:00", "balance-api", "WARN", "read from ledger-replica returned version older than 300 s"),
        doc(
            "Replication lag > Cause: a bulk write floods the replica",
            "### Cause: a bulk write floods the replica\n\nOne large transaction has to be replayed by the replica in a single thread; until it is done every read from the replica is stale.\n\n**Signature.** `replication delay` growing during a bulk import.\n",
        ),
    ),
)
CRON = Incident(
    "Warum ist 03:00?? Why is the checkout database at 100 % CPU at night?",
    (
        line("03:00:00", "report-cron", "INFO", "job nightly-revenue started (previous run still active)"),
        line("03:05:00", "report-cron", "WARN", "2 instances of nightly-revenue are running"),
        line("03:06:00", "checkout-db", "WARN", "cpu 100 %, 64 active sessions, 48 of them report_ro"),
        line("03:08:00", "checkout-api", "ERROR", "statement timeout after 5000 ms"),
        doc(
            "Scheduled jobs > Cause: runs overlap",
            "### Cause: runs overlap\n\nWhen one run takes longer than its interval the next one starts beside it, and together they saturate the database.\n\n**Signature.** `previous run still active`.\n",
        ),
    ),
)
CLOCK = Incident(
    "Why are tokens rejected by auth-proxy?",
    (
        line("12:00:00", "node-7", "WARN", "chronyd: system clock wrong by 412.8 seconds"),
        line("12:00:40", "auth-proxy", "ERROR", "token rejected: issued in the future (iat 412 s ahead)"),
        line("12:01:00", "profile-api", "ERROR", "401 from auth-proxy"),
        doc(
            "Clock skew > Cause: the node's clock drifted",
            "### Cause: the node's clock drifted\n\nWithout time synchronisation the clock of a node drifts; tokens look as if issued in the future and are rejected.\n\n**Signature.** `system clock wrong by`.\n",
        ),
    ),
)
GC = Incident(
    "为什么 quote-engine 每隔几分钟卡顿？",
    (
        line("14:20:00", "quote-engine", "WARN", "GC pause (Full) 8.4 s, heap 15.9G of 16G"),
        line("14:20:09", "quote-api", "ERROR", "quote-engine did not answer within 5 s"),
        row(
            "name=price.cache.ttl, service=quote-engine, old_value=60, new_value=86400, changed_at=2026-05-06T13:00:00Z",
            service="quote-engine",
            name="price.cache.ttl",
            old_value="60",
            new_value="86400",
            changed_at="2026-05-06T13:00:00Z",
        ),
        doc(
            "JVM pauses > Cause: the heap is nearly full of live data",
            "### Cause: the heap is nearly full of live data\n\nA cache that keeps entries for too long fills the heap; the collector runs full collections that free little, and the application stands still.\n\n**Signature.** `GC pause (Full)` with the heap close to its maximum.\n",
        ),
    ),
)

GOOD_MORE: tuple[tuple[str, Incident, str], ...] = (
    (
        "fd 1",
        FD,
        'image-resizer leaked file descriptors: the number of open descriptors kept growing (61012 of 65536 at 07:12) until accept4() failed with "Too many open files" at 07:29:58. From then on upload-gw got connection refused.',
    ),
    (
        "fd 2",
        FD,
        "Uploads were rejected because image-resizer had run out of file descriptors, which its code does not close.",
    ),
    (
        "fd 3",
        FD,
        "The rejection of uploads is explained by descriptors that image-resizer never closed; once the limit was reached it could not accept connections any more, and upload-gw's connects were refused.",
    ),
    (
        "deadlock 1",
        DEADLOCK,
        "stock-service 2.11.0 发布后改变了加锁顺序，在 stock-db 上产生死锁（deadlock detected），因此扣减库存失败，order-api 下单也随之失败。",
    ),
    (
        "deadlock 2",
        DEADLOCK,
        "库存扣减失败的原因是死锁：16:32 上线的 stock-service 2.11.0 与其他事务加锁顺序相反，stock-db 在 16:39:50 检测到死锁并回滚。",
    ),
    (
        "deadlock 3",
        DEADLOCK,
        "Stock deductions fail due to deadlocks in stock-db that appeared after stock-service 2.11.0 was released with a changed lock order.",
    ),
    (
        "replica 1",
        REPLICA,
        "Customers see stale balances because bulk-loader's import of 40 million ledger rows floods ledger-replica: its replication delay reached 240 s, and balance-api reads from that replica.",
    ),
    (
        "replica 2",
        REPLICA,
        "The bulk import started at 09:00 by bulk-loader caused replication lag on ledger-replica, so balance-api served data older than 300 s.",
    ),
    (
        "replica 3",
        REPLICA,
        "余额陈旧是因为 bulk-loader 的批量导入压满了 ledger-replica 的复制（延迟 240 s），balance-api 读到了旧数据。",
    ),
    (
        "cron 1",
        CRON,
        "Overlapping runs of nightly-revenue saturate checkout-db: report-cron started a new run while the previous one was still active, and CPU went to 100 %. checkout-api statements then timed out after 5000 ms.",
    ),
    (
        "cron 2",
        CRON,
        "checkout-db is at 100 % CPU since two instances of the nightly-revenue job run at the same time.",
    ),
    (
        "clock 1",
        CLOCK,
        "Tokens are rejected because the clock of node-7 drifted by 412.8 seconds, so auth-proxy considers them issued in the future.",
    ),
    (
        "clock 2",
        CLOCK,
        "Root cause: clock drift on node-7 (system clock wrong by 412.8 seconds). auth-proxy therefore rejects tokens and profile-api receives 401.",
    ),
    ("clock 3", CLOCK, "auth-proxy 拒绝令牌，是由于 node-7 的时钟漂移了 412.8 秒。"),
    (
        "gc 1",
        GC,
        "quote-engine 卡顿是因为堆内存几乎被存活数据占满，触发 8.4 s 的 Full GC；13:00 将 price.cache.ttl 从 60 改为 86400，使缓存条目保留过久。",
    ),
    (
        "gc 2",
        GC,
        "quote-engine stalls because its heap is nearly full of live cache data: after price.cache.ttl was raised from 60 to 86400, full collections of 8.4 s pause the application and quote-api gets no answer within 5 s.",
    ),
)
PLANTED_MORE: tuple[tuple[str, Incident, str], ...] = (
    ("fd swap", FD, "Refused connections at upload-gw caused image-resizer to leave its descriptors open."),
    (
        "fd service",
        FD,
        "Uploads were rejected because upload-gw had run out of file descriptors, which it does not close.",
    ),
    ("fd symptom", FD, "Uploads are rejected because clients see connection refused."),
    ("deadlock swap", DEADLOCK, "扣减库存失败导致了加锁顺序改变和死锁。"),
    ("deadlock service", DEADLOCK, "order-api 2.11.0 发布后改变了加锁顺序，导致死锁，库存扣减失败。"),
    ("deadlock symptom", DEADLOCK, "库存扣减失败是因为下单失败，stock-service 返回 500。"),
    ("replica swap", REPLICA, "Stale reads of balance-api made bulk-loader's import flood the replica."),
    (
        "replica service",
        REPLICA,
        "Customers see stale balances because balance-api started an import of 40 million ledger rows that floods the replica.",
    ),
    ("replica symptom", REPLICA, "The cause of the stale balances is that reads returned a version older than 300 s."),
    ("cron swap", CRON, "The 100 % CPU of checkout-db caused the runs of nightly-revenue to overlap."),
    ("cron service", CRON, "Overlapping runs of nightly-revenue in checkout-api saturate checkout-db."),
    ("cron symptom", CRON, "checkout-db is busy because of the statement timeout after 5000 ms."),
    ("clock swap", CLOCK, "Rejected tokens made the clock of node-7 drift by 412.8 seconds."),
    ("clock service", CLOCK, "Tokens are rejected because the clock of profile-api drifted by 412.8 seconds."),
    ("clock symptom", CLOCK, "Tokens are rejected because auth-proxy answers 401."),
    ("gc swap", GC, "quote-api 没有得到应答导致 quote-engine 的堆被存活数据占满。"),
    (
        "gc turned",
        GC,
        "quote-engine stalls because price.cache.ttl was changed from 86400 to 60, which filled the heap with live data.",
    ),
    ("gc service", GC, "quote-api 的堆内存几乎被存活数据占满，触发 Full GC，导致 quote-engine 卡顿。"),
    ("gc wide", GC, "The heap of quote-engine is nearly full of live data, so all services stand still."),
)
