"""The address of a database server, checked before anything is opened. Pure but for ``require_driver``.

The password is never part of it, so that it may be logged. Options of the url are those of TLS and of failover.
"""

import importlib

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from state.model.errors import Misconfigured

POSTGRES, MYSQL = "postgresql+psycopg", "mysql+pymysql"
_DRIVERS = {
    "postgresql": POSTGRES,
    "postgres": POSTGRES,
    POSTGRES: POSTGRES,
    "mysql": MYSQL,
    "mariadb": MYSQL,
    MYSQL: MYSQL,
    "mariadb+pymysql": MYSQL,
}
_TLS_OF_POSTGRES = ("sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "sslsni", "channel_binding", "gssencmode")
"""Not ``ssl_verify_…``: beside ``ssl_ca`` they make the driver forget the authority it shall trust."""
_TLS_OF_MYSQL = ("ssl_ca", "ssl_capath", "ssl_cert", "ssl_key", "ssl_cipher", "ssl_check_hostname")
_OPTIONS = {
    POSTGRES: frozenset({*_TLS_OF_POSTGRES, "host", "port", "target_session_attrs", "keepalives", "tcp_user_timeout"}),
    MYSQL: frozenset({*_TLS_OF_MYSQL, "unix_socket"}),
}
_PACKAGES_OF_POSTGRES = ("psycopg", "psycopg_pool")


def server_url(url: str, password: str | None, *, setting: str) -> URL:
    """The url with its driver and password; ``setting`` names it in errors.

    Raises:
        Misconfigured: no url of a server we know, or a password or an unknown option in it.
    """
    parsed = _parsed(url, setting)
    driver = _DRIVERS.get(parsed.drivername)
    if driver is None:
        raise Misconfigured(setting, "must begin with postgresql:// or mysql:// (also for MariaDB)")
    _check_parts(parsed, driver, setting)
    return parsed.set(drivername=driver, password=password)


def split_password(url: str, *, setting: str) -> tuple[str, str | None]:
    """The url without its password, and the password; ``setting`` names it in errors.

    Raises:
        Misconfigured: it is no url.
    """
    parsed = _parsed(url, setting)
    return parsed.set(password=None).render_as_string(hide_password=False), parsed.password


def is_postgres(url: str) -> bool:
    """True if the url is one of PostgreSQL; one that is no url is not."""
    return _DRIVERS.get(url.partition("://")[0]) == POSTGRES


def require_driver(url: URL, setting: str) -> None:
    """Return if the driver of that server can be imported; blocking.

    Raises:
        Misconfigured: it is not installed, or not whole; names the extra.
    """
    if url.drivername != POSTGRES:
        return
    try:
        for name in _PACKAGES_OF_POSTGRES:
            importlib.import_module(name)
    except ImportError:
        raise Misconfigured(setting, "PostgreSQL needs an extra: pip install 'rootproof[postgres]'") from None


def _parsed(url: str, setting: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError:
        raise Misconfigured(setting, "is no url like postgresql://user@host/database") from None


def _check_parts(url: URL, driver: str, setting: str) -> None:
    if url.password is not None:
        raise Misconfigured(setting, "must not hold the password, which has a setting of its own")
    if not url.database:
        raise Misconfigured(setting, "names no database after the host")
    unknown = sorted(set(url.query) - _OPTIONS[driver])
    if unknown:
        raise Misconfigured(setting, f"has the unknown options {', '.join(unknown)}")
