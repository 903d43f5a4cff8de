"""A database server as configuration describes it, with every secret already read. Plain values."""

import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from state.model.errors import Misconfigured

CONNECT_S = 3.0
"""Seconds for a connection, at most."""
Columns = Mapping[str, Sequence[str]]
"""Table, or ``schema.table``, → column names."""
Tls = Literal["off", "require", "verify"]


@dataclass(frozen=True)
class SqlServer:
    """Where a datasource is, and who asks."""

    name: str
    """Of the datasource; names it in errors."""
    host: str
    """Name or address; a path is a Unix socket (PostgreSQL: its folder)."""
    port: int
    database: str
    user: str
    password: str | None = field(default=None, repr=False)
    tls: Tls = "verify"
    """``verify`` checks certificate and name, ``require`` only encrypts."""
    ca_file: Path | None = None
    """Certificates to trust instead of the system's."""
    timeout_s: float = 5.0
    """For one statement; ends it at the server too."""

    @property
    def key(self) -> str:
        """The settings of this datasource, for errors."""
        return f"sources.{self.name}"


@dataclass(frozen=True)
class Offer:
    """What of a server may be asked for."""

    allowlist: Columns
    """``["*"]``: every readable column that is not sensitive by name."""
    masked: Columns = field(default_factory=dict)
    """Shown only as a mask, beside those that are sensitive by name."""
    max_plan_cost: float | None = None
    """Ceiling of the server's own estimate for a statement."""


def trusted_certificates(server: SqlServer) -> Path:
    """The file of certificates to trust.

    Raises:
        Misconfigured: the configured file is absent, or the system has none.
    """
    if server.ca_file is not None:
        if not server.ca_file.is_file():
            raise Misconfigured(f"{server.key}.ca_file", "there is no such file")
        return server.ca_file
    system = ssl.get_default_verify_paths()
    found = next((path for path in (system.cafile, *_BUNDLES) if path and Path(path).is_file()), None)
    if found is None:
        raise Misconfigured(f"{server.key}.ca_file", "this machine has no certificates to trust; name a file")
    return Path(found)


_BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
