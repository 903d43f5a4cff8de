"""Knowledge bases by address, for tests against servers."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.tools.knowledge.library_room import Ids, MovedClock
from tests.tools.knowledge.sample_docs import CountingEmbedder, shared_segmenter
from tools.knowledge.document_library import DocumentLibrary
from tools.knowledge.library import KnowledgeBase, LibrarySettings


@contextmanager
def room(
    home: Path, uri: str, *, kb: str, mode: str = "dense", timeout_s: float = 5.0, **options: object
) -> Iterator[tuple[KnowledgeBase, DocumentLibrary]]:
    """A base and its library on the server."""
    settings = LibrarySettings(
        home=home, kb=kb, precise_min=0.5, reference_min=0.2, uri=uri, timeout_s=timeout_s, search_mode=mode, **options
    )  # fmt: skip
    with KnowledgeBase(settings, CountingEmbedder(), MovedClock(), segmenter=shared_segmenter()) as base:
        yield base, DocumentLibrary(base, Ids())


class Gate:
    """A way to a server of this machine that can be closed for good, and that can speak TLS."""

    def __init__(self, port: int, *, certificate: Path | None = None, key: Path | None = None) -> None:
        self._target = port
        self._tls: ssl.SSLContext | None = None
        if certificate is not None:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate, key)
            self._tls.set_alpn_protocols(["h2"])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.uri = f"{'http' if certificate is None else 'https'}://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Whoever is inside is thrown out, and nobody comes in any more."""
        for end in (self._listener, *self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with suppress(OSError):
            near = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            far = socket.create_connection(("127.0.0.1", self._target))
            self._open += [near, far]
            threading.Thread(target=_pump, args=(far, near), daemon=True).start()
            _pump(near, far)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while block := source.recv(65536):
            target.sendall(block)
        target.shutdown(socket.SHUT_RDWR)


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Certificate and key for 127.0.0.1."""
    folder.mkdir(exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    encoded = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*encoded))
    return certificate, private
