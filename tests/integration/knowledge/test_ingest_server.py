"""Documents on a Milvus server without search by word (2.3), which is what can be installed as a package."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from pymilvus import MilvusClient

from state.model.errors import Misconfigured
from tests.integration.knowledge.rooms import Gate, room, self_signed
from tests.servers import Server
from tests.tools.knowledge.library_room import SCOPE, add, found, state
from tools.knowledge.index_port import IndexUnavailable

pytestmark = pytest.mark.xdist_group("milvus")


def uri(server: Server) -> str:
    return f"http://{server.host}:{server.port}"


@pytest.fixture(scope="module")
def client(milvus_server: Server) -> MilvusClient:
    return MilvusClient(uri(milvus_server), timeout=10, dedicated=True)


@pytest.fixture(scope="module")
def opened(milvus_server, tmp_path_factory):
    with room(tmp_path_factory.mktemp("dense"), uri(milvus_server), kb="dense") as pair:
        yield pair


def test_search_by_word_is_refused_with_the_way_out_and_nothing_is_left_behind(milvus_server, client, tmp_path):
    with (
        pytest.raises(Misconfigured, match="set ROOTPROOF_SEARCH_MODE to dense"),
        room(tmp_path, uri(milvus_server), kb="words", mode="hybrid"),
    ):
        pass

    assert [name for name in client.list_collections() if "words" in name] == []


def test_documents_are_added_replaced_and_deleted(opened):
    base, library = opened
    first = add(library, "# Pool\n\nold words\n")
    library.run_due()
    assert found(base, "pool") == ["# Pool\n\nold words"]
    add(library, "# Pool\n\nnew words\n\n## More\n\nmore\n")
    library.run_due()

    assert found(base, "pool") == ["# Pool\n\nnew words", "## More\n\nmore"]
    assert base.index.count() == base.records.chunk_count() == 2
    assert library.delete(first.document.doc_id, kb_scope=SCOPE)
    assert (found(base, "pool"), base.index.count()) == ([], 0)


def test_scopes_of_one_collection_do_not_see_each_other(opened):
    base, library = opened
    add(library, "# Pool\n\nmine\n", "m.md")
    add(library, "# Pool\n\ntheirs\n", "t.md", scope="team-b")
    library.run_due()

    assert found(base, "pool") == ["# Pool\n\nmine"]
    assert found(base, "pool", scope="team-b") == ["# Pool\n\ntheirs"]


def test_a_rebuild_switches_and_the_alias_follows(opened, client):
    base, library = opened
    add(library, "# Disk\n\nfull\n", "d.md")
    library.run_due()

    library.rebuild()

    assert "# Disk\n\nfull" in found(base, "disk")
    alias = client.describe_alias(f"{base.records.base}_current")
    assert alias["collection_name"] == base.index.current.collection == f"{base.records.collection}_dense"
    assert [name for name in client.list_collections() if "_dense_" in name] == [base.index.current.collection]


def test_a_foreign_collection_of_our_name_is_left_alone(milvus_server, client, tmp_path):
    with room(tmp_path, uri(milvus_server), kb="foreign") as (base, _):
        name = base.index.current.collection
    client.drop_collection(name)
    client.create_collection(name, dimension=8)

    with (
        pytest.raises(Misconfigured, match="another schema is there and was left alone"),
        room(tmp_path, uri(milvus_server), kb="foreign"),
    ):
        pass

    assert client.describe_collection(name)["fields"][1]["params"]["dim"] == 8
    client.drop_collection(name)


def test_a_collection_that_another_home_filled_is_left_alone(milvus_server, tmp_path):
    with room(tmp_path / "one", uri(milvus_server), kb="homes") as (base, library):
        add(library, "# Net\n\nslow\n", "n.md")
        library.run_due()

        with (
            pytest.raises(Misconfigured, match="open it from the home that filled it"),
            room(tmp_path / "two", uri(milvus_server), kb="homes"),
        ):
            pass

        assert found(base, "net") == ["# Net\n\nslow"]


def test_a_server_that_hangs_is_a_timeout_and_its_jobs_wait(milvus_server, tmp_path):
    with room(tmp_path, uri(milvus_server), kb="hangs", timeout_s=2.0) as (base, library):
        added = add(library, "# Pool\n\nx\n")
        os.killpg(milvus_server.pid, signal.SIGSTOP)
        try:
            with pytest.raises(IndexUnavailable) as caught:
                found(base, "pool")
            library.run_due()
        finally:
            os.killpg(milvus_server.pid, signal.SIGCONT)

        assert caught.value.timed_out
        assert state(library) == ("PENDING", "knowledge index: upsert timed out")
        base.clock.moved_s += 60
        while library.run_due():
            base.clock.moved_s += 60
        assert library.task(added.task_id, kb_scope=SCOPE).attempts >= 2
        assert found(base, "pool") == ["# Pool\n\nx"]


def test_a_server_that_is_gone_fails_jobs_after_three_attempts_with_a_clear_sentence(milvus_server, tmp_path):
    with Gate(milvus_server.port) as gate, room(tmp_path, gate.uri, kb="gone", timeout_s=1.0) as (base, library):
        add(library, "# Pool\n\nx\n")
        gate.close()
        for _ in range(3):
            library.run_due()
            base.clock.moved_s += 60

        assert state(library)[0] == "FAILED"
        assert state(library)[1] in {"knowledge index: upsert failed", "knowledge index: upsert timed out"}
        with pytest.raises(IndexUnavailable, match="knowledge index: search"):
            found(base, "pool")


def test_a_server_behind_tls_is_trusted_by_its_certificate_only(milvus_server, tmp_path):
    certificate, key = self_signed(tmp_path)
    other, _ = self_signed(tmp_path / "other")
    with Gate(milvus_server.port, certificate=certificate, key=key) as gate:
        with room(tmp_path / "home", gate.uri, kb="tls", ca_file=str(certificate)) as (base, library):
            add(library, "# Pool\n\nx\n")
            library.run_due()
            assert found(base, "pool") == ["# Pool\n\nx"]

        for trusted in ({"ca_file": str(other)}, {}):
            with pytest.raises(Misconfigured), room(tmp_path / "home", gate.uri, kb="tls", timeout_s=1.0, **trusted):
                pass


class _Refusing(grpc.GenericRpcHandler):
    """What a server with authorisation answers to a wrong token."""

    def service(self, call_details):
        def refuse(_, context):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "auth check failure, please check username and password")

        return grpc.unary_unary_rpc_method_handler(refuse)


def test_a_wrong_token_is_named_by_its_setting(tmp_path):
    refusing = grpc.server(ThreadPoolExecutor(2), handlers=[_Refusing()])
    port = refusing.add_insecure_port("127.0.0.1:0")
    refusing.start()

    with (
        pytest.raises(Misconfigured, match="check ROOTPROOF_MILVUS_TOKEN"),
        room(tmp_path, f"http://127.0.0.1:{port}", kb="refused", token="root:wrong", timeout_s=1.0),
    ):
        pass

    refusing.stop(0)
