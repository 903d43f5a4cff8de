"""Five incidents for the reviewer, with documents in plain prose: drafts that hold, and drafts wrong in meaning only."""

from dataclasses import dataclass, field

Json = dict[str, object]


def item(kind, tool, text, fields, status="EVIDENCE_FOUND") -> Json:
    return {
        "kind": kind,
        "tool": tool,
        "source": "app",
        "window": None,
        "evidence_status": status,
        "text": text,
        "fields": fields,
    }


def log(ts, level, service, text) -> Json:
    return item(
        "TELEMETRY", "query_logs", f"{ts} {level} {service} {text}", {"ts": ts, "service": service, "level": level}
    )


def pattern(service, level, text, count, before, first, last) -> Json:
    fields = {
        "count": count,
        "count_before": before,
        "first_ts": first,
        "last_ts": last,
        "service": service,
        "level": level,
    }
    return item("TELEMETRY", "query_logs", text, fields)


def row(**cells) -> Json:
    return item(
        "TELEMETRY",
        "query_sql",
        ", ".join(f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in cells.items()),
        cells,
    )


def doc(title, breadcrumb, text) -> Json:
    return item("KNOWLEDGE", "lookup_knowledge", text, {"title": title, "breadcrumb": breadcrumb})


@dataclass(frozen=True)
class Incident:
    question: str
    evidence: dict[str, Json]

    def request(self, draft: "Draft") -> Json:
        cited = list(dict.fromkeys(key for _, keys in draft.analysis for key in keys)) or list(self.evidence)
        refs = {key: f"E{n}" for n, key in enumerate(cited, 1)}
        analysis = [
            {
                "ref": f"A{n}",
                "kind": "NORMAL",
                "text": text,
                "quotes": [{"evidence": refs[k], "text": str(self.evidence[k]["text"])[:60]} for k in keys],
            }
            for n, (text, keys) in enumerate(draft.analysis, 1)
        ]
        return {
            "question": self.question,
            "draft": {
                "conclusion": {"kind": "ROOT_CAUSE", "text": draft.text, "based_on": [a["ref"] for a in analysis]},
                "analysis": analysis,
                "actions": [],
                "recommendations": [],
            },
            "evidence": [{"ref": refs[key], **self.evidence[key]} for key in cited],
        }


@dataclass(frozen=True)
class Draft:
    name: str
    text: str
    analysis: tuple[tuple[str, tuple[str, ...]], ...] = field(default=())


