"""A true sentence carries no false one beside it."""

import pytest

from models.offline.review.case import read_case
from models.offline.review.reviewing import judge
from tests.models.offline.review.incidents import Draft, Incident, Json, log

POOL = Incident(
    "Why does checkout of payments fail?",
    {
        "pool": log(
            "2026-03-02T14:06:10+00:00",
            "ERROR",
            "payments",
            "HikariPool-1 - Connection is not available, request timed out after 30000ms "
            "(total=20, active=20, idle=0, waiting=31)",
        ),
        "code": log("2026-03-02T14:06:11+00:00", "ERROR", "payments", "checkout failed with code PAY-503 on host db-7"),
    },
)
TOLD = (
    ("HikariPool-1 of payments says Connection is not available, request timed out.", ("pool",)),
    ("payments checkout failed with code PAY-503.", ("code",)),
)
START = "payments could not get a connection from HikariPool-1"
END = ", and checkout failed with code PAY-503."


def request(middle: str) -> Json:
    return POOL.request(Draft("", f"{START}{middle}{END}", TOLD))


@pytest.mark.parametrize(
    "middle",
    [
        ": Connection is not available, request timed out",
        ": request timed out. The pool was empty",
        " since all 20 were active",
        ": request timed out while 31 were waiting",
    ],
)
def test_the_true_draft_is_supported(middle):
    assert judge(read_case(request(middle))) is None


@pytest.mark.parametrize(
    "middle",
    [
        ". Attackers stole the card data",
        ": request timed out; the database administrator deleted the customer table",
        ": request timed out; the network is blameless",
        ": request timed out; alle Kundendaten sind verloren",
        ", 连接池耗尽是因为管理员删除了客户表: request timed out",
        ": request timed out because checkout leaks connections",
        ": Connection is available",
        ": no request timed out",
        ": 31 requests timed out",
        ": 20 requests timed out",
        ": half of the requests timed out",
        ": thousands of requests timed out",
        ": XXXII requests timed out",
        " since yesterday: request timed out",
        "; the database is healthy",
        "; the host db-7 was hacked",
        "; no data was lost",
        "; payments sold customer data",
        "，运维人员误删了数据库",
        ": r\u0435quest timed out",
    ],
)
def test_a_false_clause_beside_it_is_refused(middle):
    assert judge(read_case(request(middle))) is not None
