"""A stack trace keeps what identifies it."""

from state.model.stack_tail import drop_stack_tail

JAVA = "\n".join(
    [
        "payment failed",
        "java.lang.IllegalStateException: no connection",
        *(f"\tat com.acme.Pay.m{n}(Pay.java:{n})" for n in range(9)),
        "Caused by: java.sql.SQLTransientConnectionException: timed out after 30000ms",
        *(f"\tat com.acme.Pool.m{n}(Pool.java:{n})" for n in range(4)),
        "\t... 23 more",
    ]
)


def test_each_exception_keeps_its_line_and_three_frames():
    assert drop_stack_tail(JAVA).split("\n") == [
        "payment failed",
        "java.lang.IllegalStateException: no connection",
        "\tat com.acme.Pay.m0(Pay.java:0)",
        "\tat com.acme.Pay.m1(Pay.java:1)",
        "\tat com.acme.Pay.m2(Pay.java:2)",
        "... 6 frames dropped",
        "Caused by: java.sql.SQLTransientConnectionException: timed out after 30000ms",
        "\tat com.acme.Pool.m0(Pool.java:0)",
        "\tat com.acme.Pool.m1(Pool.java:1)",
        "\tat com.acme.Pool.m2(Pool.java:2)",
        "... 2 frames dropped",
    ]


def test_python_keeps_the_frames_next_to_the_exception():
    frames = "\n".join(f'  File "/app/m{n}.py", line {n}, in f{n}\n    call({n})' for n in range(5))
    shortened = drop_stack_tail(f"Traceback (most recent call last):\n{frames}\nValueError: bad amount")

    assert shortened.startswith('Traceback (most recent call last):\n... 2 frames dropped\n  File "/app/m2.py"')
    assert shortened.endswith("    call(4)\nValueError: bad amount")


def test_go_frames_are_pairs_of_lines():
    frames = "\n".join(f"main.f{n}(0xc0001)\n\t/app/main.go:{n} +0x1d" for n in range(5))

    shortened = drop_stack_tail(f"panic: nil map\n\ngoroutine 1 [running]:\n{frames}")

    assert shortened.endswith("main.f2(0xc0001)\n\t/app/main.go:2 +0x1d\n... 2 frames dropped")


def test_short_traces_and_ordinary_lines_are_left_alone():
    text = "look at this\nat noon it failed\n\tat a.b.C(D.java:1)\nat last"

    assert drop_stack_tail(text) == text
    assert drop_stack_tail("one line at a.b.C(D.java:1)") == "one line at a.b.C(D.java:1)"
