"""A server that fails is started again a bounded number of times, then after a pause."""

from tools.mcp.restarts import MAX_FAILED_STARTS, PAUSE_S, Restarts


def test_a_failing_server_gets_a_pause() -> None:
    restarts = Restarts()

    assert [restarts.may_start(1.0) for _ in range(MAX_FAILED_STARTS + 1)] == [True, True, True, False]
    assert not restarts.may_start(PAUSE_S)
    assert restarts.may_start(PAUSE_S + 1.0)


def test_an_answer_forgives() -> None:
    restarts = Restarts()
    for _ in range(10):
        assert restarts.may_start(0.0)
        restarts.answered()
