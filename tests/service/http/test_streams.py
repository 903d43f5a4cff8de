"""Ask and watch over real sockets: order, one end, nothing lost and nothing twice, whoever comes and goes."""

import asyncio
from pathlib import Path

import pytest

from state.model.enums import CancellationReason, ReleaseOutcome, RunState
from tests.graph.stage import Cast
from tests.service.http.place import Place, key, place, until


async def test_a_question_is_answered_as_a_stream(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()
        row = await served.row(heard.run_id)

    assert heard.status == 200
    assert heard.headers["Content-Type"].startswith("text/event-stream")
    assert heard.headers["Cache-Control"] == "no-store"
    assert [event.id for event in heard.events] == list(range(1, len(heard.events) + 1))
    assert heard.types[0] == "metadata"
    assert heard.events[0].data == {"session_id": row.session_id, "run_id": heard.run_id}
    assert set(heard.types[1:-2]) == {"status"}
    assert heard.types[-2:] == ["content", "done"]
    assert heard.events[-2].data["payload"]["tag"] == "report"
    assert heard.events[-1].data == {"outcome": "SUCCESS"}
    assert (row.owner_key, row.outcome) == ("ann", ReleaseOutcome.SUCCESS)


async def test_the_stream_is_what_the_store_has_committed(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()
        kept = await served.play.stores.control.public_events((await served.row(heard.run_id)).run_id)

    assert [(event.id, event.type, event.data) for event in heard.events] == [
        (event.seq, event.type.value, event.payload) for event in kept
    ]


async def test_every_cut_can_be_taken_up_without_loss_or_repetition(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()
        again = {last: (await served.watch(heard.run_id, last=last)).events for last in range(len(heard.events) + 1)}
        by_query = (await served.watch(heard.run_id, after=2)).events

    assert again == {last: heard.events[last:] or heard.events[-1:] for last in again}
    assert by_query == heard.events[2:]


async def test_the_header_wins_over_the_query(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()

        assert (await served.watch(heard.run_id, after=0, last=3)).events == heard.events[3:]


async def test_a_run_is_watched_after_a_restart(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()
    async with place(tmp_path, Cast(), owner="process-2") as served:
        again = await served.watch(heard.run_id, last=2)

    assert again.events == heard.events[2:]


async def test_two_watchers_read_the_same(tmp_path: Path) -> None:
    async with place(tmp_path) as served, served.asking() as first:
        await until(lambda: served.gate.reached == 1)
        second = asyncio.create_task(served.watch(first.run_id))
        await until(lambda: served.app.state.context.meters.streams._value.get() == 2)
        served.gate.is_open.set()
        heard = await first.all()

        assert (await second).events == heard.events


async def test_a_quiet_stream_has_heartbeats(tmp_path: Path) -> None:
    async with place(tmp_path) as served, served.asking() as stream:
        await stream.until(lambda raw: raw.count(b": watching\n\n") >= 3)
        served.gate.is_open.set()
        heard = await stream.all()

    assert heard.types.count("done") == 1
    assert heard.raw.endswith(b'event: done\ndata: {"outcome":"SUCCESS"}\n\n')


async def test_a_run_that_everybody_left_is_cancelled_and_a_detached_one_goes_on(tmp_path: Path) -> None:
    async with place(tmp_path, runs=3) as served:
        left = await _left(served)
        detached = await _left(served, detach=True)
        later = await _left(served)
        told = await served.client.post(f"/api/runs/{later}/detach", headers=key("ann"))
        async with served.strict():
            cancelled = await served.ended(left)
        still = [(await served.row(run_id)).run_state for run_id in (detached, later)]
        served.gate.is_open.set()
        ended = [(await served.ended(run_id)).outcome for run_id in (detached, later)]

    assert (cancelled.outcome, cancelled.cancel_reason) == (
        ReleaseOutcome.CANCELLED,
        CancellationReason.CLIENT_DISCONNECTED,
    )
    assert (told.status_code, told.json()) == (202, {"run_id": later})
    assert still == [RunState.RUNNING, RunState.RUNNING]
    assert ended == [ReleaseOutcome.SUCCESS, ReleaseOutcome.SUCCESS]


async def test_a_run_that_somebody_watches_is_not_cancelled(tmp_path: Path) -> None:
    async with place(tmp_path, runs=2) as served, served.asking() as stream:
        await until(lambda: served.gate.reached == 1)
        left = await _left(served)
        async with served.strict():
            await served.ended(left)

            assert (await served.row(stream.run_id)).cancel_requested_at is None
        served.gate.is_open.set()


async def _left(served: Place, **more: object) -> str:
    """A run that waits at the gate, and whose asker has gone."""
    before = served.gate.reached
    async with served.asking(**more) as stream:
        await until(lambda: served.gate.reached > before)
        return stream.run_id


async def test_a_cancelled_run_says_so_to_its_watcher(tmp_path: Path) -> None:
    async with place(tmp_path) as served, served.asking() as stream:
        await until(lambda: served.gate.reached == 1)
        reply = await served.client.post(f"/api/runs/{stream.run_id}/cancel", headers=key("ann"))
        heard = await stream.all()

    assert (reply.status_code, reply.json()) == (202, {"run_id": stream.run_id, "run_state": "RUNNING"})
    assert heard.types[-2:] == ["failure", "done"]
    failure = heard.events[-2].data
    assert failure["code"] == "RUN_CANCELLED"
    assert failure["message"] != failure["message_zh"]
    assert "取消" in failure["message_zh"]
    assert heard.events[-1].data == {"outcome": "CANCELLED"}


@pytest.mark.parametrize("what", ["cancel", "detach"])
async def test_an_ended_run_can_be_told_nothing(tmp_path: Path, what: str) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await served.ask()
        reply = await served.client.post(f"/api/runs/{heard.run_id}/{what}", headers=key("ann"))

    assert (reply.status_code, reply.json()["code"], reply.json()["run_id"]) == (409, "RUN_ENDED", heard.run_id)


async def test_the_same_request_again_watches_the_run_that_is_there(tmp_path: Path) -> None:
    once = {"Idempotency-Key": "k1"}
    async with place(tmp_path, Cast()) as served:
        first = await served.ask(headers=once)
        again = await served.ask(headers=once)
        rows = await served.play.stores.control.list_runs()

    assert again.run_id == first.run_id
    assert again.events == first.events
    assert len(rows) == 1


async def test_the_same_request_at_the_same_time_starts_one_run(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        heard = await asyncio.gather(*(served.ask(headers={"Idempotency-Key": "k1"}) for _ in range(4)))
        rows = await served.play.stores.control.list_runs()

    assert len(rows) == 1
    assert [one.events for one in heard] == [heard[0].events] * 4


async def test_the_same_key_with_another_question_is_refused(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        first = await served.ask(headers={"Idempotency-Key": "k1"})
        other = await served.ask("Why do orders fail?", headers={"Idempotency-Key": "k1"})

    assert (other.status, other.json["code"]) == (409, "IDEMPOTENCY_MISMATCH")
    assert other.json["run_id"] == first.run_id


async def test_the_same_key_of_another_caller_is_another_request(tmp_path: Path) -> None:
    async with place(tmp_path, runs=2) as served:
        served.gate.is_open.set()
        first = await served.ask(headers={"Idempotency-Key": "k1"})
        other = await served.ask("Why do orders fail?", who="bob", headers={"Idempotency-Key": "k1"})

    assert other.status == 200
    assert other.run_id != first.run_id


async def test_a_request_refused_for_want_of_room_may_be_made_again(tmp_path: Path) -> None:
    async with place(tmp_path, runs=2, max_running=1) as served:
        async with served.asking() as first:
            await until(lambda: served.gate.reached == 1)
            full = await served.ask(headers={"Idempotency-Key": "k1"})
            served.gate.is_open.set()
            await first.all()
        await until(lambda: served.live.n_running == 0)
        again = await served.ask(headers={"Idempotency-Key": "k1"})
        n_runs = len(await served.play.stores.control.list_runs())

    assert (full.status, full.json["code"]) == (429, "TOO_MANY_RUNS")
    assert int(full.headers["Retry-After"]) >= 1
    assert (again.status, again.types[-1], n_runs) == (200, "done", 2)


async def test_a_key_has_so_many_streams_and_a_place_is_free_when_one_ends(tmp_path: Path) -> None:
    async with place(tmp_path, runs=2, settings={"max_streams_per_key": 2}) as served:
        places = served.app.state.context.streams.places
        async with served.asking() as first:
            await until(lambda: served.gate.reached == 1)
            async with served.watching(first.run_id), served.asking(who="bob") as other:
                watched = await served.watch(first.run_id)
                asked = await served.ask()
                owners = [row.owner_key for row in await served.play.stores.control.list_runs()]
                assert other.reply.status_code == 200
            await until(lambda: places.n_held == 1)
            async with served.watching(first.run_id) as again:
                assert again.reply.status_code == 200
        await until(lambda: places.n_names == 0)
        served.gate.is_open.set()

    assert [(one.status, one.json["code"]) for one in (watched, asked)] == [(429, "TOO_MANY_STREAMS")] * 2
    assert int(watched.headers["Retry-After"]) >= 1
    assert "may have (2)" in watched.json["detail"]
    assert owners == ["bob", "ann"]


async def test_a_stream_that_is_refused_or_ends_by_itself_holds_no_place(tmp_path: Path) -> None:
    async with place(tmp_path, Cast(), settings={"max_streams_per_key": 1}) as served:
        places = served.app.state.context.streams.places
        codes = [(await served.ask("   ")).status, (await served.ask(session_id="no session")).status]
        codes += [(await served.watch("no-such-run")).status, (await served.watch("x", after=-1)).status]
        codes += [(await served.ask()).status, places.n_held]

    assert codes == [422, 422, 404, 422, 200, 0]


async def test_a_key_at_its_limit_of_runs_is_told_so(tmp_path: Path) -> None:
    async with place(tmp_path, runs=2, max_per_key=1) as served, served.asking() as first:
        await until(lambda: served.gate.reached == 1)
        full = await served.ask()
        async with served.asking(who="bob") as other:
            assert other.reply.status_code == 200
        served.gate.is_open.set()
        await first.all()

    assert (full.status, full.json["code"]) == (429, "TOO_MANY_RUNS")
    assert "may have (1)" in full.json["detail"]
    assert int(full.headers["Retry-After"]) >= 1


async def test_streams_end_when_the_process_stops(tmp_path: Path) -> None:
    async with place(tmp_path) as served, served.asking() as stream:
        await until(lambda: served.gate.reached == 1)
        served.server.should_exit = True
        heard = await stream.all()
        run_id = stream.run_id
    async with place(tmp_path, Cast(), owner="process-2") as served:
        row = await served.ended(run_id)
        rest = await served.watch(run_id, last=heard.events[-1].id)

    assert "done" not in heard.types
    assert row.run_state is RunState.CANCELLED
    assert rest.events[-1].data == {"outcome": "CANCELLED"}


async def test_open_streams_are_counted_down_to_none(tmp_path: Path) -> None:
    async with place(tmp_path) as served:
        async with served.asking():
            await until(lambda: served.app.state.context.meters.streams._value.get() == 1)
        await until(lambda: served.app.state.context.meters.streams._value.get() == 0)
        assert served.live.n_followed == 0


async def test_runs_that_ended_here_are_counted_once(tmp_path: Path) -> None:
    async with place(tmp_path, Cast()) as served:
        run_id = (await served.ask()).run_id
        await until(lambda: served.live.n_running == 0)
        usage = await served.play.stores.control.usage((await served.row(run_id)).run_id)
        texts = [(await served.client.get("/metrics", headers=key("olga"))).text for _ in range(2)]
    async with place(tmp_path, Cast(), owner="process-2") as served:
        later = (await served.client.get("/metrics", headers=key("olga"))).text

    for text in texts:
        assert 'rootproof_runs_finished_total{outcome="SUCCESS"} 1.0' in text
        assert f"rootproof_run_tokens_total {float(usage.tokens)}" in text
    assert 'rootproof_runs_finished_total{outcome="SUCCESS"} 0.0' in later
