"""What ``serve`` says while it starts, and of the bundled incidents it can serve, in both languages. Data only."""

from graph.opening import Opening
from state.model.language import Bilingual

DEMO = Bilingual(
    en="Serve a bundled incident to try the page on, with no key and no server.",
    zh="提供一个内置的事故供试用网页，不需要密钥和服务器。",
)
DEMO_NAME = Bilingual(
    en="Bundled world for --demo (default: payment-timeouts); see rootproof demo --list.",
    zh="用于 --demo 的内置环境名称（默认 payment-timeouts），见 rootproof demo --list。",
)
NAME_WITHOUT_DEMO = Bilingual(
    en="{name!r}: a name goes with --demo alone. List the bundled incidents with: rootproof demo --list",
    zh="{name!r}：名称只能与 --demo 一起使用。查看内置的事故：rootproof demo --list",
)
DEMO_OR_WORLD = Bilingual(
    en="--demo brings its own evidence and cannot be combined with --world. Give one of them.",
    zh="--demo 自带证据，不能与 --world 同时使用，请只选其一。",
)

LOADING = Bilingual(en="Loading the program", zh="正在加载程序")
OPENING: dict[Opening, Bilingual] = {
    Opening.STORES: Bilingual(en="Opening the records in {place}", zh="正在打开 {place} 中的记录"),
    Opening.SOURCES: Bilingual(en="Opening the sources of evidence", zh="正在打开数据来源"),
    Opening.RUNBOOKS: Bilingual(en="Opening the runbooks", zh="正在打开运维手册"),
}
FIRST_RUNBOOKS = Bilingual(
    en="Reading the runbooks for the first time, which takes some seconds",
    zh="首次读取运维手册，需要几秒钟",
)
DATABASE = Bilingual(en="the configured database", zh="所配置的数据库")
DEMO_SERVED = Bilingual(
    en="Demonstration: {title} ({name}), invented data in {path}",
    zh="演示：{title}（{name}），虚构的数据位于 {path}",
)
DEMO_QUESTION = Bilingual(en="Ask first: {question}", zh="可先提问：{question}")
NOTHING_TO_SEARCH = Bilingual(
    en="No evidence is connected: questions about incidents cannot be answered. Name a folder with --world, declare "
    "sources in rootproof.yaml, or try the bundled incident with: rootproof serve --demo",
    zh="没有连接任何证据，无法回答有关事故的问题。请用 --world 指定目录，或在 rootproof.yaml 中声明 sources；"
    "也可试用内置的事故：rootproof serve --demo",
)
