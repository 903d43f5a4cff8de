"""Chinese for the reasons that errors carry in English words. Data only.

Each entry is an English template, with ``{}`` where a value stands, and the Chinese with those values by number.
Values such as paths, names and messages of a parser stay as they are. The first template that fits wins.
"""

REASONS: tuple[tuple[str, str], ...] = (
    # Runs that are refused
    ("there is no such run", "没有这次运行"),
    ("it has not ended; resume it first", "它尚未结束，请先用 resume 继续"),
    (
        "RECORDING_EXPIRED: its recording is gone, or recording was off",
        "RECORDING_EXPIRED：录制已过期删除，或当时未开启录制",
    ),
    ("its session belongs to another key", "其会话属于另一个密钥"),
    ("it belongs to another key", "它属于另一个密钥"),
    (
        "another process executes it, or was killed less than 30 seconds ago",
        "另一个进程正在执行它，或在 30 秒内被强制结束",
    ),
    ("it is over: {}", "它已结束：{0}"),
    ("it was resumed {} times already", "它已被继续过 {0} 次"),
    ("result {} of run {} is not on record any more", "运行 {1} 的结果 {0} 已不在记录中"),
    # Settings
    ("no such setting.", "没有这个设置"),
    ("no such setting. Did you mean {}?", "没有这个设置，您是否想写 {0}？"),
    ("larger than {} bytes; this is no settings file", "超过 {0} 字节，不是设置文件"),
    ("cannot be read ({}); correct the path or its rights", "无法读取（{0}），请检查路径或权限"),
    ("is not UTF-8 text; save it as UTF-8", "不是 UTF-8 文本，请另存为 UTF-8"),
    (
        "is not valid YAML at line {}; write one `key: value` a line",
        "第 {0} 行不是有效的 YAML，请每行写一个 `key: value`",
    ),
    ("is not valid YAML; write one `key: value` a line", "不是有效的 YAML，请每行写一个 `key: value`"),
    ("one `key: value` a line is expected", "应为每行一个 `key: value`"),
    ("Input should be greater than or equal to {}", "应大于或等于 {0}"),
    ("Input should be less than or equal to {}", "应小于或等于 {0}"),
    ("Input should be greater than {}", "应大于 {0}"),
    ("Input should be less than {}", "应小于 {0}"),
    ("Input should be a valid integer, unable to parse string as an integer", "应为整数"),
    ("Input should be a valid number, unable to parse string as a number", "应为数字"),
    ("Input should be a valid boolean, unable to interpret input", "应为 true 或 false"),
    ("Input should be {}", "应为 {0}"),
    (
        "an http:// or https:// address is expected, such as {}",
        "应为 http:// 或 https:// 地址，例如 {0}",
    ),
    (
        "an address without user, password, query or fragment is expected; keys have their own key",
        "地址中不应包含用户名、密码、查询参数或片段；密钥有单独的设置项",
    ),
    ("not a known IANA time zone; examples: {}", "不是已知的 IANA 时区；例如：{0}"),
    # Models and embeddings
    ("no model {}: use offline, {}", "没有模型 {0}：请使用 offline、{1}"),
    ("no model {}: {}", "没有模型 {0}：{1}"),
    ("unknown key", "未知的键"),
    (
        "an address is set but no model: name the one to ask there, or choose offline",
        "设置了地址但没有指定模型：请写明要调用的模型，或选择 offline",
    ),
    ("api.openai.com needs a key; set it, or another address", "api.openai.com 需要密钥；请设置密钥或改用其他地址"),
    ("larger than {} bytes; this is no script", "超过 {0} 字节，不是脚本文件"),
    ("the script cannot be read ({})", "脚本无法读取（{0}）"),
    ("at {}: {}", "位于 {0}：{1}"),
    ("the script is not valid JSON in UTF-8", "脚本不是 UTF-8 编码的有效 JSON"),
    ("no embedder {}: use packaged or openai:NAME", "没有嵌入模型 {0}：请使用 packaged 或 openai:名称"),
    ("an openai embedder needs the address of its endpoint", "openai 嵌入模型需要服务地址"),
    ("set it together with {}", "请与 {0} 一起设置"),
    ("none for {}: calibrate them and set both (known: {})", "{0} 没有阈值：请标定后同时设置两个（已知：{1}）"),
    ("must be 0 < reference_min <= precise_min <= 1", "应满足 0 < reference_min <= precise_min <= 1"),
    # World folders and their sources
    ("there is no such folder", "没有这个目录"),
    ("is a file; a world is a folder", "是文件；环境应为目录"),
    ("is not a YAML mapping of keys to values", "不是由键和值组成的 YAML"),
    ("is not an IANA time zone such as {}", "不是 IANA 时区，例如 {0}"),
    ("is not complete YAML near line {}", "第 {0} 行附近不是完整的 YAML"),
    ("is not complete YAML", "不是完整的 YAML"),
    ("cannot be read as UTF-8 YAML", "无法作为 UTF-8 编码的 YAML 读取"),
    (
        "a name has 1 to 64 letters, digits, dots, dashes or underscores",
        "名称由 1 到 64 个字母、数字、点、短横线或下划线组成",
    ),
    ("leads out of the folder", "指向了目录之外"),
    ("there is no {} in the folder", "目录中没有 {0}"),
    ("two {} sources are called {}: {}", "有两个 {0} 数据源都叫 {1}：{2}"),
    ("no such datasource; there are: {}", "没有这个数据库；现有：{0}"),
    ("there is no such file", "没有这个文件"),
    ("there is no such table", "没有这张表"),
    ("there is no column {}", "没有列 {0}"),
    ("the database holds no table that can be queried", "数据库中没有可查询的表"),
    ("is not a SQLite database that can be read ({})", "不是可读取的 SQLite 数据库（{0}）"),
    ("is not text in UTF-8 or GB18030", "不是 UTF-8 或 GB18030 文本"),
    ("the SQL script ends inside a transaction; it is cut short", "SQL 脚本在事务中间结束，文件不完整"),
    ("the SQL script cannot be loaded: {}", "SQL 脚本无法载入：{0}"),
    ("cannot be read ({})", "无法读取（{0}）"),
    ("is larger than {} bytes", "超过 {0} 字节"),
    # Knowledge and stores
    ("{} is not a folder", "{0} 不是目录"),
    ("{} holds more than {} documents", "{0} 中的文档超过 {1} 篇"),
    ("the embedded engine is missing; install {}", "缺少内置引擎，请安装 {0}"),
    ("{} must match {}", "{0} 应匹配 {1}"),
    ("{} cannot be opened; delete it to have it rebuilt", "{0} 无法打开；删除后会自动重建"),
    ("self-test failed: a written row was not found by word and vector", "自检失败：写入的数据按词和向量都未找到"),
    ("self-test failed at {}", "自检失败于 {0}"),
    ("{} has the newer schema version {}; this program knows {}", "{0} 的结构版本 {1} 较新；本程序支持 {2}"),
    ("{} has the older schema version {}; this program knows {}", "{0} 的结构版本 {1} 较旧；本程序支持 {2}"),
    ("{}: {}", "{0}：{1}"),
)
"""English template, Chinese."""
