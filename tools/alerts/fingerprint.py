"""The fingerprint Prometheus and Alertmanager give a label set. Pure.

FNV-1a of 64 bits over the labels by name, each name and value followed by the byte 255: `prometheus/common`,
``model/signature.go``. So one alert has one id whichever source told of it.
"""

from collections.abc import Mapping

_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 0xFFFFFFFFFFFFFFFF
_SEPARATOR = b"\xff"


def fingerprint(labels: Mapping[str, str]) -> str:
    """16 hex digits; the same for equal label sets."""
    value = _OFFSET
    for name in sorted(labels):
        for byte in b"".join((name.encode(), _SEPARATOR, labels[name].encode(), _SEPARATOR)):
            value = (value ^ byte) * _PRIME & _MASK
    return f"{value:016x}"
