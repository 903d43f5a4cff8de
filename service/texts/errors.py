"""Error messages: what, where, and the way out; in both languages. Data only."""

from state.model.language import Bilingual

MISCONFIGURED = Bilingual(
    en="Cannot start. {key}: {why} See what is in force with: rootproof doctor",
    zh="无法启动。{key}：{why}查看当前配置：rootproof doctor",
)
REFUSED = Bilingual(
    en="Run {run_id} cannot be continued: {why}. See it with: rootproof trace {run_id}",
    zh="运行 {run_id} 无法继续：{why}。查看详情：rootproof trace {run_id}",
)
NO_SUCH_RUN = Bilingual(
    en="There is no run {run_id} in {home}. List the last ones with: rootproof trace",
    zh="{home} 中没有运行 {run_id}。查看最近的运行：rootproof trace",
)
LEASE_LOST = Bilingual(
    en="Another process took over run {run_id} and goes on with it. See it with: rootproof trace {run_id}",
    zh="另一个进程已接管运行 {run_id} 并继续执行。查看详情：rootproof trace {run_id}",
)
TRUTH_UNAVAILABLE = Bilingual(
    en="The {store} store in {home} cannot be read or written ({operation}), so nothing is shown as fact. "
    "Check its free space and rights with: rootproof doctor",
    zh="{home} 中的 {store} 存储无法读写（{operation}），因此不会把任何内容当作事实展示。"
    "请检查磁盘空间与权限：rootproof doctor",
)
SERVER_UNAVAILABLE = Bilingual(
    en="{server}, which holds the {store} store, cannot be reached or used ({operation}), so nothing is shown as fact. "
    "Check {setting}, the network and the server; its own words are in the log.",
    zh="保存 {store} 存储的 {server} 无法连接或使用（{operation}），因此不会把任何内容当作事实展示。"
    "请检查 {setting}、网络与服务器；其原始信息见日志。",
)
MODEL_FAILED = Bilingual(
    en="A model endpoint gave no usable reply ({kind}). Check addresses and keys with: rootproof doctor",
    zh="模型服务没有给出可用的回复（{kind}）。请检查地址与密钥：rootproof doctor",
)
INTERNAL = Bilingual(
    en="Internal error{run}. Nothing was released. Details are in {log}",
    zh="内部错误{run}。没有发布任何内容。详情见 {log}",
)
OF_RUN = Bilingual(en=" in run {run_id}", zh="（运行 {run_id}）")
USAGE = Bilingual(en="Usage: {why}", zh="用法：{why}")
SEE_HELP = Bilingual(en="All words and options: {command}", zh="全部参数与选项：{command}")
CANCELLED = Bilingual(en="Cancelled.", zh="已取消。")

NOT_TEXT = Bilingual(
    en="The question is not text in UTF-8. Check the encoding of your terminal.",
    zh="问题不是 UTF-8 文本，请检查终端编码。",
)
OPTION_TOO_LONG = Bilingual(
    en="--{option} is longer than {most} characters; write a time such as 30m or 2026-03-01T14:05.",
    zh="--{option} 超过 {most} 个字符，请写成 30m 或 2026-03-01T14:05 这样的时间。",
)
SINCE_OR_FROM = Bilingual(
    en="--since cannot be combined with --from or --to. Give one of them.",
    zh="--since 不能与 --from 或 --to 同时使用，请只选其一。",
)
NO_FOLDER = Bilingual(
    en="--world {path}: there is no such folder. Name a folder with logs, db, metrics, alerts.json or knowledge in it.",
    zh="--world {path}：没有这个目录。请指定包含 logs、db、metrics、alerts.json 或 knowledge 的目录。",
)
NO_WORLD_IN = Bilingual(
    en="--world {path}: the folder has no logs/, db/, metrics/, alerts.json, knowledge/ or world.yaml in it, "
    "so there is nothing to search. "
    "Name the folder that has them; for an example, run: rootproof demo",
    zh="--world {path}：该目录中没有 logs/、db/、metrics/、alerts.json、knowledge/ 或 world.yaml，没有可检索的内容。"
    "请指定包含它们的目录；示例可运行：rootproof demo",
)
UNKNOWN_WORLD = Bilingual(
    en="There is no bundled world {name!r}. Choose one of: {names}",
    zh="没有名为 {name!r} 的内置环境。可选：{names}",
)
NO_OUTPUT = Bilingual(
    en="--output {path} cannot be written ({why}). Name a file in a folder that exists.",
    zh="--output {path} 无法写入（{why}）。请指定已有目录中的文件。",
)
NO_HOME = Bilingual(
    en="{path} cannot be written ({why}). Set ROOTPROOF_HOME to a folder of your own.",
    zh="{path} 无法写入（{why}）。请将 ROOTPROOF_HOME 设为可写的目录。",
)
