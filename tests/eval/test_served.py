"""The section of the service on the benchmarks page."""

import pytest

from eval.bench.served import Level, Served, render_served, with_section

LEVEL = Level(concurrency=50, n_runs=100, seconds=20.0, p50_ms=400.0, p95_ms=900.0)
ALONE = Level(concurrency=50, n_runs=50, seconds=5.0, p50_ms=250.0, p95_ms=300.0)


def test_the_ratio_is_of_times_per_run() -> None:
    section = render_served(Served([LEVEL], [ALONE], before_mb=200.4, after_mb=210.6))

    assert "| 50 | 5.0 | 10.0 | 2.00× | 400 ms | 900 ms | 250 ms |" in section
    assert "200 MB after the first run, 211 MB after all 101 of them" in section


@pytest.mark.parametrize(
    ("page", "written"),
    [
        ("# B\n\n## A\n\na\n", "# B\n\n## A\n\na\n\n## Served\n\nnew\n"),
        ("# B\n\n## Served\n\nold\n", "# B\n\n## Served\n\nnew\n"),
        ("# B\n\n## Served\n\nold\n\n## Z\n\nz\n", "# B\n\n## Served\n\nnew\n\n## Z\n\nz\n"),
    ],
)
def test_only_its_section_is_replaced(page: str, written: str) -> None:
    assert with_section(page, "new") == written
    assert with_section(written, "new") == written
