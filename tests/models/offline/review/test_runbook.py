"""The order in which documents tell an incident."""

from models.offline.review.case import read_case
from models.offline.review.runbook import consequences, steps
from tests.models.offline.review.incidents import GEO, QUOTA, Draft


def test_what_a_document_calls_an_effect_is_no_step():
    case = read_case(GEO.request(Draft("", "x")))

    assert any("Timeouts in callers" in said for said in consequences(case))
    assert not any("Timeouts in callers" in step for passage in steps(case) for step in passage)


def test_steps_keep_their_order_and_leave_remedies_out():
    told = steps(read_case(QUOTA.request(Draft("", "x"))))[0]
    place = {
        word: n for n, step in enumerate(told) for word in ("只读角色", "AccessDenied", "导出任务失败") if word in step
    }

    assert place["只读角色"] < place["AccessDenied"] < place["导出任务失败"]
    assert not any("处置" in step for step in told)
