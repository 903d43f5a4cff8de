"""What ``rootproof mcp`` says, in both languages. Data only."""

from state.model.language import Bilingual

HELP = Bilingual(
    en="Offer the evidence tools to an IDE or another MCP client, over standard input and output.",
    zh="通过标准输入输出向 IDE 或其他 MCP 客户端提供取证工具。",
)
HTTP = Bilingual(
    en="Serve over HTTP at this address of this machine instead, such as 127.0.0.1:8765; path /mcp.",
    zh="改为通过 HTTP 在本机的此地址提供服务，例如 127.0.0.1:8765；路径为 /mcp。",
)
SERVING = Bilingual(en="Serving {n} evidence tools over MCP: {names}", zh="正在通过 MCP 提供 {n} 个取证工具：{names}")
NO_TOOLS = Bilingual(
    en="No evidence tool is configured, so a client is offered none.",
    zh="没有配置任何取证工具，因此客户端得不到工具。",
)
AT = Bilingual(en="Address for clients on this machine: {url}", zh="本机客户端的地址：{url}")
BAD_ADDRESS = Bilingual(
    en="--http {given!r} is no address. Write HOST:PORT, such as 127.0.0.1:8765.",
    zh="--http {given!r} 不是地址，请写成 主机:端口，例如 127.0.0.1:8765。",
)
NOT_HERE = Bilingual(
    en="--http {host!r} is not this machine, and no key is asked for. Use 127.0.0.1, ::1 or localhost.",
    zh="--http {host!r} 不是本机地址，而这里不要求密钥。请使用 127.0.0.1、::1 或 localhost。",
)
