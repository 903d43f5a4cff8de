"""A process that serves for weeks: nothing of ours grows with the number of runs that ended, streams or requests.

Objects and entries are counted, never bytes or seconds.
"""

import asyncio
import gc
from collections import Counter
from pathlib import Path
from typing import Any

from models.scripted import KEPT_REQUESTS, ScriptedModel
from state.model.enums import ModelRole
from tests.graph.stage import QUESTION
from tests.service.http.place import Place, key, place, until
from tests.service.http_routes.room import happy

BATCH = 10
OURS = ("graph.", "nodes.", "service.", "state.", "tools.", "models.", "guards.", "config.")


def alive() -> Counter[str]:
    """Objects of our types, and tasks and generators of anybody's, by type."""
    gc.collect()
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name.startswith(OURS) or isinstance(one, asyncio.Task) or kind.__name__ in {"async_generator", "coroutine"}:
            found[name] += 1
    return found


def entries(served: Place) -> dict[str, int]:
    """What the objects that live as long as the process hold."""
    deps, context = served.play.deps, served.app.state.context
    rates: Any = next(layer.kwargs["rates"] for layer in served.app.user_middleware if "rates" in layer.kwargs)
    return {
        "executions": len(served.live.executions),
        "readers": len(served.live._readers),
        "runs of the runner": len(served.play.runner._at_work) + len(served.play.runner._given_up),
        "leases": len(deps.keeper._held),
        "owners": len(deps.owners._of) + len(deps.owners._alerts),
        "audit counters": len(served.play.stores.audit._counters),
        "places": context.streams.places.n_names,
        "rates": len(rates._own.storage.storage),
        "series": sum(len(metric.samples) for metric in context.meters.registry.collect()),
    }


async def batch(served: Place) -> None:
    """Runs that are watched to their end, one whose asker leaves at once, and requests that are refused."""
    for number in range(BATCH):
        heard = await served.ask(headers={"Idempotency-Key": f"{served.live.tally.outcomes.total()}-{number}"})
        assert heard.types[-1] == "done"
        assert (await served.watch(heard.run_id, last=3)).events
    async with served.asking():
        pass
    assert (await served.ask("   ")).status == 422
    assert (await served.watch("none")).status == 404
    await served.client.get("/api/runs", headers=key("ann"))
    await served.client.get("/metrics", headers=key("olga"))
    await until(lambda: served.live.n_running == 0)
    for role in ModelRole:
        served.play.models[role]._requests.clear()


async def test_nothing_grows_with_the_number_of_runs_that_ended(tmp_path: Path) -> None:
    rates = {"requests_per_minute": 100_000, "requests_per_minute_total": 100_000}
    async with place(tmp_path, happy(4 * (BATCH + 1)), settings={**rates, "encryption_key": "k" * 20}) as served:
        await batch(served)
        held = [entries(served)]
        await batch(served)
        first = alive()
        held.append(entries(served))
        await batch(served)
        await batch(served)
        last = alive()
        held.append(entries(served))
        n_ended = served.live.tally.outcomes.total()

    assert n_ended == 4 * (BATCH + 1)
    assert held[1] == held[2]
    assert {name: n for name, n in held[2].items() if name not in {"rates", "series"} and n} == {}
    assert {name: (first[name], n) for name, n in last.items() if n >= first[name] + BATCH} == {}


async def test_a_scripted_model_keeps_its_newest_requests_alone() -> None:
    model = ScriptedModel(turns=("x",) * (KEPT_REQUESTS + 5))
    for number in range(KEPT_REQUESTS + 5):
        await model.ainvoke(f"{QUESTION} {number}")

    assert (len(model.requests), model.n_calls) == (KEPT_REQUESTS, KEPT_REQUESTS + 5)
    assert str(model.requests[-1].messages[0].content).endswith(str(KEPT_REQUESTS + 4))
