"""What start-up and the doctor are told about a server that must not hold truth."""

import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from redis.asyncio import Redis

from graph.system import SystemClock
from state.model.errors import Misconfigured, TruthUnavailable
from state.stores.canonical_redis import RedisCanonicalStore
from tests import servers
from tests.contracts.samples import CALL, RUN
from tests.integration.redis.places import address
from tests.servers import Server, free_port

pytestmark = pytest.mark.xdist_group("redis")


async def check(url: str, clock: SystemClock | None = None) -> tuple[str, ...]:
    store = RedisCanonicalStore(url, clock or SystemClock())
    try:
        return await store.check()
    finally:
        await store.close_store()


async def test_plain_server_is_fit(redis_server: Server) -> None:
    assert await check(address(redis_server)) == ()


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
async def test_server_that_may_evict_is_refused(tmp_path: Path, policy: str) -> None:
    with servers.redis(tmp_path, "--maxmemory", "100mb", "--maxmemory-policy", policy) as server:
        with pytest.raises(Misconfigured, match=f"{policy}.*noeviction") as refused:
            await check(address(server))

    assert refused.value.key == "maxmemory-policy"


@pytest.mark.parametrize("limit, policy", [("100mb", "noeviction"), ("0", "allkeys-lru")])
async def test_server_that_never_evicts_is_fit(tmp_path: Path, limit: str, policy: str) -> None:
    with servers.redis(tmp_path, "--maxmemory", limit, "--maxmemory-policy", policy) as server:
        assert await check(address(server)) == ()


async def test_read_only_replica_is_refused(tmp_path: Path) -> None:
    with servers.redis(tmp_path, "--replicaof", "127.0.0.1", "1") as server:
        with pytest.raises(Misconfigured, match="replica.*primary"):
            await check(address(server))


async def test_what_the_account_may_not_ask_is_a_notice(tmp_path: Path) -> None:
    with servers.redis(tmp_path, "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru") as server:
        async with Redis(host=server.host, port=server.port) as admin:
            await admin.execute_command("ACL SETUSER", "few", "on", ">pw", "~*", "+@all", "-config")
            await admin.execute_command("ACL SETUSER", "fewer", "on", ">pw", "~*", "+@all", "-config", "-info")
            await admin.execute_command("ACL SETUSER", "noinfo", "on", ">pw", "~*", "+@all", "-info")

        with pytest.raises(Misconfigured, match="allkeys-lru"):
            await check(f"redis://few:pw@127.0.0.1:{server.port}")
        with pytest.raises(Misconfigured, match="allkeys-lru"):
            await check(f"redis://noinfo:pw@127.0.0.1:{server.port}")
        (notice,) = await check(f"redis://fewer:pw@127.0.0.1:{server.port}")
        assert "noeviction" in notice


async def test_wrong_password_is_refused_without_telling_it(tmp_path: Path) -> None:
    with servers.redis(tmp_path, "--requirepass", "zq-right") as server:
        with pytest.raises(Misconfigured, match="refuses user or password") as refused:
            await check(f"redis://:zq-wrong@127.0.0.1:{server.port}")
        with pytest.raises(Misconfigured, match="refuses user or password"):
            await check(address(server))

    assert "zq-" not in str(refused.value)


async def test_account_without_scripts_is_truth_unavailable(tmp_path: Path) -> None:
    with servers.redis(tmp_path) as server:
        async with Redis(host=server.host, port=server.port) as admin:
            await admin.execute_command("ACL SETUSER", "plain", "on", ">pw", "~*", "+@all", "-@scripting")
        with pytest.raises(TruthUnavailable):
            await check(f"redis://plain:pw@127.0.0.1:{server.port}")


async def test_nobody_there_is_truth_unavailable() -> None:
    with pytest.raises(TruthUnavailable):
        await check(f"redis://127.0.0.1:{free_port()}")


async def test_clocks_that_differ_are_a_notice(redis_server: Server) -> None:
    class Behind(SystemClock):
        def now(self) -> datetime:
            return super().now() - timedelta(minutes=5)

    (notice,) = await check(address(redis_server), Behind())

    assert "300 s ahead of ours" in notice


async def test_tls_is_used_and_an_unknown_certificate_is_refused(tmp_path: Path) -> None:
    certificate, key, port = tmp_path / "cert.pem", tmp_path / "key.pem", free_port()
    subprocess.run(
        [servers.program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    options = ("--tls-port", str(port), "--tls-cert-file", str(certificate), "--tls-key-file", str(key),
               "--tls-ca-cert-file", str(certificate), "--tls-auth-clients", "no")  # fmt: skip
    with servers.redis(tmp_path, *options):
        assert await check(f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}") == ()
        with pytest.raises(TruthUnavailable):
            await check(f"rediss://127.0.0.1:{port}")
        with pytest.raises(TruthUnavailable):
            await check(f"redis://127.0.0.1:{port}")
    store = RedisCanonicalStore(f"rediss://127.0.0.1:{port}", SystemClock())
    with pytest.raises(TruthUnavailable):
        await store.get(RUN, CALL)
    await store.close_store()