MAIL = Incident(
    "Why did password-reset mails stop arriving on the afternoon of 3 March?",
    {
        "change": row(
            id="CHG-901",
            applied_at="2026-03-03T13:10:00+00:00",
            target="smtp-relay",
            summary="rotate SPF record, drop include of mailer.example",
        ),
        "reject": pattern(
            "smtp-relay",
            "ERROR",
            "550 5.7.1 message rejected: SPF check failed for <domain>",
            812,
            0,
            "2026-03-03T13:14:20+00:00",
            "2026-03-03T15:01:00+00:00",
        ),
        "queue": log(
            "2026-03-03T13:40:00.000+00:00", "WARN", "mail-worker", "deferred queue length 2310, oldest 24 min"
        ),
        "small": row(taken_at="2026-03-03T13:45:00+00:00", queue="reset-mail", depth=2310),
        "other": row(taken_at="2026-03-03T13:45:00+00:00", queue="newsletter", depth=12),
        "retry": log(
            "2026-03-03T14:20:00.000+00:00", "INFO", "mail-worker", "retry interval raised from 60 s to 900 s"
        ),
        "book": doc(
            "Mail rejected by SPF",
            "Mail > Delivery > SPF",
            'If the SPF record no longer lists the sending relay, receiving servers reject each message with 550 and "SPF check failed". The worker defers what is rejected, its queue grows, and users wait for their mail. A long deferred queue is a consequence and drains by itself once the record is right. Fix: add the include again.',
        ),
        "full": doc(
            "Mail worker overload",
            "Mail > Delivery > Overload",
            'When the worker has too few threads, its queue grows as well, but then no message is rejected and the log shows "pool exhausted".',
        ),
    },
)
GEO = Incident(
    "Why were map tiles slow in the tracking app on 11 June between 08:00 and 09:00?",
    {
        "start": log(
            "2026-06-11T07:58:30.000+00:00", "INFO", "tile-builder", "full rebuild of region west started, workers=48"
        ),
        "io": row(taken_at="2026-06-11T08:05:00+00:00", volume="tiles-vol", client="tile-builder", read_mb_s=910),
        "io2": row(taken_at="2026-06-11T08:05:00+00:00", volume="tiles-vol", client="tile-server", read_mb_s=38),
        "slow": pattern(
            "tile-server",
            "WARN",
            "read of tile <path> took <num> ms, volume throttled",
            5400,
            3,
            "2026-06-11T08:00:12+00:00",
            "2026-06-11T08:58:40+00:00",
        ),
        "app": pattern(
            "tracking-web",
            "ERROR",
            "tile request to tile-server timed out after 3000 ms",
            2210,
            1,
            "2026-06-11T08:00:40+00:00",
            "2026-06-11T08:59:02+00:00",
        ),
        "end": log("2026-06-11T08:58:31.000+00:00", "INFO", "tile-builder", "full rebuild finished"),
        "cache": log("2026-06-11T08:32:00.000+00:00", "INFO", "tracking-web", "browser cache lifetime lowered to 60 s"),
        "book": doc(
            "Shared volume saturated",
            "Storage > Shared volumes",
            "All clients of a volume share its throughput. A batch client that reads with many workers uses it up; the volume is then throttled, reads of the other clients take seconds and their callers time out. Timeouts in callers are effects. Compare throughput by client.",
        ),
    },
)
QUOTA = Incident(
    "9月2日上午报表导出为什么一直失败？",
    {
        "role": row(
            applied_at="2026-09-02T08:40:00+08:00",
            target="export-service",
            setting="storage.role",
            old_value="writer",
            new_value="reader",
        ),
        "deny": pattern(
            "export-service",
            "ERROR",
            "AccessDenied: PutObject 被拒绝，角色 reader 没有写入权限",
            640,
            0,
            "2026-09-02T08:41:10+08:00",
            "2026-09-02T10:20:00+08:00",
        ),
        "fail": pattern(
            "report-web",
            "ERROR",
            "导出失败，export-service 返回 500",
            655,
            2,
            "2026-09-02T08:41:12+08:00",
            "2026-09-02T10:20:05+08:00",
        ),
        "retry": log("2026-09-02T08:55:00.000+08:00", "WARN", "report-web", "用户重复提交导出，排队 320 个"),
        "space": row(taken_at="2026-09-02T09:00:00+08:00", bucket="exports", used_percent=31, versioning=True),
        "back": row(
            applied_at="2026-09-02T10:19:30+08:00",
            target="export-service",
            setting="storage.role",
            old_value="reader",
            new_value="writer",
        ),
        "book": doc(
            "对象存储写入被拒",
            "存储 > 对象存储 > 权限",
            "服务使用的角色被换成只读角色后，写入请求全部返回 AccessDenied，导出任务失败，页面提示导出失败，用户反复提交造成排队。排队和重复提交是结果，不是起因。处置：恢复角色。",
        ),
        "other": doc(
            "存储桶写满",
            "存储 > 对象存储 > 容量",
            "存储桶写满时写入返回 QuotaExceeded，used_percent 接近 100，此时没有 AccessDenied。",
        ),
    },
)
VERSION = Incident(
    "What broke the price feed on 19 May after 16:00?",
    {
        "deploy": row(
            service="feed-parser",
            version="5.2.0",
            started_at="2026-05-19T16:02:00+00:00",
            note="switch decimal separator handling",
        ),
        "deploy2": row(
            service="feed-gateway", version="2.9.1", started_at="2026-05-18T09:00:00+00:00", note="log format"
        ),
        "parse": pattern(
            "feed-parser",
            "ERROR",
            "NumberFormatException: For input string: <value>, quote skipped",
            12040,
            0,
            "2026-05-19T16:03:05+00:00",
            "2026-05-19T17:10:00+00:00",
        ),
        "stale": pattern(
            "quote-cache",
            "WARN",
            "no update for instrument <id> in 60 s, serving stale price",
            880,
            4,
            "2026-05-19T16:04:10+00:00",
            "2026-05-19T17:11:30+00:00",
        ),
        "alarm": log("2026-05-19T16:10:00.000+00:00", "ERROR", "trading-ui", "price feed stale for 310 instruments"),
        "reconnect": log(
            "2026-05-19T16:12:00.000+00:00", "INFO", "feed-gateway", "reconnected to exchange, session 88"
        ),
        "book": doc(
            "Quotes skipped by the parser",
            "Market data > Feed > Parser",
            'When a release of the parser reads decimals differently, it throws NumberFormatException and skips the quote. The cache then gets no update and serves stale prices, and the screens raise an alarm. Stale prices are a symptom. If the exchange session is lost instead, feed-gateway logs "session lost" and the parser is silent.',
        ),
    },
)
SCHED = Incident(
    "4月6日夜里用户画像任务为什么没有按时完成？",
    {
        "taint": row(applied_at="2026-04-05T23:30:00+08:00", target="gpu-pool", summary="缩容，节点数 12 改为 3"),
        "pend": pattern(
            "scheduler",
            "WARN",
            "Pod profile-train-<id> 无法调度：0/3 nodes available, insufficient gpu",
            410,
            0,
            "2026-04-05T23:41:00+08:00",
            "2026-04-06T05:00:00+08:00",
        ),
        "late": log("2026-04-06T04:00:00.000+08:00", "ERROR", "profile-job", "超过截止时间 04:00，完成 7/40 个分片"),
        "down": log("2026-04-06T04:05:00.000+08:00", "WARN", "recommend-api", "用户画像过期，使用昨日数据"),
        "q1": row(taken_at="2026-04-06T01:00:00+08:00", namespace="profile", pending_pods=33, running_pods=3),
        "q2": row(taken_at="2026-04-06T01:00:00+08:00", namespace="search", pending_pods=0, running_pods=18),
        "book": doc(
            "GPU 不足导致任务排队",
            "平台 > 调度 > GPU",
            "GPU 节点池缩容以后，可用节点减少，训练 Pod 无法调度而一直 Pending，任务分片完成得很慢并超过截止时间，下游只能使用过期的画像。下游使用旧数据只是结果。处置：恢复节点数。",
        ),
    },
)

