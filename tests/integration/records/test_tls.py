"""What the url asks of TLS is what happens: a server that cannot give it is not talked to in the clear."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores.records_upgrade import current
from tests.integration.records.outages import started, started_again
from tests.integration.records.places import QUICK, Place, new_place
from tests.servers import missing


@dataclass(frozen=True)
class Authority:
    """A key and the certificate it signed for itself, for 127.0.0.1 alone."""

    certificate: Path
    key: Path


def new_authority(folder: Path) -> Authority:
    openssl = shutil.which("openssl") or missing("openssl is not installed")
    folder.mkdir()
    found = Authority(folder / "crt.pem", folder / "key.pem")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", str(found.key), "-out", str(found.certificate), "-days", "2", "-subj", "/CN=test",
         "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    return found


def trusting(place: Place, authority: Authority, *, host: str = "127.0.0.1") -> str:
    url = place.url.replace("127.0.0.1", host)
    if place.kind == "postgres":
        return f"{url}?sslmode=verify-full&sslrootcert={authority.certificate}"
    return f"{url}?ssl_ca={authority.certificate}"


def test_a_server_without_tls_is_refused_where_it_is_asked_for(place: Place, tmp_path: Path) -> None:
    with pytest.raises(TruthUnavailable):
        current(trusting(place, new_authority(tmp_path / "ca")), None, limits=QUICK)


@pytest.fixture(scope="module")
def secure(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Authority]]:
    """A server with a certificate."""
    folder = tmp_path_factory.mktemp("tls")
    authority = new_authority(folder / "ca")
    with started(kind, folder) as server:
        place = new_place(server, kind)
        key, certificate = server.folder / "data" / "key.pem", server.folder / "data" / "crt.pem"
        shutil.copy(authority.key, key)
        shutil.copy(authority.certificate, certificate)
        owner = (server.folder / "data").stat()
        for path in (key, certificate):
            path.chmod(0o600)
            shutil.chown(path, owner.st_uid, owner.st_gid)
        server.kill()
        options = (
            ("-c", "ssl=on", "-c", "ssl_cert_file=crt.pem", "-c", "ssl_key_file=key.pem")
            if kind == "postgres"
            else (f"--ssl-cert={certificate}", f"--ssl-key={key}")
        )
        with started_again(kind, server, *options) as again:
            yield Place(again, kind, place.name), authority


def test_a_server_of_the_trusted_authority_is_used(secure: tuple[Place, Authority]) -> None:
    place, authority = secure

    assert current(trusting(place, authority), None) is None


def test_one_of_another_authority_is_not(secure: tuple[Place, Authority], tmp_path: Path) -> None:
    with pytest.raises(TruthUnavailable):
        current(trusting(secure[0], new_authority(tmp_path / "other")), None, limits=QUICK)


def test_one_of_another_name_is_not(secure: tuple[Place, Authority]) -> None:
    with pytest.raises(TruthUnavailable):
        current(trusting(*secure, host="localhost"), None, limits=QUICK)
