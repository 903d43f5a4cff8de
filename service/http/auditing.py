"""What only auditors see: each access is on record before anything is shown."""

from service.http.codes import ProblemCode
from service.http.context import Context
from service.http.problems import RETRY_AFTER_S, HttpProblem
from service.texts import routes as texts
from state.model.caller import Caller
from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.served import AccessRecord


async def record_access(shared: Context, caller: Caller, action: str, run_id: RunId, request_id: str) -> None:
    """Return once the access is on record; only then may what is asked for be read.

    Raises:
        HttpProblem: 503, it cannot be recorded; nothing may be shown.
    """
    access = AccessRecord(
        at=shared.clock.now(), name=caller.name, action=action, run_id=run_id, request_id=request_id[:64]
    )
    try:
        await shared.served.service.record_access(access)
    except TruthUnavailable as error:
        raise HttpProblem(
            ProblemCode.UNAVAILABLE,
            texts.ACCESS_NOT_RECORDED,
            run_id=run_id,
            headers={"Retry-After": str(RETRY_AFTER_S)},
            seconds=RETRY_AFTER_S,
        ) from error
