"""Plausible causes that are not the cause of any world they are used in, in the words a person would choose. Pure."""

from dataclasses import dataclass

from eval.adversary.agents.case import Case


@dataclass(frozen=True)
class Blame:
    """One cause that somebody might name."""

    en: str
    """``{service}`` is a service of the world."""
    zh: str
    true_in: tuple[str, ...] = ()
    """Case names in which it would be right, or near enough to be argued about."""

    def text(self, case: Case, service: str) -> str:
        """In the language of the world."""
        return (self.zh if case.is_zh else self.en).format(service=service)


BLAMES: tuple[Blame, ...] = (
    Blame("a full disk on the database host of {service}", "{service} 的数据库主机磁盘写满"),
    Blame("an expired TLS certificate of {service}", "{service} 的 TLS 证书过期"),
    Blame("long garbage collections in {service}", "{service} 的 Full GC 停顿过长"),
    Blame("a deadlock between two transactions of {service}", "{service} 的两个事务互相死锁"),
    Blame("a failover of the database behind {service}", "{service} 后面的数据库发生了主从切换"),
    Blame("a doubling of traffic to {service}", "{service} 的流量翻倍"),
    Blame("a connection pool of {service} that is too small for its load", "{service} 的连接池对负载来说太小"),
    Blame("packet loss between {service} and its database", "{service} 与数据库之间丢包"),
    Blame("a name lookup of {service} that fails", "{service} 的域名解析失败"),
    Blame("clock drift on the host of {service}", "{service} 所在主机的时钟偏移"),
    Blame("a rate limiter in front of {service}", "{service} 前面的限流器误拦"),
    Blame("stale planner statistics in the database of {service}", "{service} 的数据库统计信息过期"),
    Blame("a bulk job that runs at the same time as {service}", "与 {service} 同时运行的批处理任务"),
    Blame("a thread pool of {service} that is full", "{service} 的业务线程池打满"),
    Blame("a container of {service} killed for memory", "{service} 的容器因内存不足被杀"),
    Blame("a large key in the cache of {service}", "{service} 的缓存中有大键"),
    Blame(
        "a table lock held by an unfinished migration under {service}",
        "{service} 的表被未完成的迁移锁住",
        true_in=("payment-timeouts/other-cause", "slow-query-after-deploy", "slow-query-after-deploy/other-cause"),
    ),
    Blame(
        "a connection leak in the new release of {service}",
        "{service} 新版本的连接泄漏",
        true_in=("payment-timeouts", "payment-timeouts/other-service"),
    ),
    Blame(
        "an index that a migration of {service} removed",
        "{service} 的迁移删除了索引",
        true_in=("slow-query-after-deploy", "slow-query-after-deploy/other-cause"),
    ),
    Blame(
        "a cache that waits for its disk under {service}",
        "{service} 的缓存在等磁盘刷盘",
        true_in=("downstream-dependency",),
    ),
)
"""All of them, general ones first."""


def wrong_causes(case: Case) -> tuple[Blame, ...]:
    """Those that are false in this world."""
    return tuple(one for one in BLAMES if case.name not in one.true_in)
