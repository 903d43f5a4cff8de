"""Words of operations work that mean the same, in English and Chinese. Data; general vocabulary only.

One concept: ``name: english, words | 中文, 词``; an indented line goes on. Inflections are left to the stemmer.
"""

CONCEPTS = """
timeout: timeout, timed out, time out, timing out, deadline exceeded, took too long | 超时
connection: connection, connect, conn | 连接
pool: pool | 池, 连接池
exhausted: exhausted, exhaustion, ran out, ran dry, run out, running out, run dry, depleted, used up, starved,
  starvation, no free, none left, drained, fully used, in use, full, filled up, filled, fills, no space,
  out of space, enospc, occupied, occupy | 耗尽, 用尽, 占满, 用光, 枯竭, 打满, 用完, 占尽, 耗光, 占用, 满,
  写满, 已满, 空间不足, 没有空间, 塞满, 填满, 撑满
leak: leak, leaked, leakage, never returned, not returned, not released, never released, never closed,
  not closed, not give, never give, not return, without returning, fails to return, forgets to return,
  never handed back | 泄漏, 泄露, 未释放, 未归还, 没有归还, 没有释放, 未关闭
disk: disk, filesystem, file system, volume, storage | 磁盘, 硬盘, 文件系统, 存储, 分区
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
slow: slow, slower, slowly, sluggish, slowdown, slowed, latency, lag, high duration, long running,
  took longer | 慢, 变慢, 缓慢, 延迟, 迟缓, 耗时
fullscan: full scan, seq scan, sequential scan, full table scan, table scan, seqscan | 全表扫描, 顺序扫描
missing: missing, absent, without, lost, lack, lacks, lacking, not present, gone | 缺失, 缺少, 丢失, 缺
drop: drop, dropped, removed, remove, deleted, delete, removal | 删除, 移除, 删掉, 去掉
lock: lock, locked, locking | 锁, 锁等待
deadlock: deadlock | 死锁
database: database, db, postgres, postgresql, mysql, mariadb, oracle | 数据库
table: table | 表
dns: dns, nameserver, name server, coredns | 域名, 域名解析
resolve: resolve, resolution, lookup, nxdomain, servfail, name or service not known, unknownhost | 解析,
  无法解析到, 解析不到
host: host, hostname, node, machine, server | 主机, 节点, 机器, 服务器
queue: queue, topic, backlog, broker, kafka, rabbitmq | 队列, 消息队列, 积压, 堆积
consumer: consumer, consume, consumption, worker | 消费者, 消费
producer: producer, produce, publish, publisher | 生产者, 发布者
cache: cache, cached, redis, memcached | 缓存
evict: evict, evicted, eviction | 淘汰, 驱逐, 逐出
ratelimit: rate limit, ratelimit, rate limited, rate limiting, throttle, throttled, throttling,
  too many requests, 429, quota | 限流, 限速, 频率限制, 配额, 节流
config: config, configuration, configured, setting, settings, parameter, property | 配置, 参数, 设置
wrong: wrong, incorrect, invalid, typo, misspelled, misspelt, mistyped, malformed, misconfigured,
  misconfiguration, bad value | 错误配置, 配错, 写错, 拼写, 拼错, 无效, 不正确, 有误
deploy: deploy, deployed, deployment, release, released, rollout, rolled out, ship, shipped, upgrade, upgraded,
  changed paths, commit sha | 部署, 发布, 上线, 发版, 升级
version: version, build | 版本
rollback: rollback, roll back, rolled back, revert, reverted | 回滚, 回退
migration: migration, migrate, migrated, schema change, ddl, statement head, alter table, create index,
  drop index | 迁移, 表结构变更
change: change, changed, modified, modify, edited, updated, update, altered | 变更, 更改, 修改, 改动, 调整
lower: lower, lowered, reduced, reduce, decreased, decrease, shrunk, shrank, too small, smaller | 降低, 减小,
  调低, 调小, 减少, 缩小, 过小, 太小
raise: raise, raised, increased, increase, grew, grow, rise, rose, climbed, spike, surge, jumped | 增加, 升高,
  上升, 激增, 飙升, 突增, 增长, 调大
retry: retry, retries, retried, retrying | 重试
fail: fail, failed, failure, failing, unsuccessful, error, errors, exception, errored | 失败, 错误, 报错, 异常,
  出错, 故障
succeed: succeed, succeeded, success, successful, recovered, recover | 成功, 恢复
request: request, requests, call, calls | 请求, 调用
response: response, respond, reply, answer | 响应, 应答, 返回
refuse: refused, refuse, rejected, reject, denied, deny, declined | 拒绝, 被拒
permission: permission, unauthorized, forbidden, privilege, credential, credentials, authentication,
  authorization, password | 权限, 鉴权, 认证, 凭证, 凭据, 密码
unavailable: unavailable, not available, unreachable, offline, outage, down | 不可用, 不可达, 无法访问, 宕
network: network, packet, socket | 网络
upstream: upstream, caller | 上游
downstream: downstream, dependency, dependencies, third party, external provider | 下游, 依赖, 第三方
service: service, application, app, component, microservice | 服务, 应用, 组件
thread: thread, threads | 线程
cpu: cpu, processor | 处理器
saturated: saturated, saturation, saturate, overload, overloaded, overwhelmed, busy, flood, floods, flooded,
  swamp, swamped | 饱和, 过载, 繁忙, 压满, 压垮, 淹没, 打爆, 压力过大
traffic: traffic, load, throughput, qps, rps | 流量, 负载, 吞吐
write: write, written, writing, wrote | 写入, 写
read: read, reading | 读取, 读
readonly: read only, readonly | 只读
limit: limit, maximum, max, cap, ceiling | 上限, 限制, 最大
wait: wait, waiting, pending, queued, stuck | 等待, 排队, 挂起, 卡住
hold: hold, held, holding, kept, keep, keeps | 持有, 占住, 霸占
log: log, logs, logged, logging | 日志
job: job, task, batch, cron, scheduled | 任务, 作业, 定时任务, 批处理
backup: backup, dump, snapshot | 备份, 快照
replica: replica, replication, standby, slave, follower | 副本, 从库, 复制
primary: primary, master, leader | 主库
stop: stop, stopped, halted, ceased | 停止, 停掉
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
clock: clock, ntp | 时钟
partition_rebalance: rebalance, rebalancing, rebalanced | 再平衡, 重平衡
hit: hit, hits, hit rate | 命中, 命中率
miss: miss, misses, cache miss | 未命中, 穿透
disconnect: disconnected, reset, broken pipe, connection reset, closed | 断开, 断连, 中断
gc: gc, garbage collection, stop the world | 垃圾回收
inode: inode, inodes | 索引节点
descriptor: descriptor, descriptors, too many open files, emfile, ulimit | 句柄, 文件描述符
drift: drift, drifted, skew, skewed | 漂移, 偏移
stale: stale, outdated, old data, out of date | 陈旧, 过旧, 旧数据, 过时
token: token, tokens, jwt | 令牌
overlap: overlap, overlapping, overlaps, at the same time, concurrently, in parallel | 重叠, 同时运行, 并发
import: import, imported, load, loading, ingest | 导入, 装载, 加载
unresponsive: unresponsive, not responding, does not answer, did not answer, no answer, silent, hung, hang,
  hangs | 无响应, 没有响应, 没有应答, 不响应, 卡死, 未响应, 挂死
pause: pause, paused, stall, stalls, stalled, stands still, stop the world, freeze, frozen | 停顿, 卡顿, 暂停,
  停住, 停滞, 冻结
entry: entry, entries, record, records, item | 条目, 条, 记录
long: too long, for long, retain, retained, ttl | 过久, 太久, 保留
parse: parse, parsed, decode, deserialize, deserialization, malformed, unparsable, not parse, cannot parse,
  poison | 解析失败, 无法解析, 反序列化, 毒消息, 脏消息
block: block, blocks, blocked, blocking, stuck behind | 阻塞, 堵塞, 卡在
run: run, runs, running, execute, executed | 运行, 执行
code: code, code path, class, method | 代码, 逻辑
order_of: lock order, opposite order, reverse order, inconsistent order | 加锁顺序, 相反的顺序, 顺序相反
limitreach: reached the limit, hit the limit, exceeds, exceeded, over the limit, exceed | 超过, 超出, 达到上限
fsync: fsync, flush, flushed, aof | 刷盘, 落盘, 持久化
smtp: mail provider, provider | 供应商, 服务商
handshake: handshake | 握手
route: route, routing, traffic split | 路由
permissiondenied: access denied, permission denied, not authorized | 无权, 权限不足
hostname: host name, hostname | 主机名, 域名
duplicate: duplicate, duplicated, twice | 重复
transaction: transaction, transactions | 事务
scan: scan, scans | 扫描
partition: partition, shard | 分片
version_old: previous version, older version | 旧版本
balance: balance, balances | 余额
notify: notify, notification, notifications | 通知
report: report, reporting, reports | 报表, 报告
upload: upload, uploads | 上传
download: download, downloads | 下载
price: price, pricing, quote | 价格, 定价, 报价
tax: tax | 税
probe: probe, liveness, readiness, health check | 探针, 健康检查
warmup: warm up, warming, warmup, preload | 预热
container: container, pod | 容器
strict: strict, tight, aggressive, too short | 过严, 过于严格, 太严, 过短, 太短
signature: signature, signing, signed | 签名
verify: verify, verification, validate, validation, check, checks | 校验, 验证, 检查
column: column, field | 列, 字段
switch: flag, feature flag, toggle, switched on, switch | 开关
session: session, sessions | 会话
packet: packet, packets | 数据包, 报文
compact: compaction, vacuum | 压缩整理
password: password, credential, secret | 密码, 凭证, 凭据
revoke: revoke, revoked | 吊销, 撤销
corrupt: corrupt, corrupted, damaged | 损坏, 毁坏
loop: loop, endless, infinite, infinitely | 循环, 无限, 死循环
peak: peak, burst, spike in traffic | 高峰, 峰值, 突发
shard: hot spot, hotspot, hot key, hot row | 热点, 热键
mtu: mtu, fragmentation, fragment | 分片包
blocklist: firewall, security group, acl | 防火墙, 安全组
"""
