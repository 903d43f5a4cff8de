"""Families of faults for made worlds: causes with their log telltale, their metric and how a runbook words them. Data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """One cause of a family."""

    phrase: str
    mechanism: str
    telltale: str
    """Literal the runbook names."""
    record: str
    """Log message that holds the telltale; ``{n}`` is a number."""
    metric: str
    trend: str
    """``up`` or ``down``."""
    trend_words: str
    levels: tuple[float, float]
    """Usual level, and the level after the fault set in."""
    zh_phrase: str
    zh_mechanism: str
    zh_trend: str


@dataclass(frozen=True)
class Family:
    """Causes of one symptom."""

    title: str
    zh_title: str
    symptom: str
    """Error message of the service; ``{n}`` is a number."""
    asks: str
    zh_asks: str
    latency: str
    """Metric that every cause raises."""
    alert: str
    causes: tuple[Cause, ...]


WORKERS = Family(
    title="Requests of a service time out",
    zh_title="服务请求超时",
    symptom="request timed out after {n} ms",
    asks="Why do requests of {svc} time out since {at}?",
    zh_asks="为什么 {svc} 的请求从 {at} 开始超时？",
    latency="http_server_request_duration_seconds",
    alert="RequestLatencyHigh",
    causes=(
        Cause(
            "worker threads starved by a blocking call",
            "Tasks wait in the executor because every worker thread is blocked; new tasks are rejected.",
            "task rejected by executor",
            "task rejected by executor: {n} threads busy, worker pool starved",
            "executor_queue_depth",
            "up",
            "climbs",
            (3, 180),
            "工作线程被阻塞调用占满",
            "所有工作线程被阻塞，任务在队列中堆积，新的任务被拒绝。",
            "持续上升",
        ),
        Cause(
            "long garbage collection pauses of a full heap",
            "The heap is nearly full, the collector runs back to back and stops the process.",
            "collector paused the process for",
            "collector paused the process for {n} ms, heap nearly full after collection",
            "gc_pause_seconds",
            "up",
            "rises",
            (0.02, 1.4),
            "堆内存接近用尽导致长时间垃圾回收停顿",
            "堆内存接近用尽，垃圾回收连续运行并使进程停顿。",
            "上升",
        ),
        Cause(
            "statements queue behind a lock in the primary database",
            "One transaction keeps a lock and other statements queue until they are cancelled.",
            "statement cancelled while waiting for lock",
            "statement cancelled while waiting for lock on relation {n}",
            "db_lock_waiters",
            "up",
            "jumps",
            (0.5, 35),
            "主库中的语句在锁后面排队",
            "一个事务长期持有锁，其他语句排队直到被取消。",
            "突增",
        ),
    ),
)
CACHE = Family(
    title="Slow answers behind a cache",
    zh_title="缓存后端响应慢",
    symptom="origin answered slowly, {n} ms over the limit",
    asks="Why is {svc} slow since {at}?",
    zh_asks="为什么 {svc} 从 {at} 开始变慢？",
    latency="edge_response_seconds",
    alert="EdgeResponseSlow",
    causes=(
        Cause(
            "keys evicted because the cache ran out of memory",
            "The memory limit is reached, the cache evicts live keys and reads go to the origin.",
            "evicting live keys",
            "evicting live keys, memory limit reached, {n} keys gone",
            "cache_hit_ratio",
            "down",
            "falls",
            (0.94, 0.31),
            "缓存内存用尽导致键被淘汰",
            "内存达到上限，缓存淘汰仍在使用的键，读取全部落到源站。",
            "下降",
        ),
        Cause(
            "connections to the cache reset by a failing node",
            "A node restarts again and again; its connections are reset and reads go to the origin.",
            "connection reset by cache node",
            "connection reset by cache node, reconnect attempt {n}",
            "cache_reconnects_per_minute",
            "up",
            "increases",
            (0.2, 24),
            "故障节点重置缓存连接",
            "某节点反复重启，连接被重置，读取落到源站。",
            "增加",
        ),
        Cause(
            "origin throttles the service after its quota is spent",
            "The quota is used up and the origin delays each further call.",
            "quota spent, call delayed",
            "quota spent, call delayed by origin, {n} calls waiting",
            "origin_throttled_calls",
            "up",
            "goes up",
            (0.1, 60),
            "配额用尽后被源站限流",
            "配额已经用尽，源站延迟之后的每个调用。",
            "升高",
        ),
    ),
)
CONSUMER = Family(
    title="Messages are processed late",
    zh_title="消息处理延迟",
    symptom="message expired in queue after {n} s",
    asks="Why do messages of {svc} expire in the queue since {at}?",
    zh_asks="为什么 {svc} 的消息从 {at} 开始在队列中过期？",
    latency="consumer_processing_seconds",
    alert="QueueAgeHigh",
    causes=(
        Cause(
            "consumers rebalance without end",
            "Members miss their heartbeat, leave the group and join again; meanwhile nothing is consumed.",
            "member left the group, heartbeat missed",
            "member left the group, heartbeat missed, rebalance round {n}",
            "consumer_group_members",
            "down",
            "drops",
            (12, 3),
            "消费者不断重新平衡",
            "成员错过心跳、离开消费组又重新加入，期间没有消费。",
            "减少",
        ),
        Cause(
            "a poison message retried for ever",
            "One message cannot be decoded, is put back and blocks the partition.",
            "cannot decode payload, message put back",
            "cannot decode payload, message put back, retry {n}",
            "consumer_retries_per_minute",
            "up",
            "grows",
            (1, 140),
            "无法解码的消息被无限重试",
            "某条消息无法解码，被放回队列并阻塞分区。",
            "增长",
        ),
        Cause(
            "downstream store rejects writes of a full volume",
            "The volume of the store is full and every write is refused and tried again.",
            "write refused, volume full",
            "write refused, volume full, {n} bytes free",
            "store_volume_used_ratio",
            "up",
            "rises",
            (0.55, 0.99),
            "下游存储的卷写满后拒绝写入",
            "存储的卷已写满，每次写入都被拒绝并重试。",
            "上升",
        ),
    ),
)
FAMILIES = (WORKERS, CACHE, CONSUMER)
SERVICES = ("parcel-api", "ledger-core", "seat-booking", "quote-engine", "menu-service", "loyalty-hub", "fleet-map")
OTHERS = ("print-farm", "badge-gate", "survey-mailer", "photo-resizer")
