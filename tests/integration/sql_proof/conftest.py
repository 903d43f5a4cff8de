"""Servers of their own: what is proved is that nothing in a whole server changes."""

from collections.abc import Iterator

import pytest

from tests import servers
from tests.integration.sql_proof.account import make_mariadb, make_postgres
from tests.servers import Server


@pytest.fixture(scope="session")
def proof_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with servers.postgres(tmp_path_factory.mktemp("proof-postgres")) as server:
        make_postgres(server)
        yield server


@pytest.fixture(scope="session")
def proof_mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with servers.mariadb(tmp_path_factory.mktemp("proof-mariadb")) as server:
        make_mariadb(server)
        yield server
