"""Does an address lead to this machine alone, and was a request made on it. Pure: no name is looked up."""

import re
from collections.abc import Collection, Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

FORWARDED = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
    | {"x-client-ip", "true-client-ip", "cf-connecting-ip"}
)
"""Headers that a proxy adds, in lower case."""
_HOST = re.compile(r"(?:(?P<name>[A-Za-z0-9._-]+)|\[(?P<six>[0-9A-Fa-f:.]+)\])(?::[0-9]{1,5})?")
"""Letter by letter: what parses an address finds a name of this machine in much that is none."""


def is_this_machine(host: str) -> bool:
    """True for ``localhost``, 127.0.0.0/8 and ::1."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_loopback(url: str) -> bool:
    """True if the host of the url is this machine."""
    return is_this_machine(urlsplit(url).hostname or "")


def host_name(host: str) -> str:
    """The name in a ``Host`` header in lower case, without port and brackets; empty if it is none."""
    found = _HOST.fullmatch(host)
    return (found["name"] or found["six"]).lower() if found else ""


def is_made_here(client: str, hosts: Sequence[str], headers: Collection[str]) -> bool:
    """True if a request was made on this machine, to a name of this machine.

    ``client``: address of the peer. ``hosts``: every ``Host`` header. ``headers``: names of all, in lower case. A page
    elsewhere whose name was made to lead here (DNS rebinding) says its own name in ``Host``; what a proxy passes on was
    not made here.
    """
    is_named_here = len(hosts) == 1 and is_this_machine(host_name(hosts[0]))
    return is_this_machine(client) and is_named_here and FORWARDED.isdisjoint(headers)