GOOD: tuple[tuple[Incident, Draft], ...] = (
    (
        MAIL,
        Draft(
            "mail 1",
            "Reset mails stopped because change CHG-901 removed mailer.example from the SPF record; from 13:14:20 on smtp-relay saw its messages rejected and mail-worker could only defer them.",
            (
                ("CHG-901 on smtp-relay was applied at 13:10.", ("change",)),
                ("smtp-relay recorded 812 rejections with a failed SPF check, the first at 13:14:20.", ("reject",)),
                ("mail-worker had 2310 deferred messages at 13:40.", ("queue",)),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail 2",
            "The SPF record no longer covered our relay after CHG-901, so receiving servers refused the mails.",
            (
                ("SPF checks failed 812 times in smtp-relay after the change.", ("change", "reject")),
                (
                    "The runbook says that servers reject each message when the record no longer lists the relay.",
                    ("book",),
                ),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail 3",
            "Root cause: the rotated SPF record. Mails were rejected with 550, piled up in the deferred queue and did not reach the users.",
            (
                ("The record was rotated at 13:10:00.", ("change",)),
                (
                    "550 rejections began four minutes later; depth of reset-mail reached 2310 while newsletter stayed at 12.",
                    ("reject", "small", "other"),
                ),
                ("A long deferred queue is a consequence.", ("book",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo 1",
            "Tiles were slow since the full rebuild by tile-builder took nearly the whole throughput of tiles-vol, leaving tile-server with throttled reads and tracking-web with timeouts.",
            (
                (
                    "The rebuild with 48 workers started at 07:58:30, less than two minutes before the first slow read.",
                    ("start", "slow"),
                ),
                ("tile-builder read 910 MB/s, tile-server only 38.", ("io", "io2")),
                ("tracking-web had 2210 timeouts.", ("app",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo 2",
            "tile-builder's batch rebuild starved tile-server on the shared volume, and the tracking app timed out.",
            (
                ("The rebuild ran from 07:58:30 to 08:58:31.", ("start", "end")),
                ("Reads in tile-server were throttled from 08:00:12 to 08:58:40.", ("slow",)),
                ("A batch client that reads with many workers uses up the throughput of a volume.", ("book",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo 3",
            "A region rebuild saturated tiles-vol. Everything downstream of it, tile-server first and tracking-web then, waited for reads.".replace(
                "Everything downstream of it, tile-server", "Downstream of it, tile-server"
            ),
            (
                ("region west was rebuilt with 48 workers.", ("start",)),
                ("5400 reads of tile-server were slow and the volume was throttled.", ("slow",)),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota 1",
            "08:40 的变更把 export-service 的存储角色从 writer 换成 reader，写入被拒绝，报表导出因此失败。",
            (
                ("08:40:00 export-service 的 storage.role 由 writer 改为 reader。", ("role",)),
                ("08:41:10 起 export-service 出现 640 次 AccessDenied。", ("deny",)),
                ("report-web 同时开始报导出失败，共 655 次。", ("fail",)),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota 2",
            "导出失败的根因是 export-service 使用了只读角色 reader，没有写入权限，PutObject 被拒。",
            (
                ("export-service 的 PutObject 被拒绝 640 次。", ("deny",)),
                ("10:19:30 把角色改回 writer 后，错误在 10:20:00 之后没有再出现。", ("back", "deny")),
                ("存储桶 exports 只用了 31，并没有写满。", ("space",)),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota 3",
            "由于角色变更，export-service 失去写权限，导致 report-web 的导出请求返回 500。",
            (
                ("角色变更发生在首个 AccessDenied 之前 70 秒。", ("role", "deny")),
                ("手册指出，换成只读角色后写入请求全部返回 AccessDenied。", ("book",)),
                ("report-web 的导出失败 655 次。", ("fail",)),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version 1",
            "feed-parser 5.2.0 changed how decimals are read and has thrown NumberFormatException since its rollout; the skipped quotes left quote-cache without updates.",
            (
                ("feed-parser 5.2.0 was started at 16:02:00.", ("deploy",)),
                ("12040 quotes were skipped from 16:03:05 on, none before.", ("parse",)),
                ("quote-cache served stale prices from 16:04:10.", ("stale",)),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version 2",
            "The price feed broke because release 5.2.0 of feed-parser cannot parse the quotes any more.",
            (
                ("The release came one minute before the first NumberFormatException.", ("deploy", "parse")),
                ("trading-ui raised its alarm at 16:10:00.", ("alarm",)),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version 3",
            "A decimal handling change in the parser release of 16:02 made it skip quotes, which is why prices in quote-cache went stale and trading-ui raised an alarm for 310 instruments.",
            (
                ("Version 5.2.0 of feed-parser notes a switch in decimal separator handling.", ("deploy",)),
                ("feed-gateway was not down: it reconnected at 16:12:00 with session 88.", ("reconnect",)),
                ("The runbook ties skipped quotes to a parser release.", ("book",)),
                ("12040 quotes were skipped and quote-cache went stale.", ("parse", "stale")),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched 1",
            "gpu-pool 在 23:30 缩容到 3 个节点，训练 Pod 因 GPU 不足无法调度，用户画像任务到 04:00 只完成 7/40 个分片。",
            (
                ("23:30:00 gpu-pool 缩容。", ("taint",)),
                ("23:41:00 起 scheduler 报 410 次无法调度。", ("pend",)),
                ("profile-job 在 04:00 超过截止时间。", ("late",)),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched 2",
            "画像任务延误是 GPU 节点池缩容造成的：可用节点不够，Pod 一直排队。",
            (
                ("节点数从 12 减到 3。", ("taint",)),
                ("01:00 时 profile 有 33 个 Pod 在等待，search 没有。", ("q1", "q2")),
                ("缩容以后训练 Pod 无法调度。", ("book", "pend")),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched 3",
            "根因在于前一晚对 gpu-pool 的缩容，profile-job 抢不到 GPU，没能在截止时间前跑完，recommend-api 只好使用昨日数据。",
            (
                ("缩容变更时间为 23:30:00。", ("taint",)),
                ("profile-job 只完成 7/40。", ("late",)),
                ("04:05:00 recommend-api 改用昨日数据。", ("down",)),
                ("0/3 nodes available。", ("pend",)),
            ),
        ),
    ),
)

PLANTED: tuple[tuple[Incident, Draft], ...] = (
    (
        MAIL,
        Draft(
            "mail swapped",
            "The growing queue of mail-worker led receiving servers to reject each message by the SPF check.",
            (
                ("mail-worker had a deferred queue of 2310 and then messages were rejected.", ("queue", "reject")),
                ("Users wait for their mail.", ("book",)),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail symptom",
            "The cause is the long deferred queue in mail-worker: with 2310 deferred messages users wait for their mail.",
            (
                ("mail-worker had queue length 2310.", ("queue",)),
                ("Messages of smtp-relay were rejected.", ("reject", "book")),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail alternative",
            "Password-reset mails stopped because the worker has too few threads and its pool exhausted.",
            (
                ("mail-worker had a deferred queue of 2310.", ("queue",)),
                ("When the worker has too few threads, its queue grows.", ("full",)),
                ("smtp-relay logged 812.", ("reject",)),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail late",
            "mail-worker raised its retry interval to 900 s, and so messages were rejected by the SPF check and mails stopped.",
            (
                ("mail-worker raised the retry interval from 60 s to 900 s.", ("retry",)),
                ("SPF check failed 812 times in smtp-relay.", ("reject",)),
            ),
        ),
    ),
    (
        MAIL,
        Draft(
            "mail number",
            "Since the SPF change of CHG-901 messages are rejected, and the newsletter queue has grown to a depth of 2310.",
            (
                ("CHG-901 dropped the include of mailer.example.", ("change",)),
                ("Queue newsletter had depth 2310.", ("small", "other")),
                ("SPF check failed.", ("reject",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo service",
            "tile-server used up the throughput of tiles-vol, so its reads were throttled and tracking-web timed out.",
            (
                ("tile-server read from the volume with many workers.", ("io", "io2")),
                ("tracking-web timed out 2210 times.", ("app",)),
                ("Reads took long.", ("slow",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo swapped",
            "The timeouts of tracking-web made tile-builder start a full rebuild with 48 workers.",
            (
                ("tile request timed out in tracking-web.", ("app",)),
                ("tile-builder then started a full rebuild.", ("start", "book")),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo late",
            "tracking-web lowered its browser cache lifetime to 60 s, which is why reads in tile-server took seconds.",
            (
                ("browser cache lifetime was lowered to 60 s.", ("cache",)),
                ("tile-server had 5400 slow reads.", ("slow",)),
            ),
        ),
    ),
    (
        GEO,
        Draft(
            "geo wide",
            "The full rebuild of tile-builder used up every volume, and all services timed out.",
            (
                ("The rebuild started at 07:58:30 with 48 workers.", ("start",)),
                ("tile-server and tracking-web were slow.", ("slow", "app")),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota alternative",
            "存储桶 exports 写满，写入请求返回 QuotaExceeded，导出任务失败。",
            (
                ("存储桶 exports 的 used_percent 为 31。", ("space",)),
                ("存储桶写满时写入返回 QuotaExceeded。", ("other",)),
                ("export-service 写入被拒绝。", ("deny",)),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota symptom",
            "起因是用户重复提交，排队 320 个，export-service 因此返回 500。",
            (
                ("report-web 用户重复提交导出，排队 320 个。", ("retry",)),
                ("report-web 导出失败 655 次。", ("fail", "book")),
            ),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota service",
            "report-web 的 storage.role 被换成 reader，没有写入权限，PutObject 被拒绝，导出失败。",
            (("report-web 的角色由 writer 改为 reader。", ("role",)), ("PutObject 被拒绝 640 次。", ("deny",))),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota turned",
            "export-service 的角色从 reader 改为 writer，导致写入被拒绝、导出失败。",
            (("export-service 的角色变更发生在 08:40:00。", ("role",)), ("AccessDenied 640 次。", ("deny",))),
        ),
    ),
    (
        QUOTA,
        Draft(
            "quota swapped",
            "导出失败以后用户反复提交，因此 export-service 的角色被换成只读角色。",
            (
                ("report-web 导出失败 655 次，排队 320 个。", ("fail", "retry")),
                ("之后角色被换成 reader。", ("role", "book")),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version service",
            "Release 5.2.0 of feed-gateway throws NumberFormatException and skips the quotes.",
            (
                ("feed-gateway was released with 5.2.0 at 16:02:00.", ("deploy",)),
                ("NumberFormatException occurred 12040 times.", ("parse",)),
                ("feed-gateway reconnected.", ("reconnect",)),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version alternative",
            "The exchange session was lost in feed-gateway, and so quote-cache got no update.",
            (
                ("feed-gateway reconnected to exchange, session 88.", ("reconnect",)),
                ("quote-cache had no update.", ("stale",)),
                ("If the exchange session is lost, feed-gateway logs it.", ("book",)),
            ),
        ),
    ),
    (
        VERSION,
        Draft(
            "version symptom",
            "The price feed broke because quote-cache serves stale prices.",
            (
                ("quote-cache served stale price 880 times.", ("stale",)),
                ("trading-ui raised an alarm.", ("alarm", "book")),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched swapped",
            "recommend-api 使用昨日数据，导致训练 Pod 无法调度，gpu-pool 因此缩容。",
            (
                ("recommend-api 用户画像过期。", ("down",)),
                ("之后 gpu-pool 缩容，Pod 无法调度。", ("taint", "pend", "book")),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched number",
            "gpu-pool 缩容之后，namespace=search 的 33 个 Pod 无法调度，用户画像任务没有按时完成。",
            (
                ("gpu-pool 缩容。", ("taint",)),
                ("search 有 33 个 pending_pods。", ("q1", "q2")),
                ("Pod 无法调度。", ("pend",)),
            ),
        ),
    ),
    (
        SCHED,
        Draft(
            "sched wide",
            "gpu-pool 缩容之后，所有任务都无法调度，整个平台没有按时完成。",
            (("gpu-pool 缩容到 3。", ("taint",)), ("Pod 无法调度。", ("pend",))),
        ),
    ),
)
