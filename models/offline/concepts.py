"""Words of operations work that mean the same, in English and Chinese. Data; general vocabulary only.

One line a concept: ``name: english, words | 中文, 词``. Inflections are left to the stemmer.
"""

CONCEPTS = """
timeout: timeout, timed out, time out, timing out, deadline exceeded, took too long | 超时
connection: connection, connect, conn | 连接
pool: pool | 池, 连接池
exhausted: exhausted, exhaustion, ran out, run out, running out, depleted, used up, starved, starvation, no free, none left, drained, fully used, in use | 耗尽, 用尽, 占满, 用光, 枯竭, 打满, 用完, 占尽, 耗光, 占用
leak: leak, leaked, leakage, never returned, not returned, not released, never released, never closed, not closed | 泄漏, 泄露, 未释放, 未归还, 没有归还, 没有释放, 未关闭
full: full, filled up, filled, no space, out of space, enospc | 满, 写满, 已满, 空间不足, 没有空间
disk: disk, filesystem, file system, volume, storage, partition | 磁盘, 硬盘, 文件系统, 存储, 分区
space: space, capacity | 空间, 容量
certificate: certificate, cert, x509, tls, ssl | 证书
expired: expired, expiry, expiration, expire, notafter, lapsed, out of date, no longer valid | 过期, 到期, 失效
renew: renew, renewal, rotate, rotation | 续期, 轮换, 续签
memory: memory, heap, ram, mem, rss, maxmemory | 内存, 堆
oom: oom, outofmemory, out of memory, oomkilled, oom killer, oom kill | 内存溢出, 内存不足, 超出内存
kill: kill, killed, sigkill, terminated, terminate | 杀死, 杀掉, 终止, 被杀, 杀
restart: restart, restarted, reboot, crashloop, crash loop, came back up | 重启
crash: crash, crashed, panic, segfault, abort, aborted, died | 崩溃, 宕机, 挂掉
index: index, indexes, indices, idx | 索引
query: query, queries, sql, statement, select | 查询, 语句
slow: slow, slower, slowly, sluggish, slowdown, slowed, latency, lag, high duration, long running, took longer | 慢, 变慢, 缓慢, 延迟, 迟缓, 耗时
fullscan: full scan, seq scan, sequential scan, full table scan, table scan, seqscan | 全表扫描, 顺序扫描
missing: missing, absent, without, lost, lack, lacks, lacking, not present, gone | 缺失, 缺少, 丢失, 缺
drop: drop, dropped, removed, remove, deleted, delete, removal | 删除, 移除, 删掉, 去掉
lock: lock, locked, blocked, locking | 锁, 阻塞, 锁等待
deadlock: deadlock | 死锁
database: database, db, postgres, postgresql, mysql, mariadb, oracle | 数据库
table: table | 表
dns: dns, nameserver, name server, coredns | 域名, 域名解析
resolve: resolve, resolution, lookup, nxdomain, servfail, name or service not known, unknownhost | 解析
host: host, hostname, node, machine, server | 主机, 节点, 机器, 服务器
queue: queue, topic, backlog, broker, kafka, rabbitmq | 队列, 消息队列, 积压, 堆积
consumer: consumer, consume, consumption, worker | 消费者, 消费
producer: producer, produce, publish, publisher | 生产者, 发布者
cache: cache, cached, redis, memcached | 缓存
evict: evict, evicted, eviction | 淘汰, 驱逐, 逐出
ratelimit: rate limit, ratelimit, rate limited, rate limiting, throttle, throttled, throttling, too many requests, 429, quota | 限流, 限速, 频率限制, 配额, 节流
config: config, configuration, configured, setting, settings, parameter, property, flag | 配置, 参数, 设置, 开关
wrong: wrong, incorrect, invalid, typo, misspelled, misspelt, mistyped, malformed, misconfigured, misconfiguration, bad value | 错误配置, 配错, 写错, 拼写, 拼错, 无效, 不正确, 有误
deploy: deploy, deployed, deployment, release, released, rollout, rolled out, ship, shipped, upgrade, upgraded, changed paths, commit sha | 部署, 发布, 上线, 发版, 升级
version: version, build | 版本
rollback: rollback, roll back, rolled back, revert, reverted | 回滚, 回退
migration: migration, migrate, migrated, schema change, ddl, statement head, alter table, create index, drop index | 迁移, 表结构变更
change: change, changed, modified, modify, edited, updated, update, altered | 变更, 更改, 修改, 改动, 调整
lower: lower, lowered, reduced, reduce, decreased, decrease, shrunk, shrank, too small, smaller | 降低, 减小, 调低, 调小, 减少, 缩小, 过小, 太小
raise: raise, raised, increased, increase, grew, grow, rise, rose, climbed, spike, surge, jumped | 增加, 升高, 上升, 激增, 飙升, 突增, 增长, 调大
retry: retry, retries, retried, retrying | 重试
fail: fail, failed, failure, failing, unsuccessful, error, errors, exception, errored | 失败, 错误, 报错, 异常, 出错, 故障
succeed: succeed, succeeded, success, successful, recovered, recover | 成功, 恢复
request: request, requests, call, calls | 请求, 调用
response: response, respond, reply, answer | 响应, 应答, 返回
refuse: refused, refuse, rejected, reject, denied, deny, declined | 拒绝, 被拒
permission: permission, unauthorized, forbidden, privilege, credential, credentials, authentication, authorization, password | 权限, 鉴权, 认证, 凭证, 凭据, 密码
unavailable: unavailable, not available, unreachable, offline, outage, down | 不可用, 不可达, 无法访问, 宕
network: network, packet, socket | 网络
upstream: upstream, caller | 上游
downstream: downstream, dependency, dependencies, third party, external provider | 下游, 依赖, 第三方
service: service, application, app, component, microservice | 服务, 应用, 组件
thread: thread, threads | 线程
cpu: cpu, processor | 处理器
saturated: saturated, saturation, overload, overloaded, overwhelmed, busy | 饱和, 过载, 繁忙
traffic: traffic, load, throughput, qps, rps | 流量, 负载, 吞吐
write: write, written, writing, wrote | 写入, 写
read: read, reading | 读取, 读
readonly: read only, readonly | 只读
limit: limit, maximum, max, cap, ceiling | 上限, 限制, 最大
wait: wait, waiting, pending, queued, stuck | 等待, 排队, 挂起, 卡住
hold: hold, held, holding, kept, occupied | 持有, 占住, 霸占
log: log, logs, logged, logging | 日志
job: job, task, batch, cron, scheduled | 任务, 作业, 定时任务, 批处理
backup: backup, dump, snapshot | 备份, 快照
replica: replica, replication, standby, slave, follower | 副本, 从库, 复制
primary: primary, master, leader | 主库
stop: stop, stopped, halted, paused, stalled, stall, ceased | 停止, 停掉, 暂停, 停滞
start: start, started, begin, began, onset | 开始, 启动
payment: payment, payments, pay | 支付, 付款
order: order, orders | 订单, 下单
inventory: inventory, stock, warehouse | 库存, 仓库
user: user, users, customer, customers | 用户, 客户
login: login, signin, sign in | 登录, 登陆
checkout: checkout | 结账, 结算
search: search | 搜索, 检索
gateway: gateway, proxy, ingress | 网关, 代理
shipping: shipping, delivery, logistics | 物流, 配送, 发货
mail: mail, email, smtp | 邮件, 邮箱
billing: billing, invoice | 账单, 计费, 发票
key: key, keys | 键, 密钥
file: file, files | 文件
clock: clock, ntp, skew | 时钟
partition_rebalance: rebalance, rebalancing, rebalanced | 再平衡, 重平衡
hit: hit, hits, hit rate | 命中, 命中率
miss: miss, misses, cache miss | 未命中, 穿透
disconnect: disconnected, reset, broken pipe, connection reset, closed | 断开, 断连, 中断
gc: gc, garbage collection, stop the world | 垃圾回收
inode: inode, inodes | 索引节点
descriptor: descriptor, descriptors, too many open files, emfile, ulimit | 句柄, 文件描述符
"""
