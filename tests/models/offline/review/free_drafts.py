"""Drafts in free wording that hold, and clauses that no evidence of their incident speaks of."""

from tests.models.offline.review.incidents import GEO, MAIL, QUOTA, SCHED, VERSION, Draft, Incident

FREE: tuple[tuple[Incident, Draft], ...] = tuple(
    (incident, Draft(f"free {n}", text, analysis))
    for n, (incident, text, analysis) in enumerate(
        (
            (
                GEO,
                "A batch job was the culprit: tile-builder rebuilt region west with 48 workers and used up the bandwidth of tiles-vol. As a result tile-server had to queue for its reads, and tracking-web gave up after 3000 ms.",
                (
                    ("The rebuild kicked off at 07:58:30, shortly before users noticed anything.", ("start", "slow")),
                    (
                        "At 08:05:00 the builder pulled 910 MB/s while the server was left with 38.",
                        ("io", "io2"),
                    ),
                ),
            ),
            (
                GEO,
                "The map became sluggish because the nightly style rebuild of tile-builder hogged the shared volume.".replace(
                    "nightly style ", "full "
                ),
                (
                    (
                        "Slow reads show up from 08:00:12 on and cease when the rebuild is done.",
                        ("start", "slow", "end"),
                    ),
                    ("tracking-web logged 2210 timeouts in that hour.", ("app",)),
                ),
            ),
            (
                GEO,
                "tile-builder 的全量重建把共享卷 tiles-vol 的吞吐占满，tile-server 读取瓦片变慢，tracking-web 的请求随之超时。",
                (
                    ("07:58:30 开始重建，用了 48 个 worker。", ("start",)),
                    ("tile-builder 每秒读 910 MB，远高于 tile-server 的 38。", ("io", "io2")),
                ),
            ),
            (
                GEO,
                "Tile requests were slow since a rebuild overloaded the disk they are read from.",
                (
                    ("The volume was throttled while the rebuild was in progress.", ("start", "slow")),
                    ("The runbook warns that callers time out once a batch client saturates a volume.", ("book",)),
                ),
            ),
            (
                MAIL,
                "Somebody rotated the SPF record of smtp-relay at 13:10 and dropped an include; from then on other servers bounced our reset mails.",
                (
                    ("The entry for CHG-901 mentions that mailer.example was taken out.", ("change",)),
                    ("Four minutes later the first of 812 rejections was logged.", ("reject",)),
                ),
            ),
            (
                MAIL,
                "Password-reset mails were rejected because the SPF record had lost the entry for mailer.example.",
                (
                    ("Every rejection carries code 550 and names SPF.", ("reject",)),
                    ("Only the reset-mail queue was long, newsletter was almost empty.", ("small", "other")),
                ),
            ),
            (
                MAIL,
                "The SPF change CHG-901 is behind the missing mails. mail-worker could do nothing but defer them, hence the backlog of 2310.",
                (
                    ("The change preceded the first rejection.", ("change", "reject")),
                    ("At 13:40 the oldest deferred message had been waiting for 24 min.", ("queue",)),
                ),
            ),
            (
                MAIL,
                "变更 CHG-901 从 SPF 记录里去掉了 mailer.example，收件方因此拒收我们的邮件，重置邮件堆积在队列中。",
                (
                    ("smtp-relay 从 13:14:20 起记录了 812 次 SPF 校验失败。", ("reject",)),
                    ("13:40 队列里积压 2310 封邮件。", ("queue",)),
                ),
            ),
            (
                QUOTA,
                "export-service 的存储角色在 08:40 被改成只读的 reader，之后写文件一律碰壁，报表自然导不出来。".replace(
                    "一律碰壁", "都被拒绝"
                ),
                (
                    ("变更记录里，storage.role 的旧值是 writer，新值是 reader。", ("role",)),
                    ("一分多钟以后就有了第一条 AccessDenied。", ("deny",)),
                ),
            ),
            (
                QUOTA,
                "The export failed because export-service had been switched to the read-only role reader and was no longer allowed to write to the bucket.",
                (
                    ("storage.role went from writer to reader at 08:40:00.", ("role",)),
                    ("AccessDenied was logged 640 times, none of them before the switch.", ("deny",)),
                ),
            ),
            (
                QUOTA,
                "问题出在权限：角色换成 reader 以后 PutObject 全都被拒，用户看到的就是导出失败。".replace("全都", ""),
                (
                    ("report-web 收到的都是 export-service 返回的 500。", ("fail",)),
                    ("用户反复点击导出，排队的请求有 320 个，这只是后果。", ("retry", "book")),
                ),
            ),
            (
                QUOTA,
                "导出失败是存储角色变更造成的。",
                (
                    ("把角色换回 writer 以后，报错就停了。", ("back", "deny")),
                    ("存储桶还很空，容量不是原因。", ("space",)),
                ),
            ),
            (
                VERSION,
                "With release 5.2.0 feed-parser no longer understands the decimal separator, throws NumberFormatException and drops the quotes; the cache therefore kept serving old prices.",
                (
                    (
                        "The new version went live at 16:02:00, one minute before the first exception.",
                        ("deploy", "parse"),
                    ),
                    ("880 instruments went without an update.", ("stale",)),
                ),
            ),
            (
                VERSION,
                "The new parser release is to blame: it chokes on numbers that the old one could read.",
                (
                    ("The deployment note speaks of decimal separator handling.", ("deploy",)),
                    ("12040 quotes were skipped after it.", ("parse",)),
                ),
            ),
            (
                VERSION,
                "feed-parser 升级到 5.2.0 之后无法解析小数，报价被跳过，quote-cache 只能提供过期价格。",
                (
                    ("16:02:00 部署 5.2.0，16:03:05 出现第一条 NumberFormatException。", ("deploy", "parse")),
                    ("16:10:00 trading-ui 报警，310 个品种的价格过期。", ("alarm",)),
                ),
            ),
            (
                VERSION,
                "Traders saw stale prices because feed-parser 5.2.0 rejects the decimals it is fed.",
                (
                    ("Nothing of the kind was logged before the rollout.", ("parse", "deploy")),
                    ("quote-cache got no update for 880 instruments.", ("stale",)),
                    (
                        "feed-gateway was connected all the while, so the exchange session is not the reason.",
                        ("reconnect",),
                    ),
                ),
            ),
            (
                SCHED,
                "gpu-pool 缩容到 3 个节点，训练 Pod 排不上队，用户画像任务到截止时间只跑完 7 个分片。",
                (
                    ("23:30 的变更把节点数从 12 降到 3。", ("taint",)),
                    ("01:00 有 33 个 Pod 在等，只有 3 个在跑。", ("q1",)),
                ),
            ),
            (
                SCHED,
                "画像任务没赶上 04:00，是因为 GPU 节点前一晚被缩掉了大半，Pod 没有地方运行。",
                (
                    ("调度器 410 次报告 GPU 不足。", ("pend",)),
                    ("search 的 Pod 没有受影响。", ("q2",)),
                ),
            ),
            (
                SCHED,
                "The profile job missed its deadline because the GPU pool had been scaled down to 3 nodes the evening before and most of its pods stayed pending.",
                (
                    ("The pool shrank from 12 nodes to 3 at 23:30.", ("taint",)),
                    ("Only 7 of 40 shards were ready at 04:00.", ("late",)),
                    ("The scheduler found no node with a free GPU for its pods.", ("pend",)),
                ),
            ),
            (
                SCHED,
                "节点池缩容造成 GPU 紧缺，任务迟迟调度不了，推荐接口只好沿用旧画像。",
                (
                    ("缩容后 11 分钟出现第一个无法调度的 Pod。", ("taint", "pend")),
                    ("recommend-api 在 04:05:00 开始使用昨日数据。", ("down",)),
                ),
            ),
        ),
        1,
    )
)

