"""A third set, worded last: six more incidents, documents without the usual headings, changes told in logs."""

from tests.models.offline.review_set import Incident, doc, late, line, row

KEY = Incident(
    "Why are webhooks from partner-hub rejected since Tuesday?",
    (
        row(
            "id=77, service=partner-hub, setting=signing_key_id, old_value=k2024, new_value=k2026, changed_at=2026-05-06T08:00:00Z",
            service="partner-hub",
            setting="signing_key_id",
            old_value="k2024",
            new_value="k2026",
            changed_at="2026-05-06T08:00:00Z",
        ),
        line(
            "08:01:10",
            "webhook-receiver",
            "ERROR",
            "signature verification failed: unknown key id k2026, sender partner-hub",
        ),
        line("08:01:12", "order-sync", "WARN", "no webhook received for 15 min"),
        doc(
            "Webhook problems",
            "## Possible causes\n\n- **Signing key rotated without the receiver**: the sender signs with a new key that the receiver does not know, so every signature check fails. Look for `unknown key id`.\n- Clock skew between sender and receiver: look for `timestamp outside tolerance`.\n- Body altered by a proxy.\n",
        ),
    ),
)
PROBE = Incident(
    "为什么 cart-service 反复重启？",
    (
        line("19:00:05", "cart-service", "WARN", "startup took 62 s, warming 2.1 million keys"),
        line("19:00:10", "kubelet", "WARN", "Liveness probe failed for cart-service: timeout after 1 s"),
        line("19:00:12", "kubelet", "INFO", "Killing container cart-service, restart count 14"),
        line("19:00:30", "shop-front", "ERROR", "503 from cart-service"),
        doc(
            "探针失败 > 可能的原因 > 原因：存活探针过严",
            "### 原因：存活探针过严\n\n**机理：** 启动阶段需要很长时间预热，存活探针在预热完成之前就判定失败，容器被杀掉重启，如此反复。\n\n**特征：** `Liveness probe failed` 出现在启动之后几十秒内。\n\n**排除：** `OOMKilled`。",
        ),
    ),
)
POOL = Incident(
    "Why do image requests queue up in media-api?",
    (
        line("10:00:00", "media-api", "INFO", "deploy 3.2.0 finished, worker.threads=4 (was 64)"),
        line("10:02:00", "media-api", "WARN", "thread pool 'render' active=4 max=4 queue=1800"),
        line("10:02:30", "cdn-edge", "ERROR", "origin media-api: 504 gateway timeout"),
        doc(
            "Thread pools > Cause: the pool was made too small",
            "### Cause: the pool was made too small\n\n**Mechanism.** With fewer threads than concurrent requests, work waits in the queue and callers give up.\n\n**Signature.** `active` equals `max` and the queue grows right after a change of the setting.\n\n**Rules out.** `deadlock detected`.",
        ),
        doc(
            "Thread pools > Cause: calls without a timeout",
            "### Cause: calls without a timeout\n\n**Mechanism.** Every thread waits for a remote side that never answers.\n\n**Signature.** Thread dumps with `socketRead0` in all workers.",
        ),
    ),
)
MTU = Incident(
    "Why do large uploads from branch offices hang?",
    (
        line("13:00:00", "vpn-gw", "WARN", "interface tun0 mtu changed from 1500 to 1380"),
        line("13:04:00", "vpn-gw", "WARN", "fragmentation needed but DF set, packet 1460 dropped"),
        line("13:05:00", "file-api", "ERROR", "upload aborted: no data received for 60 s from 10.40.2.8"),
        doc(
            "Network > Cause: path MTU mismatch",
            "### Cause: path MTU mismatch\n\nPackets larger than the tunnel's MTU are dropped when they may not be fragmented; small requests pass, large transfers hang.\n\n**Signature.** `fragmentation needed but DF set`.",
        ),
    ),
)
FLAG = Incident(
    "为什么 11 点后优惠券核销失败率升高？",
    (
        row(
            "flag=coupon_v2, service=coupon-service, old_value=off, new_value=on, changed_at=2026-05-06T10:58:00Z",
            flag="coupon_v2",
            service="coupon-service",
            old_value="off",
            new_value="on",
            changed_at="2026-05-06T10:58:00Z",
        ),
        line("10:59:20", "coupon-service", "ERROR", "coupon_v2: column redeem_channel does not exist"),
        line("11:00:10", "checkout-web", "ERROR", "优惠券核销失败：coupon-service 返回 500"),
        doc(
            "功能开关 > 原因：开关早于表结构迁移打开",
            "### 原因：开关早于表结构迁移打开\n\n新逻辑读取的列还没有由迁移创建，打开开关后每次请求都会报错。\n\n**特征：** 开关打开后立即出现 `does not exist`。",
        ),
    ),
)
INODE = Incident(
    "Why can session-store not create files?",
    (
        line("05:00:00", "session-store", "ERROR", "open /data/sess/ab12: No space left on device"),
        line("05:00:30", "node-exporter", "WARN", "filesystem /data: blocks used 41 %, inodes used 100 %"),
        line("05:10:00", "login-api", "ERROR", "could not persist session"),
        doc(
            "Disk full > Cause: inodes used up",
            "### Cause: inodes used up\n\nMillions of tiny session files use every inode while most blocks are free; no file can be created.\n\n**Signature.** `inodes used 100` while blocks are free.",
        ),
        doc(
            "Disk full > Cause: runaway log file",
            "### Cause: runaway log file\n\nOne log grows until the volume has no free blocks.\n\n**Signature.** `blocks used 100`.",
        ),
    ),
)
GOOD_LAST: tuple[tuple[Incident, str], ...] = (
    (
        KEY,
        "webhook-receiver rejects partner-hub's webhooks because partner-hub switched its signing key to k2026, which the receiver does not know.",
    ),
    (
        KEY,
        "Since the signing key of partner-hub was rotated from k2024 to k2026 without telling the receiver, signature verification fails in webhook-receiver.",
    ),
    (KEY, "partner-hub 轮换了签名密钥（k2024 改为 k2026），webhook-receiver 不认识新密钥，导致签名校验失败。"),
    (PROBE, "cart-service 启动预热需要 62 s，而存活探针 1 s 超时，容器在预热完成前被杀掉，因此反复重启。"),
    (
        PROBE,
        "cart-service keeps restarting because its liveness probe is too strict: warming up takes 62 s, the probe fails and kubelet kills the container.",
    ),
    (PROBE, "反复重启的原因是存活探针过严：启动预热期间探针失败，kubelet 杀掉了 cart-service。"),
    (
        POOL,
        "Requests queue up because deploy 3.2.0 reduced worker.threads of media-api from 64 to 4, so the render pool is too small: 1800 requests are waiting.",
    ),
    (
        POOL,
        "The render thread pool of media-api was made too small (4 threads instead of 64) by deploy 3.2.0; work piles up in its queue and cdn-edge gets 504.",
    ),
    (POOL, "media-api 3.2.0 把线程池从 64 调小到 4，请求只能排队，cdn-edge 因此出现 504。"),
    (
        MTU,
        "Large uploads hang because the MTU of tun0 on vpn-gw was lowered to 1380 and larger packets that may not be fragmented are dropped.",
    ),
    (
        MTU,
        "The uploads hang due to an MTU mismatch at vpn-gw: packets of 1460 bytes are dropped, and file-api aborts after 60 s without data.",
    ),
    (
        FLAG,
        "10:58 打开 coupon_v2 开关时表结构迁移还没有执行，coupon-service 读取不存在的列 redeem_channel 报错，导致核销失败。",
    ),
    (
        FLAG,
        "Coupon redemption fails because the flag coupon_v2 was switched on before the migration had created the column redeem_channel, so coupon-service returns 500.",
    ),
    (
        INODE,
        "session-store cannot create files because all inodes of /data are used up (100 %), although only 41 % of the blocks are in use.",
    ),
    (
        INODE,
        "/data has run out of inodes; therefore session-store gets No space left on device and login-api cannot persist sessions.",
    ),
    (INODE, "根因是 /data 的 inode 用尽（100 %），session-store 无法创建文件，login-api 的会话随之无法保存。"),
)
PLANTED_LAST: tuple[tuple[Incident, str], ...] = (
    (KEY, "The failed signature verification made partner-hub rotate its signing key to k2026."),
    (KEY, "webhook-receiver rotated its signing key to k2026, so partner-hub rejects webhooks."),
    (KEY, "Webhooks are rejected because signature verification failed."),
    (KEY, "Webhooks are rejected because of clock skew between sender and receiver."),
    (PROBE, "kubelet 杀掉容器导致存活探针过严。"),
    (PROBE, "shop-front 的存活探针过严，导致 cart-service 反复重启。"),
    (PROBE, "cart-service 反复重启是因为 shop-front 收到 503。"),
    (POOL, "The 504 gateway timeouts of cdn-edge made the render pool of media-api too small."),
    (POOL, "Requests queue up because cdn-edge set worker.threads to 4 and its pool is too small."),
    (POOL, "Requests queue up because calls of media-api have no timeout."),
    (POOL, "Requests queue up because worker.threads was changed from 4 to 64."),
    (POOL, "Requests queue up because the queue holds 1800 requests."),
    (MTU, "Hanging uploads caused the MTU mismatch on vpn-gw."),
    (MTU, "Uploads hang because file-api drops packets larger than its MTU of 1380."),
    (MTU, "Uploads hang because no data was received for 60 s."),
    (FLAG, "核销失败导致开关 coupon_v2 早于迁移打开。"),
    (FLAG, "checkout-web 打开了 coupon_v2 开关，早于迁移，导致核销失败。"),
    (FLAG, "优惠券核销失败是因为 coupon-service 返回 500。"),
    (INODE, "session-store cannot create files because a runaway log file filled the blocks of /data."),
    (INODE, "login-api used up all inodes because session-store could not persist sessions."),
    (INODE, "The root cause is No space left on device in session-store."),
    (late(KEY, 0, "09:30:00"), GOOD_LAST[0][1]),
    (late(POOL, 0, "10:40:00"), GOOD_LAST[6][1]),
    (late(FLAG, 0, "11:30:00"), GOOD_LAST[11][1]),
    (late(MTU, 0, "13:50:00"), GOOD_LAST[9][1]),
    (late(PROBE, 0, "19:30:05"), GOOD_LAST[3][1]),
)
