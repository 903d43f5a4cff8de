"""What single routes say beyond their code, in both languages. Data only."""

from state.model.language import Bilingual

FILE_EMPTY = Bilingual(en="The file is empty.", zh="文件为空。")
FILE_TOO_LARGE = Bilingual(
    en="The file is larger than {limit_mib} MiB, the most a document may have.", zh="文件超过文档上限 {limit_mib} MiB。"
)
FILE_UNNAMED = Bilingual(
    en="The file needs a name of 1 to 300 characters, such as pool.md.",
    zh="文件需要 1 到 300 个字符的名称，例如 pool.md。",
)
KNOWLEDGE_UNAVAILABLE = Bilingual(
    en="The knowledge base cannot be used now: its index or embedding model does not answer, or another process holds "
    "it. Try again in {seconds} s.",
    zh="知识库暂时无法使用：索引或嵌入模型没有应答，或正被另一个进程占用。请在 {seconds} 秒后重试。",
)
ACCESS_NOT_RECORDED = Bilingual(
    en="The access cannot be recorded, so nothing is shown. Try again in {seconds} s.",
    zh="无法记录本次访问，因此不展示任何内容。请在 {seconds} 秒后重试。",
)
REASONING_WHY = {
    "NO_KEY": Bilingual(
        en="No reasoning is kept: the setting encryption_key is not set.",
        zh="未保存推理内容：没有设置 encryption_key。",
    ),
    "NOT_KEPT": Bilingual(
        en="No reasoning of this run is kept: it is too old, was sealed with another key, or none was written.",
        zh="没有保存该运行的推理内容：已过保留期、由另一把密钥加密，或未曾写入。",
    ),
    "NOT_GIVEN": Bilingual(en="The provider of the model returned no reasoning.", zh="模型服务商没有返回推理内容。"),
}
"""By ``graph.reasoning.Unavailable``."""