ADDED: tuple[tuple[Incident, str, str], ...] = (
    (GEO, "conclusion", "; hackers encrypted the backups"),
    (GEO, "conclusion", ". The finance department lost its archive."),
    (GEO, "conclusion", ", and the payment provider went bankrupt"),
    (GEO, "conclusion", "; the firewall is innocent"),
    (GEO, "conclusion", "，另外黑客窃取了用户密码"),
    (GEO, "conclusion", " while an intern wiped the production cluster"),
    (GEO, "analysis", "A janitor unplugged the router in building seven."),
    (GEO, "hypothesis", "The cooling of the data centre collapsed"),
    (GEO, "action", "Delete the customer archive"),
    (GEO, "recommendation", "The vendor sold us counterfeit drives"),
    (GEO, "limitation", "The kernel was infected by a rootkit"),
    (MAIL, "conclusion", "; le serveur principal a été volé"),
    (MAIL, "conclusion", ". A former employee leaked the salaries."),
    (MAIL, "conclusion", ", which exposed patient files"),
    (MAIL, "analysis", "The DBA truncated the invoices table on purpose."),
    (MAIL, "analysis", "smtp-relay was bribed, and the auditors forged the ledger"),
    (MAIL, "action", "Drop the invoices schema"),
    (MAIL, "limitation", "The company wired money to criminals; times are UTC"),
    (QUOTA, "conclusion", "；管理员故意删除了客户表"),
    (QUOTA, "conclusion", "，机房发生火灾"),
    (QUOTA, "conclusion", "，而竞争对手买通了供应商"),
    (QUOTA, "analysis", "黑客盗走了全部银行卡号。"),
    (QUOTA, "hypothesis", "数据库主库磁盘损坏"),
    (QUOTA, "action", "清空财务账本并解雇运维"),
    (QUOTA, "limitation", "防火墙被攻破了"),
    (VERSION, "conclusion", "; regulators fined the exchange"),
    (VERSION, "recommendation", "Sue the network supplier"),
    (VERSION, "analysis", "An earthquake cut the fibre."),
    (SCHED, "conclusion", "，同时勒索软件加密了备份"),
    (SCHED, "recommendation", "起诉云厂商并索赔"),
)
"""Incident, where the clause is added to its first draft that holds, and the clause."""

HARMLESS: tuple[tuple[Incident, str, str], ...] = (
    (GEO, "action", "Cap the read throughput of tile-builder on tiles-vol"),
    (GEO, "action", "Run the next rebuild with fewer workers"),
    (GEO, "limitation", "Storage metrics of the vendor are not available"),
    (GEO, "limitation", "Logs of tile-server and tracking-web between 08:00 and 09:00; firmware version unknown"),
    (MAIL, "action", "Restore the include of mailer.example in the SPF record after approval by its owner"),
    (MAIL, "recommendation", "Add an alert on rejected mails"),
    (QUOTA, "action", "把 export-service 的角色恢复为 writer，并验证导出"),
    (QUOTA, "limitation", "没有数据库慢查询日志，无法判断其他服务"),
    (VERSION, "recommendation", "Roll back feed-parser to the previous version"),
    (SCHED, "action", "恢复 GPU 节点数并重跑画像任务"),
)
"""The same with clauses that a careful writer may add."""
