"""The servers that other tests rest on really start, answer and stop."""

from pathlib import Path

import pytest

from tests import servers
from tests.servers import Server


def test_redis_answers(redis_server: Server) -> None:
    assert servers.accepts(redis_server.port)


def test_postgres_answers(postgres_server: Server) -> None:
    assert servers.accepts(postgres_server.port)


def test_mariadb_answers(mariadb_server: Server) -> None:
    assert servers.accepts(mariadb_server.port)


def test_prometheus_and_alertmanager_answer_and_stop(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()

    with (
        servers.prometheus(one, "global: {scrape_interval: 1s}\n") as metrics,
        servers.alertmanager(other, "route: {receiver: none}\nreceivers: [{name: none}]\n") as alerts,
    ):
        assert servers.accepts(metrics.port)
        assert servers.accepts(alerts.port)

    assert not servers.accepts(metrics.port)
    assert not servers.accepts(alerts.port)


@pytest.mark.xdist_group("milvus")  # two of them cannot run at once
def test_milvus_answers(milvus_server: Server) -> None:
    assert servers.accepts(milvus_server.port)


def test_a_program_that_is_absent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROOTPROOF_TEST_SERVERS", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        servers.program("no-such-program")


def test_a_program_that_is_absent_fails_where_servers_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTPROOF_TEST_SERVERS", "required")

    with pytest.raises(pytest.fail.Exception, match="no-such-program"):
        servers.program("no-such-program")


def test_a_server_that_cannot_start_says_what_it_said(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="did not start: .*unrecognized"):
        with servers.running(["ls", "--unrecognized"], folder=tmp_path, port=servers.free_port()):
            pass
