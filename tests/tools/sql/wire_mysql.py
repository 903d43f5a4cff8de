"""A server that speaks MySQL's protocol as far as a test tells it to: greets as a version, answers each statement.

For what no installed server is: MySQL 8 itself, and servers that do not confirm, or send without end.
"""

import socketserver
import struct
import threading
from collections.abc import Callable, Sequence

READ_ONLY, AUTOCOMMIT = 0x2001, 0x0002
Respond = Callable[[str], list[bytes] | None]
"""Statement → payloads of the packets to answer with; None breaks the connection off."""


def ok(status: int = AUTOCOMMIT) -> list[bytes]:
    """Done, with the server's status bits."""
    return [b"\x00\x00\x00" + struct.pack("<HH", status, 0)]


def error(number: int, text: str = "secret backend text") -> list[bytes]:
    """An error of this number."""
    return [b"\xff" + struct.pack("<H", number) + b"#HY000" + text.encode()]


def rows(kinds: Sequence[int], *values: Sequence[str | None]) -> list[bytes]:
    """A result; ``kinds`` are the types of its columns."""
    end = b"\xfe\x00\x00" + struct.pack("<H", AUTOCOMMIT)
    columns = [_column(kind) for kind in kinds]
    return [bytes([len(kinds)]), *columns, end, *(b"".join(map(_cell, row)) for row in values), end]


def _column(kind: int) -> bytes:
    names = b"".join(_cell(name) for name in ("def", "", "", "", "c", "c"))
    return names + b"\x0c" + struct.pack("<HIBHBH", 45, 1024, kind, 0, 0, 0)


def _cell(value: str | None) -> bytes:
    if value is None:
        return b"\xfb"
    data = value.encode()
    assert len(data) < 65536
    return (bytes([len(data)]) if len(data) < 251 else b"\xfc" + struct.pack("<H", len(data))) + data


class WireMysql:
    """Context manager; ``statements`` are those received, of every connection."""

    def __init__(self, version: str, respond: Respond) -> None:
        self.statements: list[str] = []
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer._serve(self.request.makefile("rwb", buffering=0), version, respond)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])

    def __enter__(self) -> "WireMysql":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _serve(self, stream: object, version: str, respond: Respond) -> None:
        try:
            _write(stream, [_greeting(version)], first=0)
            _read(stream)
            _write(stream, ok(), first=2)
            while command := _read(stream):
                if command[:1] != b"\x03":
                    return
                sql = command[1:].decode()
                self.statements.append(sql)
                answer = respond(sql)
                if answer is None:
                    return
                _write(stream, answer, first=1)
        except OSError:
            return


def _greeting(version: str) -> bytes:
    low, high = 0xF7FF & ~0x0800, 0x0008  # every capability but TLS; plug-in sign-in
    return (
        b"\x0a" + version.encode() + b"\x00" + struct.pack("<I", 7) + b"12345678\x00" + struct.pack("<H", low)
        + b"\x2d" + struct.pack("<H", AUTOCOMMIT) + struct.pack("<H", high) + b"\x15" + b"\x00" * 10
        + b"123456789012\x00" + b"mysql_native_password\x00"
    )  # fmt: skip


def _write(stream: object, payloads: Sequence[bytes], *, first: int) -> None:
    for place, payload in enumerate(payloads):
        header = struct.pack("<I", len(payload))[:3] + bytes([(first + place) % 256])
        stream.write(header + payload)  # type: ignore[attr-defined]


def _read(stream: object) -> bytes:
    header = _exactly(stream, 4)
    return _exactly(stream, int.from_bytes(header[:3], "little")) if header else b""


def _exactly(stream: object, size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = stream.read(size - len(data))  # type: ignore[attr-defined]
        if not part:
            return b""
        data += part
    return data
