"""Names under which tools of MCP servers are registered. Pure and deterministic."""

import re
from collections.abc import Mapping

from state.model.errors import Misconfigured
from state.model.ids import digest8

MAX_NAME_CHARS = 64
_PREFIX = "mcp__"
_UNUSABLE = re.compile(r"[^A-Za-z0-9_-]")


def registered_name(server: str, tool: str) -> str:
    """``mcp__<server>__<tool>`` with unusable characters as ``_``; a longer one ends in a digest of the whole name."""
    whole = f"{_PREFIX}{server}__{tool}"
    usable = _UNUSABLE.sub("_", whole)
    if len(usable) <= MAX_NAME_CHARS:
        return usable
    return f"{usable[: MAX_NAME_CHARS - 9]}_{digest8(whole)}"


def registered_names(servers: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, str], str]:
    """(server, tool) → registered name, for all allowlisted tools of all servers.

    Raises:
        Misconfigured: two of them would have the same name.
    """
    names: dict[tuple[str, str], str] = {}
    taken: dict[str, tuple[str, str]] = {}
    for server, tools in servers.items():
        for tool in tools:
            name = registered_name(server, tool)
            if name in taken:
                other = ".".join(taken[name])
                raise Misconfigured(
                    f"sources.{server}.tools.{tool}",
                    f"would be registered as {name}, as {other} is; name one of the servers differently",
                )
            taken[name] = (server, tool)
            names[server, tool] = name
    return names
