"""Alerts: an Alertmanager webhook starts a detached run for its group, or joins the one that is there."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from graph.alert_group import AlertNotification
from service.http.codes import ProblemCode
from service.http.context import Doors, Guarded, Operator
from service.http.problems import answers

router = APIRouter(route_class=Guarded, tags=["alerts"])


class AlertRunReply(BaseModel):
    """The run of one group of alerts."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    run_id: str
    session_id: str
    joined: bool
    """True: it had been started for an earlier notification of the group."""
    group: str
    """Names group, episode and key; the same within half an hour joins the run."""
    subject: dict[str, str]
    """Labels of the alert that began first: what the run is about."""
    related_risks: list[dict[str, str]]
    """Labels of what else fires, oldest first, at most 20; never part of the question, and not diagnosed."""
    omitted: int
    """How many more fire beyond those."""


class AlertRunsReply(BaseModel):
    """One run a group; none for what is resolved."""

    runs: list[AlertRunReply]


@router.post(
    "/api/alerts",
    status_code=202,
    responses=answers(
        ProblemCode.BAD_REQUEST,
        ProblemCode.TOO_LARGE,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
        ProblemCode.INVALID_QUERY,
        ProblemCode.INVALID_REQUEST,
        ProblemCode.TOO_MANY_RUNS,
    ),
)
async def receive_alerts(doors: Doors, caller: Operator, sent: AlertNotification) -> AlertRunsReply:
    """Take an Alertmanager webhook, version 4. Its run goes on without a stream."""
    started = await doors.start_alert(sent, owner_key=caller.name)
    return AlertRunsReply(
        runs=[
            AlertRunReply(
                run_id=one.run_id,
                session_id=one.session_id,
                joined=one.joined,
                group=one.group.group,
                subject=one.group.subject,
                related_risks=list(one.group.related_risks),
                omitted=one.group.origin.omitted,
            )
            for one in started
        ]
    )
