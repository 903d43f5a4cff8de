"""What people say of results, and the cases that come of it. Only an operator's approval makes one retrievable."""

from collections.abc import Callable
from dataclasses import dataclass

from graph.case_text import document_name_of, has_case, offered, title_of
from graph.document_desk import DocumentDesk, RebuildInProgress
from graph.knowledge import KB_SCOPE
from state.model.ids import RunId
from state.model.run import RunRow
from state.model.served import CaseKind, CaseRecord, CaseState, FeedbackVerdict, RunFeedback
from state.ports import Clock, ServiceStore
from tools.knowledge.chunking import document_id
from tools.knowledge.document_library import document_name

CATEGORY = "case"


class CaseDecided(Exception):
    """Somebody decided this case before; the first decision stays."""

    def __init__(self, case: CaseRecord) -> None:
        super().__init__(f"case {case.case_id} is {case.state}")
        self.case = case


@dataclass(frozen=True)
class Cases:
    """Judgements and cases of the runs of one home folder or database."""

    service: ServiceStore
    documents: DocumentDesk
    clock: Clock
    new_id: Callable[[], str]

    async def judge(
        self, row: RunRow, *, owner_key: str, verdict: FeedbackVerdict, correction: str = ""
    ) -> CaseRecord | None:
        """The case the judgement offers, the one that is there if it was offered before; None if there is none.

        A correction offers one of its own kind; else a useful report does. Nothing of the run changes.

        Raises:
            TruthUnavailable: the judgement or the case cannot be kept.
        """
        said = RunFeedback(
            run_id=row.run_id,
            owner_key=owner_key,
            verdict=verdict,
            correction=correction.strip(),
            at=self.clock.now(),
        )
        await self.service.put_feedback(said)
        case: CaseRecord | None = None
        if verdict is FeedbackVerdict.USEFUL and has_case(row):
            case = await self._offer(row, CaseKind.CONFIRMED, "")
        if said.correction:
            case = await self._offer(row, CaseKind.CORRECTION, said.correction)
        return case

    async def feedback(self, run_id: RunId) -> tuple[RunFeedback, ...]:
        """What was said of the run, oldest first.

        Raises:
            TruthUnavailable: it cannot be read.
        """
        return await self.service.feedback(run_id)

    async def listed(self, *, state: CaseState | None = None, limit: int = 50) -> tuple[CaseRecord, ...]:
        """Newest first, in this state if named; ``limit`` 1–200.

        Raises:
            TruthUnavailable: they cannot be read.
        """
        return await self.service.cases(state=state, limit=limit)

    async def approve(self, case_id: str, *, by: str) -> CaseRecord | None:
        """The approved case, whose document is waiting to be embedded; None: there is no such case.

        The decision is written first: a case nobody approved is never in the knowledge base. Approving again a case
        whose document did not come to be adds it.

        Raises:
            CaseDecided: it was decided before.
            RebuildInProgress: try again when it is done; nothing was decided.
            Misconfigured: the knowledge base cannot be used; approve again then.
            TruthUnavailable: the decision cannot be kept.
        """
        case = await self.service.case(case_id)
        if case is None:
            return None
        if self.documents.is_rebuilding:
            raise RebuildInProgress
        content, name = case.text.encode(), document_name_of(case)
        doc_id = document_id(document_name(content, name), KB_SCOPE)
        decided = await self._decide(case, CaseState.APPROVED, by, doc_id)
        if decided is None:
            return None
        was_approved = case.state is CaseState.APPROVED
        if decided.state is not CaseState.APPROVED or (was_approved and await self.documents.document(doc_id)):
            raise CaseDecided(decided)
        await self.documents.add(content, name=name, category=CATEGORY)
        return decided

    async def decline(self, case_id: str, *, by: str) -> CaseRecord | None:
        """The declined case; None: there is no such case.

        Raises:
            CaseDecided: it was decided before.
            TruthUnavailable: the decision cannot be kept.
        """
        case = await self.service.case(case_id)
        if case is None:
            return None
        decided = await self._decide(case, CaseState.DECLINED, by, None)
        if decided is None:
            return None
        if case.state is not CaseState.PENDING or decided.state is not CaseState.DECLINED:
            raise CaseDecided(decided)
        return decided

    async def delete_document(self, doc_id: str) -> bool:
        """True if the document is gone, and with it the case it was; False if there was none.

        Raises:
            RebuildInProgress: try again when it is done.
            Misconfigured: another process holds the index or keeps writing.
            IndexUnavailable: it is no longer found; its rows go when the base is next opened.
            TruthUnavailable: the case cannot be deleted; it is deleted when that is tried again.
        """
        is_deleted = await self.documents.delete(doc_id)
        n_forgotten = await self.service.forget_documents([doc_id])
        return is_deleted or bool(n_forgotten)

    async def _decide(self, case: CaseRecord, state: CaseState, by: str, doc_id: str | None) -> CaseRecord | None:
        """The case after the attempt; None: it is no longer there, another text took its place."""
        if case.state is not CaseState.PENDING:
            return case
        now = self.clock.now()
        return await self.service.decide_case(case.case_id, state, by=by, now=now, doc_id=doc_id)

    async def _offer(self, row: RunRow, kind: CaseKind, correction: str) -> CaseRecord:
        case = CaseRecord(
            case_id=self.new_id(),
            run_id=row.run_id,
            kind=kind,
            title=title_of(row),
            text=offered(row, kind, correction),
            created_at=self.clock.now(),
        )
        return await self.service.add_case(case)
