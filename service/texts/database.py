"""Words of ``db``, in both languages. Data only."""

from state.model.language import Bilingual

GROUP = Bilingual(en="The tables of the database servers that are configured.", zh="已配置的数据库服务器中的表。")
UPGRADE = Bilingual(
    en="Make or change the tables to what this version needs. Run it once, and after each update.",
    zh="创建或变更此版本所需的表。首次使用及每次升级后运行一次。",
)
STATUS = Bilingual(en="Show which version the tables have. Changes nothing.", zh="显示表的版本，不做任何更改。")
NOT_CONFIGURED = Bilingual(
    en="No database server is configured (database_url, checkpoint_url); embedded files need no upgrade.",
    zh="未配置数据库服务器（database_url、checkpoint_url）；内嵌文件无需升级。",
)
UPGRADED = Bilingual(en="{name}: upgraded from {found} to {reached}", zh="{name}：已从 {found} 升级到 {reached}")
CURRENT = Bilingual(en="{name}: already {reached}, nothing to do", zh="{name}：已是 {reached}，无需操作")
NEEDS_UPGRADE = Bilingual(
    en="{name}: {found}, but {reached} is needed. Run: rootproof db upgrade",
    zh="{name}：{found}，但需要 {reached}。请运行：rootproof db upgrade",
)
EMPTY = Bilingual(en="no tables", zh="没有表")
