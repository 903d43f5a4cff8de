"""Does an address lead to this machine alone. Pure: no name is looked up."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_this_machine(host: str) -> bool:
    """True for ``localhost``, 127.0.0.0/8 and ::1."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_loopback(url: str) -> bool:
    """True if the host of the url is this machine."""
    return is_this_machine(urlsplit(url).hostname or "")
