"""Many together, or one alone."""

import threading

from tools.knowledge.turnstile import Turnstile


def test_several_pass_together():
    turnstile, meeting = Turnstile(), threading.Barrier(2)

    def pass_together():
        with turnstile.together():
            meeting.wait()

    thread = threading.Thread(target=pass_together)
    thread.start()
    pass_together()
    thread.join()


def test_who_is_alone_waits_for_those_inside_and_keeps_out_those_who_come():
    turnstile, order = Turnstile(), []

    def alone():
        with turnstile.alone():
            order.append("alone")

    def late():
        with turnstile.together():
            order.append("late")

    with turnstile.together():
        waiting = threading.Thread(target=alone)
        waiting.start()
        while not turnstile._is_alone:
            pass
        coming = threading.Thread(target=late)
        coming.start()
        order.append("inside")
    waiting.join()
    coming.join()

    assert order == ["inside", "alone", "late"]


def test_an_error_inside_locks_nobody_out():
    turnstile = Turnstile()
    for way in (turnstile.together, turnstile.alone):
        try:
            with way():
                raise ValueError
        except ValueError:
            pass

    with turnstile.alone():
        pass
    with turnstile.together():
        pass
