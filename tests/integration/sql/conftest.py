"""The incident's tables, made once in the server of this worker."""

import pytest

from tests.integration.sql.incident import MYSQL, POSTGRES, as_postgres, as_root
from tests.servers import Server


@pytest.fixture(scope="session")
def postgres_shop(postgres_server: Server) -> Server:
    as_postgres(postgres_server, POSTGRES)
    return postgres_server


@pytest.fixture(scope="session")
def mariadb_shop(mariadb_server: Server) -> Server:
    as_root(mariadb_server, MYSQL)
    return mariadb_server
